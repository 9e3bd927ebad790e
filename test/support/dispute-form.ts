/** The form of a dispute on the buyer's page, over HTTP. Each test has its own invoice. */
import { expect } from 'vitest';
import type { Dispute } from '#modules/disputes';
import type { InvoiceFile } from '#modules/invoices';
import { STORY_EMAIL, tellAccountStory } from './account-story.ts';
import { invoiceBody } from './bodies.ts';
import { openedPage, type PageBrowser, type PageReply } from './buyer-page.ts';
import { FILES } from './files.ts';
import { readHtml } from './html.ts';
import type { World } from './world.ts';

export type FormField = [string, string | File];

export const PNG_FILE = new File([new Uint8Array(FILES['image/png'])], 'torn bags.png', {
  type: 'image/png',
});
export const PDF_FILE = new File([new Uint8Array(FILES['application/pdf'])], 'delivery note.pdf');

/** A dispute of the whole invoice, without files. */
export const WHOLE: FormField[] = [
  ['about', 'INVOICE'],
  ['reason', 'DAMAGED'],
  ['comment', 'Two bags were torn open.'],
];

export interface DisputeForm {
  world: World;
  page: PageBrowser;
  /** The invoice of the current test: 119.00, with lines of 98.00 and 2.00 before tax. */
  invoice(): string;
  newInvoice(): Promise<void>;
  /** Opens a form and returns its id. */
  formId(): Promise<string>;
  /** @param form By default, a newly opened form. */
  send(fields: FormField[], form?: string): Promise<PageReply>;
  disputes(): Promise<Dispute[]>;
  /** The files of the kind DISPUTE. */
  files(): Promise<InvoiceFile[]>;
  /** The number of files that forms keep. */
  kept(): Promise<number>;
  close(): Promise<void>;
}

export async function tellDisputeForm(): Promise<DisputeForm> {
  const { world, close } = await tellAccountStory();
  const page = await openedPage(world, 'buyer', STORY_EMAIL);
  let number = 0;
  const invoice = () => `disputed-${number}`;
  const itemsAt = async (path: string) => (await world.get(path)).body.items;
  const formId = async () => hiddenForm(await page.get(`invoices/${invoice()}/dispute`));
  return {
    ...{ world, page, invoice, formId, close },
    async newInvoice() {
      number += 1;
      const line = { category: 'COFFEE', quantity: 1, description: null };
      const { status, text } = await world.post(
        '/v1/invoices',
        invoiceBody({
          ...{ external_id: invoice(), buyer_external_id: 'buyer', merchant_external_id: 'merchant' },
          ...{ payment_method: 'TRANSFER', due_at: 4_000_000_000 },
          amount: { net: 10_000, tax: 1_900, gross: 11_900 },
          line_items: [
            { ...line, name: 'Espresso', quantity: 4, price: 2_450 },
            { ...line, name: 'Filter papers', price: 200 },
          ],
        }),
      );
      if (status !== 201) throw new Error(text);
    },
    send: async (fields, form) =>
      page.send(`invoices/${invoice()}/dispute`, [['form', form ?? (await formId())], ...fields]),
    disputes: () => itemsAt(`/v1/invoices/${invoice()}/disputes`),
    files: async () =>
      (await itemsAt(`/v1/invoices/${invoice()}/files`)).filter(
        ({ kind }: InvoiceFile) => kind === 'DISPUTE',
      ),
    async kept() {
      const sql = 'select count(*)::int from buyer_page_files';
      return (await world.sql<{ count: number }>(sql))[0]?.count as number;
    },
  };
}

/** The id of the form on a page. */
export function hiddenForm({ text }: PageReply): string {
  return /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The ids of the files that the page keeps. */
export function keptIds({ text }: PageReply): string[] {
  return [...text.matchAll(/name="kept" value="([^"]+)"/g)].map(([, id]) => id as string);
}

export function pageText({ text }: PageReply): string {
  return readHtml(text)
    .text.replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** The ids of the errors at the fields of a refused form. */
export function fieldErrors(reply: PageReply): (string | undefined)[] {
  expect(reply.status).toBe(422);
  const { elements, faults } = readHtml(reply.text);
  expect(faults).toEqual([]);
  return elements.flatMap(({ attributes: { class: kind, id } }) => (kind === 'error' ? [id] : []));
}
