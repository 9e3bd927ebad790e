/** What is overdue, as buyers show it and as decisions use it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { buyerBody } from '#test/bodies';
import { addBuyer } from '#test/facilities';
import { versionIn } from '#test/if-match';
import { createWorld, type World } from '#test/world';
import { type OwedInstalment, recordOverdueInvoices } from './overdue-invoice.queries.ts';

const DAY = 86_400;
/** The start of a day in UTC. */
const NOW = 20_412 * DAY;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  for (const buyer of ['one', 'two', 'three', 'many']) await addBuyer(world, buyer);
});
afterAll(() => world.close());

const overdue = (buyer: string, invoice: string, days: number): OwedInstalment => ({
  platformId: world.platform.platform_id,
  buyerExternalId: buyer,
  invoiceExternalId: invoice,
  installment: 1,
  dueAt: NOW - days * DAY,
  currency: 'EUR',
  outstandingMinor: 1_000,
});
const record = (...invoices: OwedInstalment[]) =>
  inTransaction(world.installation.db, (transaction) => recordOverdueInvoices(transaction, invoices));
const clear = (...invoices: OwedInstalment[]) =>
  inTransaction(world.installation.db, (transaction) => recordOverdueInvoices(transaction, [], invoices));
const daysOf = async (buyer: string) => (await world.get(`/v1/buyers/${buyer}`)).body.max_days_past_due;

describe('max_days_past_due', () => {
  it('is that of the oldest invoice, and null once none is due', async () => {
    expect(await daysOf('one')).toBeNull();
    await record(overdue('one', 'i1', 5), overdue('one', 'i2', 40), overdue('two', 'i3', 1));
    expect([await daysOf('one'), await daysOf('two')]).toEqual([40, 1]);
    await clear(overdue('one', 'i2', 40));
    expect(await daysOf('one')).toBe(5);
    await clear(overdue('one', 'i1', 5), overdue('one', 'unknown', 1));
    expect([await daysOf('one'), await daysOf('two')]).toEqual([null, 1]);
  });

  it('grows with each day of the calendar', async () => {
    await record(overdue('three', 'i1', 10));
    const days: number[] = [];
    for (const seconds of [DAY - 1, DAY, 3 * DAY]) {
      world.clock.set(NOW + seconds);
      days.push(await daysOf('three'));
    }
    world.clock.set(NOW);
    expect(days).toEqual([10, 11, 13]);
  });

  it('counts the days of the platform, by its clocks', async () => {
    const { platform, apiKey: key } = await world.addPlatform({ time_zone: 'America/New_York' });
    const { platform_id: platformId } = platform;
    await world.post('/v1/buyers', buyerBody({ external_id: 'west' }), { key });
    // 18:59 in New York, one day before the UTC day.
    await record({ ...overdue('west', 'i1', 0), platformId, dueAt: NOW - 60 });
    const days: number[] = [];
    for (const hour of [4, 5, 28, 29]) {
      world.clock.set(NOW + hour * 3_600);
      days.push((await world.get('/v1/buyers/west', { key })).body.max_days_past_due);
    }
    world.clock.set(NOW);
    expect(days).toEqual([0, 1, 1, 2]);
  });

  it('is the same wherever the buyer is shown', async () => {
    await record(overdue('two', 'i4', 12));
    const listed = (await world.get('/v1/buyers?external_id=two')).body.items[0];
    const searched = (await world.get('/v1/buyers/search?query=two')).body.items[0];
    const replaced = await world.put('/v1/buyers/two', {
      legal_name: 'Two GmbH',
      legal_form: 'LIMITED_COMPANY',
      business_identifiers: [],
      business_address: { postcode: '53111', city: 'B', country: 'DE' },
    });
    expect([listed, searched, replaced.body].map((buyer) => buyer.max_days_past_due)).toEqual([12, 12, 12]);
  });

  it('does not change the version: an invoice that falls due refuses no replacement', async () => {
    const before = await world.get('/v1/buyers/one');
    await record(overdue('one', 'i9', 3));
    const after = await world.get('/v1/buyers/one');
    expect(versionIn(after)).toBe(versionIn(before));
    expect(after.body).toEqual({ ...before.body, max_days_past_due: 3 });
    await clear(overdue('one', 'i9', 3));
  });

  it('takes a later due day and another amount in place of the earlier ones', async () => {
    await record(overdue('one', 'i5', 20));
    await record({ ...overdue('one', 'i5', 8), outstandingMinor: 7 });
    expect(await daysOf('one')).toBe(8);
    const rows = await world.sql(
      "select outstanding_amount from overdue_invoices where invoice_external_id = 'i5'",
    );
    expect(rows).toEqual([{ outstanding_amount: '7' }]);
  });

  it('is right if many invoices of one buyer become due and are paid at once', async () => {
    const invoices = Array.from({ length: 40 }, (_, nth) => overdue('many', `m${nth}`, nth));
    await Promise.all(invoices.map((invoice) => record(invoice)));
    expect(await daysOf('many')).toBe(39);
    await Promise.all(invoices.slice(7).map((invoice) => clear(invoice)));
    expect(await daysOf('many')).toBe(6);
  });

  it('needs no second statement: the buyer’s row has it', async () => {
    const [{ matches } = {}] = await world.sql(
      `select bool_and(b.overdue_since is not distinct from (
        select min(due_at) from overdue_invoices o where o.platform_id = b.platform_id and o.buyer_external_id = b.external_id
      )) as matches from buyers b`,
    );
    expect(matches).toBe(true);
  });
});
