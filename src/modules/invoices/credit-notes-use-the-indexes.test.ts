/** The tables and indexes that PostgreSQL reads for lists of 40,000 credit notes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { bothWays, filtersOf, indexesOf, plansOfList, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { CREDIT_NOTE_SORTS, type CreditNoteFilter, listCreditNoteRows } from './credit-note.queries.ts';
import { listCreditNotes } from './operations/list-credit-notes.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  for (const external_id of ['buyer', 'rare']) await world.post('/v1/buyers', buyerBody({ external_id }));
  for (const external_id of ['merchant', 'rare'])
    await world.post('/v1/merchants', merchantBody({ external_id }));
  await world.post('/v1/invoices', invoiceBody({}));
  await world.post('/v1/invoices', invoiceBody({ external_id: 'rare' }));
  // Half a percent of the rows differ in every field that lists filter by.
  await world.sql(
    `insert into credit_notes (platform_id, external_id, created_at, updated_at, invoice_external_id, buyer_external_id,
      merchant_external_id, reason_code, invoiced_at, currency, amount_net, amount_tax, amount_gross, line_items, actor)
    select $1, 'note-' || n, n, n, case when n % 200 = 0 then 'rare' else 'invoice' end,
      case when n % 200 = 0 then 'rare' else 'buyer' end, case when n % 200 = 0 then 'rare' else 'merchant' end,
      case when n % 200 = 0 then 'OTHER' else 'RETURN' end, n * 7 % 40000, case when n % 200 = 0 then 'PLN' else 'EUR' end,
      n % 9973 + 1, 0, n % 9973 + 1, '[]', 'test'
    from generate_series(1, 40000) n`,
    [world.platform.platform_id],
  );
  await world.sql('vacuum analyze credit_notes');
});
afterAll(() => world.close());

const listed = (filter: CreditNoteFilter, sort?: string) =>
  plansOfList(world, sort, (context, page) => listCreditNoteRows(context, filter, page));

const CASES: [string, CreditNoteFilter, string | undefined, string][] = [
  ['some ids', { external_id: ['note-1', 'note-2'] }, undefined, 'credit_notes_pkey'],
  ['one invoice', { invoice_external_id: ['rare'] }, undefined, 'credit_notes_by_invoice'],
  ['one buyer', { buyer_external_id: ['rare'] }, undefined, 'credit_notes_by_buyer'],
  ['one merchant', { merchant_external_id: ['rare'] }, undefined, 'credit_notes_by_merchant'],
  ['a rare reason', { reason_code: ['OTHER'] }, undefined, 'credit_notes_by_reason'],
  ['a rare currency', { currency: ['PLN'] }, undefined, 'credit_notes_by_currency'],
  ['what was created lately', { created_at: '39900..' }, undefined, 'credit_notes_by_created_at'],
  ['a day of dates', { invoiced_at: '100..200' }, '-invoiced_at', 'credit_notes_by_invoiced_at'],
  ['the largest amounts', { amount_gross: '9900..' }, '-amount_gross', 'credit_notes_by_amount'],
];

describe('no list reads all credit notes', () => {
  it('and every filter is tried', () => {
    const tried = CASES.flatMap(([, filter]) => Object.keys(filter));
    expect([...new Set(tried)].sort()).toEqual(filtersOf(listCreditNotes));
  });

  it.each(CASES)('for %s', async (_, filter, sort, index) => {
    const plans = await listed(filter, sort);
    expect(plans.length).toBeGreaterThanOrEqual(3);
    expect(tablesReadWhole(plans)).toEqual([]);
    expect(indexesOf(plans)).toContain(index);
  });

  it.each(bothWays(CREDIT_NOTE_SORTS))('for its first page, sorted by %s', async (sort) => {
    const [page] = await listed({}, sort);
    expect(tablesReadWhole(page ? [page] : [])).toEqual([]);
  });
});
