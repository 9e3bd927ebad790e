/**
 * The rows that PostgreSQL reads for a page and a total of every list, with 20,000 rows: by each filter, each pair of filters and
 * each sort of the route. A new filter or sort must be listed here, and needs an index.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v1 } from '#api/v1';
import type { Db } from '#infra/database/database';
import { compileInputReader } from '#operation/input-reader';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { type EveryList, pagedLists } from '#test/every-list';
import { createFilledWorld, FILLED_INVOICES, FILLED_ROWS } from '#test/filled-lists';
import { readBy } from '#test/plans';
import type { World } from '#test/world';
import { contextOf } from '../../src/cli/operation-context.ts';

const LIMIT = 5;
/** Twice the number of rows that a sort of a range may read: a scan that does not stop reads at least a tenth of all rows. */
const ROWS_MAX = 1_000;
/** A few index descents for each value of a status, and those to each row. An index of all rows has 150 pages. */
const buffersMax = (rows: number) => 150 + 2 * rows;

/** By list, the filters and sorts that may read more rows: a bound, if an index is not worth its cost. */
const ROWS_MORE: Record<string, Record<string, number>> = {
  // The number of rows that are tested before the index of a text finds all matches.
  searchBuyers: { query: 5_000 },
  // A text index finds all buyers with a common name before one is tested.
  listInvoices: { buyer_legal_name: FILLED_ROWS + ROWS_MAX },
};

/** A value that nearly all rows have, and one that one row in 400 has. */
type Values = [common: string, rare: string];

const BUYER: Values = ['buyer', 'rare'];
const MERCHANT: Values = ['merchant', 'rare'];
const CURRENCY: Values = ['EUR', 'PLN'];
const ID: Values = ['row-1,row-2', 'row-1'];
const CREATED: Values = ['1..', '19980..'];
const UPDATED: Values = ['1..', '49980..'];
const AMOUNT: Values = ['1..', '9950..'];
const DAY: Values = ['1..', '39960..'];

const FILTERS: Record<string, Record<string, Values>> = {
  listMerchants: { status: ['ENROLLED', 'INACTIVE'] },
  listPayoutInstructions: {
    merchant_external_id: MERCHANT,
    type: ['SEPA', 'SWIFT'],
    status: ['VERIFIED', 'REJECTED'],
  },
  listPayouts: {
    external_id: ID,
    merchant_external_id: MERCHANT,
    payout_instruction_external_id: ['row-2', 'row-1'],
    status: ['PAID', 'FAILED'],
    scheme: ['SEPA', 'SWIFT'],
    currency: ['EUR', 'GBP'],
    created_at: CREATED,
    scheduled_on: ['2000-01-01..', '2074-09-01..'],
    amount: AMOUNT,
  },
  listBuyers: {
    external_id: ID,
    legal_form: ['LIMITED_COMPANY', 'PARTNERSHIP'],
    country: ['DE', 'FR'],
    created_at: CREATED,
    updated_at: UPDATED,
  },
  searchBuyers: { query: ['handel', 'qx'] },
  listContacts: { buyer_external_id: BUYER },
  listFacilities: {
    buyer_external_ids: ID,
    status: ['ACTIVE', 'FROZEN'],
    currency: CURRENCY,
    risk_band: ['A1', 'C2'],
    pending_action: ['CREATION', 'RENEWAL'],
    created_at: CREATED,
    updated_at: UPDATED,
    expires_at: DAY,
    total_amount: AMOUNT,
    available_amount: ['0..', '9950..'],
  },
  listOrders: {
    external_id: ID,
    buyer_external_id: BUYER,
    merchant_external_id: MERCHANT,
    status: ['CONFIRMED', 'EXPIRED'],
    currency: CURRENCY,
    created_at: CREATED,
    updated_at: UPDATED,
    ordered_at: DAY,
    amount_gross: AMOUNT,
  },
  listInvoices: {
    external_id: ID,
    buyer_external_id: BUYER,
    merchant_external_id: MERCHANT,
    order_external_id: ['rare', 'rare'],
    status: ['OPEN', 'CANCELLED'],
    currency: CURRENCY,
    invoice_number: ['R-1,R-2', 'R-1'],
    buyer_legal_name: ['*and*', 'Handel rare'],
    created_at: CREATED,
    updated_at: UPDATED,
    invoiced_at: DAY,
    due_at: DAY,
    amount_gross: AMOUNT,
    days_past_due: ['1..', '1..9000'],
    financing_status: ['none', 'PAID_OUT'],
    collection_status: ['none', 'COLLECTED'],
    insurance_status: ['none', 'ACCEPTED'],
  },
  listCreditNotes: {
    external_id: ID,
    invoice_external_id: FILLED_INVOICES,
    buyer_external_id: BUYER,
    merchant_external_id: MERCHANT,
    reason_code: ['RETURN', 'OTHER'],
    currency: CURRENCY,
    created_at: CREATED,
    invoiced_at: DAY,
    amount_gross: AMOUNT,
  },
  listWebhooks: { status: ['ACTIVE', 'DISABLED'] },
};

const OF_DOCUMENTS = ['status', 'currency', 'buyer_external_id', 'merchant_external_id'];

/** The lists with a maintained total, and the filters with one: a total reads no more rows, even for a common value. */
const MAINTAINED: Record<string, readonly string[]> = {
  listMerchants: ['status'],
  listPayoutInstructions: ['status', 'type'],
  listPayouts: ['status', 'currency', 'scheme', 'merchant_external_id', 'payout_instruction_external_id'],
  listBuyers: ['legal_form'],
  listContacts: [],
  listFacilities: ['status', 'currency', 'risk_band'],
  listOrders: OF_DOCUMENTS,
  listInvoices: OF_DOCUMENTS,
  listCreditNotes: ['buyer_external_id', 'merchant_external_id', 'reason_code', 'currency'],
};

/** Further queries: two letters are found by a different index than a word. */
const MORE: Record<string, Record<string, string>[]> = {
  searchBuyers: [{ query: 'ha', total: 'false' }, { query: 'qx 405' }],
};

/** The parents of lists with rows of one resource: one parent with nearly all rows, and one with few. */
const RESOURCES: Record<string, Values> = {
  '/v1/buyers/{external_id}/facility/ledger': ['row-1', 'row-2'],
  '/v1/buyers/{external_id}/facility/history': ['row-1', 'row-400'],
  '/v1/buyers/{external_id}/': BUYER,
  '/v1/orders/': ['order', 'rare'],
  '/v1/invoices/': FILLED_INVOICES,
  '/v1/webhooks/': ['BUYER', 'ORDER'],
};

const PAGE = ['limit', 'offset', 'after', 'total', 'sort_by', 'expand', 'at', 'known_at'];

let world: World;
beforeAll(async () => {
  world = await createFilledWorld();
}, 300_000);
afterAll(() => world.close());

/** Runs the operation of the list on a database, as if requested with the platform's key. */
function requestOf(list: EveryList, resource: string, query: Record<string, string>) {
  const [, path = '', operation] = v1.find(([, , { id }]) => id === list.id) ?? [];
  if (!operation) throw new Error(`${list.id} is no route.`);
  const name = /\{(\w+)\}/.exec(path)?.[1];
  const input = {
    params: name === undefined ? {} : { [name]: resource },
    query: { limit: String(LIMIT), ...query },
  };
  const { vault } = world.installation;
  const on = { platform: world.platform, actor: 'operator:test', now: world.clock.now() };
  return (db: Db) =>
    runOperation(operation, {
      context: readable(contextOf({ db, vault }, on)),
      input,
      readInput: compileInputReader(operation),
    });
}

/** The excess of rows that the request read; '' if it read few enough. */
async function excessOf(list: EveryList, resource: string, query: Record<string, string>): Promise<string> {
  const { rows, buffers } = await readBy(world, requestOf(list, resource, query));
  const by = [...Object.keys(query), query.sort_by?.replace('-', '') ?? ''];
  const rowsMore = Math.max(0, ...by.map((name) => ROWS_MORE[list.id]?.[name] ?? 0));
  if (rows <= ROWS_MAX + rowsMore && buffers <= buffersMax(rows)) return '';
  return `${JSON.stringify(query)}: ${rows} rows, ${buffers} buffers`;
}

/** The request for the page after the first; undefined if there is none. */
async function behind(list: EveryList, resource: string, query: Record<string, string>) {
  const { next } = (await requestOf(list, resource, query)(world.installation.db)) as { next: string | null };
  return next === null ? undefined : { ...query, after: next };
}

/** The rows were written without their encrypted values. */
const readable = (context: Context): Context => ({
  ...context,
  vault: { ...context.vault, open: () => JSON.stringify({ iban: 'DE89370400440532013000' }) },
});

const filtersOf = ({ parameters }: EveryList) =>
  Object.keys(parameters).filter((name) => !PAGE.includes(name));
const sortsOf = ({ parameters }: EveryList): (string | undefined)[] => [
  ...(parameters.sort_by?.enum ?? [undefined]),
];

function resourcesOf({ id }: EveryList): Values | [''] {
  const path = v1.find(([, , operation]) => operation.id === id)?.[1] ?? '';
  if (!path.includes('{')) return [''];
  const found = Object.entries(RESOURCES).find(([start]) => path.startsWith(start));
  if (!found) throw new Error(`${path} has no resources here.`);
  return found[1];
}

/** Each tested query with many rows, so that a second page exists. With its total, if that is maintained. */
function* longQueriesOf(list: EveryList): Generator<Record<string, string>> {
  const { id } = list;
  const { status, ...others } = FILTERS[id] ?? {};
  const isMaintained = (name?: string) =>
    name === undefined ? id in MAINTAINED : MAINTAINED[id]?.includes(name);
  const withTotal = (name?: string) => (isMaintained(name) ? {} : { total: 'false' });
  for (const sort of sortsOf(list)) {
    const sorted = sort === undefined ? {} : { sort_by: sort };
    // A search needs a search text.
    if (id !== 'searchBuyers') yield { ...sorted, ...withTotal() };
    if (status) {
      yield { ...sorted, ...withTotal('status'), status: status[0] };
      yield { ...sorted, ...withTotal('status'), status: status.join() };
    }
  }
  for (const [name, [common]] of Object.entries(others)) yield { [name]: common, ...withTotal(name) };
  yield* MORE[id] ?? [];
}

/** Each other tested query, of a list without a parent. */
function* shortQueriesOf(list: EveryList): Generator<Record<string, string>> {
  const values = Object.entries(FILTERS[list.id] ?? {});
  for (const sort of sortsOf(list)) {
    const sorted = sort === undefined ? {} : { sort_by: sort };
    for (const [name, [, rare]] of values) yield { ...sorted, [name]: rare };
  }
  for (const [nth, [name, [common, rare]]] of values.entries())
    for (const [other, [otherCommon, otherRare]] of values.slice(nth + 1)) {
      yield { [name]: rare, [other]: otherCommon };
      yield { [name]: common, [other]: otherRare };
      yield { [name]: rare, [other]: otherRare };
    }
}

describe.each(pagedLists.map((list) => [list.id, list] as const))('%s', (id, list) => {
  it('is tried with every filter', () => {
    expect(Object.keys(FILTERS[id] ?? {}).sort()).toEqual(filtersOf(list).sort());
  });

  it.each(resourcesOf(list))('reads little more than it shows %s', async (resource) => {
    const excesses: string[] = [];
    for (const query of shortQueriesOf(list)) excesses.push(await excessOf(list, resource, query));
    for (const query of longQueriesOf(list)) {
      excesses.push(await excessOf(list, resource, query));
      const next = await behind(list, resource, query);
      if (next) excesses.push(await excessOf(list, resource, next));
    }
    expect(excesses.filter(Boolean)).toEqual([]);
  });
});
