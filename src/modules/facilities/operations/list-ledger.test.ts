import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postEntry, releaseUse, useReservations } from '#modules/facilities';
import { addBuyer, addFacility, decide, ledgerOf, makeDueOfFacilities, onFacility } from '#test/facilities';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { useWithoutOrder } from '../credit-use.ts';

const NOW = 1_763_640_000;
const DAY = 86_400;
const BUYER = 'busy';

let world: World;
/** The history of the facility, one cause per day. */
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  const key = { platformId: world.platform.platform_id, buyerExternalId: BUYER };
  const on = (day: number) => ({ ...key, actor: 'service', at: NOW + day * DAY });
  await addFacility(world, BUYER, { requested_amount: 100_000 });
  await onFacility(world, BUYER, async ({ db }) => {
    await postEntry(db, {
      ...on(1),
      cause: 'ORDER_RESERVED',
      pendingOrdersChange: 60_000,
      tolerancePercent: 0,
      orderExternalId: 'o1',
    });
    const invoice = { ...on(2), invoiceExternalId: 'i1', orderExternalId: 'o1', tolerancePercent: 0 };
    await useReservations(db, [{ ...invoice, amountMinor: 40_000, reservedMinor: 40_000 }]);
    await postEntry(db, {
      ...on(3),
      cause: 'ORDER_FREED',
      pendingOrdersChange: -20_000,
      orderExternalId: 'o1',
    });
    await useWithoutOrder(db, [
      { ...on(4), invoiceExternalId: 'i2', amountMinor: 50_000, tolerancePercent: 0 },
    ]);
    const paid = { invoiceExternalId: 'i1', cause: 'INVOICE_PAID', paymentId: 'p1' } as const;
    await releaseUse(db, [{ ...on(5), ...paid, amountMinor: 10_000 }]);
  });
  world.clock.set(NOW + 6 * DAY);
  await decide(world, BUYER, 'INCREASE', 'ACCEPT', 150_000);
  world.clock.set(NOW + 7 * DAY);
  await decide(world, BUYER, 'RENEWAL', 'ACCEPT', 70_000);
  await decide(world, BUYER, 'RENEWAL', 'REJECT');
  await makeDueOfFacilities(world, NOW + 97 * DAY);
  world.clock.set(NOW + 100 * DAY);
});
afterAll(() => world.close());

const list = (parameters = '') => world.get(`/v1/buyers/${BUYER}/facility/ledger?${parameters}`);

describe('GET /v1/buyers/{external_id}/facility/ledger', () => {
  it('explains each cause with what was available after it', async () => {
    expect(await ledgerOf(world, BUYER)).toEqual([
      'LIMIT_GRANTED total +100000 available 100000',
      'ORDER_RESERVED pending_orders +60000 available 40000',
      'ORDER_INVOICED used +40000 pending_orders -40000 available 40000',
      'ORDER_FREED pending_orders -20000 available 60000',
      'INVOICE_FINANCED used +50000 available 10000',
      'INVOICE_PAID used -10000 available 20000',
      'LIMIT_CHANGED total +50000 available 70000',
      // Below what is used: nothing is available, and nothing is clawed back.
      'RENEWED total -80000 available 0',
      'EXPIRED available 0',
    ]);
  });

  it('names the order, the invoice and who did it', async () => {
    const { items } = (await list()).body;
    expect(items.find(({ cause }: { cause: string }) => cause === 'ORDER_INVOICED')).toMatchObject({
      entry: 3,
      effective_at: NOW + 2 * DAY,
      order_external_id: 'o1',
      invoice_external_id: 'i1',
      actor: 'service',
    });
    expect(items.at(-3)).toMatchObject({ order_external_id: 'o1', invoice_external_id: 'i1' });
    expect(items.at(2)).toMatchObject({ cause: 'LIMIT_CHANGED', actor: 'operator:ada' });
  });

  it('sums up: every balance is the sum of the changes until then', async () => {
    const items = (await list()).body.items.toReversed();
    const sums = { total: 0, used: 0, pending_orders: 0, available: 0 };
    for (const [index, item] of items.entries()) {
      expect(item.entry).toBe(index + 1);
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) {
        sums[name] += item[`${name}_change`];
        expect(item[`${name}_amount`]).toBe(sums[name]);
      }
    }
  });

  it('has the balance of now, as the facility has it', async () => {
    const { body } = await list('limit=1');
    const facility = (await world.get(`/v1/buyers/${BUYER}/facility`)).body;
    expect(body).toMatchObject({ total: 9, limit: 1, offset: 0 });
    expect(body.balance).toEqual({
      currency: 'EUR',
      total_amount: facility.total_amount,
      used_amount: facility.used_amount,
      pending_orders_amount: facility.pending_orders_amount,
      available_amount: facility.available_amount,
    });
    expect(body.items.map((item: { cause: string }) => item.cause)).toEqual(['EXPIRED']);
  });

  it.each([
    ['before the first entry', NOW - 1, 0, [0, 0, 0, 0]],
    ['at the first entry', NOW, 1, [100_000, 0, 0, 100_000]],
    ['a second before the next', NOW + DAY - 1, 1, [100_000, 0, 0, 100_000]],
    ['with an order', NOW + DAY, 2, [100_000, 0, 60_000, 40_000]],
    ['with its invoice', NOW + 2 * DAY, 3, [100_000, 40_000, 20_000, 40_000]],
    ['after a release', NOW + 5 * DAY, 6, [100_000, 80_000, 0, 20_000]],
    ['after the renewal', NOW + 20 * DAY, 8, [70_000, 80_000, 0, 0]],
    ['after the end', NOW + 97 * DAY, 9, [70_000, 80_000, 0, 0]],
    ['in the future', NOW + 10_000 * DAY, 9, [70_000, 80_000, 0, 0]],
  ])('has the balance %s', async (_, at, total, [limit, used, pending, available]) => {
    const { status, body } = await list(`at=${at}`);
    expect([status, body.total, body.items.length]).toEqual([200, total, total]);
    expect(body.balance).toEqual({
      currency: 'EUR',
      total_amount: limit,
      used_amount: used,
      pending_orders_amount: pending,
      available_amount: available,
    });
  });

  it('is the ledger as it was known at an instant, with entries in their order of recording', async () => {
    // Three entries per day, by the clock of the database.
    await world.sql(
      'update facility_ledger set recorded_at = to_timestamp($1::bigint + 86400 * ((entry - 1) / 3) + 0.9::float8)',
      [NOW],
    );
    const totals = async (parameters: string) => {
      const { body } = await list(parameters);
      expect(body.items.map(({ entry }: { entry: number }) => entry)[0] ?? 0).toBe(body.total);
      return [body.total, body.balance.total_amount, body.balance.available_amount];
    };
    expect(await totals(`known_at=${NOW - 1}`)).toEqual([0, 0, 0]);
    expect(await totals(`known_at=${NOW}`)).toEqual([3, 100_000, 40_000]);
    expect(await totals(`known_at=${NOW + DAY - 1}`)).toEqual([3, 100_000, 40_000]);
    expect(await totals(`known_at=${NOW + 2 * DAY}`)).toEqual([9, 70_000, 0]);
    expect(await totals(`known_at=${NOW}&at=${NOW + 97 * DAY}`)).toEqual([3, 100_000, 40_000]);
    expect(await totals(`known_at=${NOW + 2 * DAY}&at=${NOW + DAY}`)).toEqual([2, 100_000, 40_000]);
    const { items } = (await list('limit=1')).body;
    expect(items[0]).toMatchObject({ effective_at: NOW + 97 * DAY, recorded_at: NOW + 2 * DAY });
  });

  it.each([
    ['limit=3', [9, 8, 7]],
    ['limit=3&offset=3', [6, 5, 4]],
    ['limit=3&offset=8', [1]],
    ['offset=9', []],
    ['offset=2147483647', []],
    [`limit=2&offset=1&at=${NOW + 5 * DAY}`, [5, 4]],
    [`limit=2&offset=6&at=${NOW + 5 * DAY}`, []],
  ])('pages with %s', async (parameters, entries) => {
    const { status, body } = await list(parameters);
    expect([status, body.items.map((item: { entry: number }) => item.entry)]).toEqual([200, entries]);
  });

  it.each([
    ['at=-1', 'TOO_SMALL query.at'],
    ['known_at=1.5', 'INVALID_TYPE query.known_at'],
    ['known_at=253402300800', 'TOO_BIG query.known_at'],
    ['at=yesterday', 'INVALID_TYPE query.at'],
    ['at=253402300800', 'TOO_BIG query.at'],
    ['limit=0', 'TOO_SMALL query.limit'],
    ['limit=101', 'TOO_BIG query.limit'],
    ['offset=2147483648', 'TOO_BIG query.offset'],
    ['cause=EXPIRED', 'UNRECOGNIZED_KEYS query.cause'],
  ])('400 to ?%s', async (parameters, issue) => {
    const { status, body } = await list(parameters);
    expect([status, issuesOf(body)]).toEqual([400, [issue]]);
  });

  it('404 for a buyer without a facility as for an unknown one', async () => {
    await addBuyer(world, 'without');
    const replies = await Promise.all(
      ['without', 'nobody'].map((buyer) => world.get(`/v1/buyers/${buyer}/facility/ledger`)),
    );
    for (const { status, body } of replies) expect([status, body]).toEqual([404, NOT_FOUND]);
    expect(replies[0]?.text).toBe(replies[1]?.text);
  });
});
