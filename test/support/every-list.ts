/** Every paged list of the API, as its route declares it, and a world in which each has some items. */
import { expect } from 'vitest';
import { v1 } from '#api/v1';
import { buyerBody, invoiceBody } from './bodies.ts';
import { creditNoteBody } from './credit-notes.ts';
import { addFiledDocument } from './filed-documents.ts';
import { FILES } from './files.ts';
import { addLateCharge } from './late-charges.ts';
import { addSentMail } from './mails.ts';
import { addService } from './services.ts';
import { createStoryWorld } from './story-world.ts';
import type { World } from './world.ts';

/** The part of a parameter's schema that tests read. */
export interface QueryParameter {
  type?: string;
  format?: string;
  enum?: readonly string[];
  items?: QueryParameter & { anyOf?: QueryParameter[] };
}

export interface EveryList {
  id: string;
  /** Contains the names of the example. */
  path: string;
  /** Its parameters without a default. */
  required: string;
  parameters: Record<string, QueryParameter>;
}

const everyList: EveryList[] = v1.flatMap(([method, path, { id, query, example }]) => {
  const parameters = (query?.properties ?? {}) as Record<string, QueryParameter>;
  if (method !== 'GET' || parameters.limit === undefined) return [];
  const { params = {}, query: shown = {} } = example as Record<'params' | 'query', Record<string, string>>;
  const filled = Object.entries(params).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    path,
  );
  const required = ((query as { required?: string[] }).required ?? []).map(
    (name) => `${name}=${shown[name]}`,
  );
  return [{ id, path: filled, required: required.map((each) => `&${each}`).join(''), parameters }];
});

/** The lists that end with their limit, or continue after an event, a delivery or an entry. */
const WITHOUT_OFFSET = ['getLedgerStatement', 'searchBusinesses', 'listWebhookDeliveries', 'listEvents'];

export const pagedLists = everyList.filter(({ id }) => !WITHOUT_OFFSET.includes(id));

/** The demo, and two items or more in each list of `pagedLists`, by the names of their examples. */
export async function createListedWorld({ hasExampleEntry = true } = {}): Promise<World> {
  const world = await createStoryWorld({}, { hasExampleEntry });
  const made = async (path: string, body?: unknown) => {
    const { status, text } = await world.post(path, body);
    expect(`${path} ${status} ${text}`).toMatch(/ 20\d /);
  };
  for (const external_id of ['example-invoice', 'note-invoice'])
    await made(
      '/v1/invoices',
      invoiceBody({
        external_id,
        buyer_external_id: 'cafe-morgenrot',
        merchant_external_id: 'roastery-north',
      }),
    );
  const invoice = '/v1/invoices/example-invoice';
  for (const external_id of ['one', 'two']) {
    await made(`${invoice}/promises`, { external_id, amount: 100, until: 1_900_000_000 });
    await made(`${invoice}/disputes`, { external_id, reason: 'OTHER', amount: 100 });
    await made(`${invoice}/disputes/${external_id}/withdraw`);
    await made(
      `${invoice}/files?file_external_id=${external_id}&kind=OTHER&name=x.pdf`,
      FILES['application/pdf'],
    );
    await addLateCharge(world, 'example-invoice');
    const amount = { net: 100, tax: 0, gross: 100 };
    const note = { external_id, invoice_external_id: 'note-invoice', amount };
    await made('/v1/credit_notes', creditNoteBody(note));
    await addSentMail(world, external_id);
    const named = { invoice: 'example-invoice', buyer: 'cafe-morgenrot' };
    await addFiledDocument(world, world.platform.platform_id, { documentId: external_id, ...named });
  }
  for (const type of ['FINANCING', 'INSURANCE'] as const)
    await addService(world, { invoice: 'example-invoice', type, status: 'REJECTED' });
  await made(`${invoice}/payments`, { external_id: 'one', amount: 100 });
  await made(`${invoice}/payments`, { external_id: 'two', amount: 200 });
  await made(`${invoice}/paid`);
  for (const type of ['BUYER', 'ORDER'])
    await made('/v1/webhooks', { type, url: 'https://93.184.215.14/hooks' });
  await made('/v1/webhooks/BUYER/signature_key', {});
  await made('/v1/buyers', buyerBody({ external_id: 'morgenrot-two' }));
  await made('/v1/buyers/cafe-morgenrot/mandates/MORGENROT-1/revoke');
  await made('/v1/buyers/cafe-morgenrot/mandates', { iban: 'DE89370400440532013000' });
  for (const [table, column, resource] of [
    ['order_transitions', 'order_external_id', 'order-1016'],
    ['facility_transitions', 'buyer_external_id', 'cafe-morgenrot'],
  ])
    await world.sql(
      `insert into ${table} (platform_id, ${column}, version, from_status, to_status, trigger, transitioned_at, actor)
      select platform_id, ${column}, 1000, to_status, to_status, trigger, transitioned_at, actor from ${table}
      where platform_id = $1 and ${column} = $2 and version = 1`,
      [world.platform.platform_id, resource],
    );
  return world;
}
