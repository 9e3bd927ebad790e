/** The text that a reader extracts from documents about invoices is the text that was written, in every language. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { typesetDocument } from '#infra/typesetting/typesetter';
import { LANGUAGES, type Language } from '#kernel/language';
import { findBuyer, type KnownBuyer } from '#modules/buyers';
import { findInvoice, type InvoiceRow } from '#modules/invoices';
import { sealedSettings } from '#modules/platforms';
import { invoiceDocumentOf } from '#modules/statements';
import { compareTexts } from '#test/document-texts';
import { useDunning } from '#test/dunning';
import { readPdf } from '#test/pdf';
import { composeReminders } from './compose-reminder.ts';
import type { MailingRow } from './dunning-mailing.queries.ts';
import { type LookContext, lookContextOf } from './look-context.ts';
import { reminderDocument } from './reminder-document.ts';

const TODAY = '2026-01-12';
const SOURCE_OF_COMPUTATION = { note: 'BGB, section 288(2)' };
const { debtor, invoice, until, world } = useDunning();
let buyerExternalId: string;
const invoiceIds: string[] = [];

beforeAll(async () => {
  const { code, data_key_wrapped } = world().platform;
  const vault = world().installation.vault.forPlatform(code, data_key_wrapped);
  await world().sql('update platforms set iban_sealed = $1, account_holder = $2, bic = $3', [
    sealedSettings(vault, { iban: 'DE89370400440532013000' }).iban_sealed,
    'Markthalle GmbH',
    'COBADEFFXXX',
  ]);
  buyerExternalId = await debtor();
  // Tables of so many invoices break across pages.
  for (let made = 0; made < 3; made += 1) invoiceIds.push(await invoice(buyerExternalId));
  for (const day of ['2025-12-12', '2025-12-29', TODAY]) await until(day);
  // Its summary has the sentences of French law, in French.
  await world().sql(`update merchants set business_address = business_address || '{"country": "FR"}'`);
  await world().sql('update invoices set is_financed = true');
});

/** What documents are made from, in this language. */
async function dataIn(language: Language) {
  await world().sql('update buyers set language = $1 where external_id = $2', [language, buyerExternalId]);
  const { installation, platform, clock } = world();
  const { db, vault } = installation;
  const { platform_id: platformId } = platform;
  const deps = { vault, baseUrl: () => '', isSandbox: true };
  const context = await lookContextOf(db, platformId, deps, clock.now());
  const buyer = (await findBuyer(db, { platformId, externalId: buyerExternalId })) as KnownBuyer;
  const invoices = await Promise.all(
    invoiceIds.map(async (externalId) => (await findInvoice(db, { platformId, externalId })) as InvoiceRow),
  );
  return { context, buyer, invoices };
}
type Data = Awaited<ReturnType<typeof dataIn>>;

/** A reminder in each wording. */
async function remindersOf({ context, buyer, invoices }: Data): Promise<DocumentBody[]> {
  const [sent] = await world().sql<MailingRow>(
    'select * from dunning_mailings order by mailed_on desc limit 1',
  );
  const wordings: Pick<MailingRow, 'kind' | 'tone'>[] = [
    { kind: 'BEFORE_DUE', tone: 'FRIENDLY' },
    { kind: 'DUE', tone: 'FRIENDLY' },
    { kind: 'REMINDER', tone: 'FRIENDLY' },
    { kind: 'REMINDER', tone: 'FIRM' },
    { kind: 'LAST_REMINDER', tone: 'FRIENDLY' },
  ];
  const mailings = wordings.map((wording) => ({
    mailing: { ...(sent as MailingRow), ...wording },
    ...{ buyer, invoices, today: TODAY },
  }));
  return (await composeReminders(context, mailings)).map((each) => reminderDocument(context, each));
}

async function invoiceDocument(
  { context, invoices: [first] }: Data,
  kind: 'SUMMARY' | 'ASSIGNMENT_NOTICE',
): Promise<DocumentBody> {
  const { db, vault, now, platform }: LookContext = context;
  const { platform_id: platformId, time_zone: timeZone } = platform;
  const about = { db, platformId, now, timeZone, vault, isSandbox: true };
  return (await invoiceDocumentOf(about, first as InvoiceRow, kind)) as DocumentBody;
}

async function expectSame(body: DocumentBody): Promise<void> {
  const pdf = await readPdf(await typesetDocument(body), { withQrCodes: false });
  const { written, extracted } = compareTexts(body, pdf);
  expect(extracted).toEqual(written);
  expect(pdf.title).toBe(body.title);
}

describe.each(LANGUAGES)('the text extracted is the text written in %s', (language) => {
  it('in reminders and letters of every wording', async () => {
    const bodies = await remindersOf(await dataIn(language));
    expect(new Set(bodies.map(({ title }) => title)).size).toBe(5);
    for (const body of bodies) {
      expect(body.parts).toContainEqual(SOURCE_OF_COMPUTATION);
      await expectSame(body);
    }
  });

  it('in the summary of an invoice', async () => {
    const body = await invoiceDocument(await dataIn(language), 'SUMMARY');
    const lawOfMerchant = { paragraph: expect.any(String), locale: expect.stringMatching(/^fr/) };
    expect(body.parts).toEqual(expect.arrayContaining([SOURCE_OF_COMPUTATION, lawOfMerchant]));
    await expectSame(body);
  });

  it('in the notice of assignment', async () => {
    await expectSame(await invoiceDocument(await dataIn(language), 'ASSIGNMENT_NOTICE'));
  });
});
