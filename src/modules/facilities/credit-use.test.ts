/** What invoices do to a facility, by the commands that the modules further out call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { addBuyer, addFacility, facilityOf, ledgerOf } from '#test/facilities';
import { createWorld, type World } from '#test/world';
import { releaseUse, useReservations, useWithoutOrder } from './credit-use.ts';
import { postEntry } from './facility-ledger.queries.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

const of = (buyer: string, invoice = 'i1') => ({
  platformId: world.platform.platform_id,
  buyerExternalId: buyer,
  invoiceExternalId: invoice,
  actor: 'service',
  at: NOW,
});
const granted = async (buyer: string, reserved = 0) => {
  await addFacility(world, buyer, { requested_amount: 1_000 });
  if (reserved > 0)
    await postEntry(world.installation.db, {
      ...of(buyer),
      cause: 'ORDER_RESERVED',
      pendingOrdersChange: reserved,
      tolerancePercent: 0,
      orderExternalId: 'o1',
    });
  return buyer;
};
const amountsOf = async (buyer: string) => {
  const facility = await facilityOf(world, buyer);
  return [facility.used_amount, facility.pending_orders_amount, facility.available_amount];
};

describe('an invoice of an order', () => {
  const invoiced = (buyer: string, amountMinor: number, reservedMinor: number, tolerancePercent = 0) =>
    inTransaction(world.installation.db, (transaction) =>
      useReservations(transaction, [
        { ...of(buyer), orderExternalId: 'o1', amountMinor, reservedMinor, tolerancePercent },
      ]),
    );

  it('uses what the order has reserved, for a part or the whole', async () => {
    const buyer = await granted('part', 900);
    expect((await invoiced(buyer, 400, 400))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([400, 500, 100]);
    expect((await invoiced(buyer, 500, 500))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([900, 0, 100]);
  });

  it('uses it if the limit has become lower since, and if the facility is frozen', async () => {
    const buyer = await granted('lowered', 900);
    await postEntry(world.installation.db, { ...of(buyer), cause: 'LIMIT_CHANGED', totalChange: -800 });
    await world.sql(
      "update facilities set status = 'FROZEN', frozen_at = 1 where buyer_external_id = 'lowered'",
    );
    expect((await invoiced(buyer, 900, 900))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([900, 0, 0]);
  });

  it('is authorized if only invoices count, within limit and tolerance', async () => {
    const buyer = await granted('counted');
    expect((await invoiced(buyer, 1_000, 0))[0]?.isPosted).toBe(true);
    expect((await invoiced(buyer, 1, 0))[0]).toMatchObject({
      isPosted: false,
      facility: { used_amount: 1_000 },
    });
    expect((await invoiced(buyer, 100, 0, 10))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([1_100, 0, 0]);
  });

  it('has no facility to use', async () => {
    await addBuyer(world, 'poor');
    expect(await invoiced('poor', 1, 0)).toEqual([undefined]);
  });

  it('is one of many at once, of one buyer and of several', async () => {
    for (const buyer of ['many-a', 'many-b']) await granted(buyer, 600);
    const invoice = (buyer: string, nth: number) => ({
      ...of(buyer, `i${nth}`),
      orderExternalId: 'o1',
      amountMinor: 200,
      reservedMinor: 200,
      tolerancePercent: 0,
    });
    await inTransaction(world.installation.db, (transaction) =>
      useReservations(transaction, [
        invoice('many-b', 1),
        invoice('many-a', 2),
        invoice('many-b', 3),
        invoice('many-b', 4),
      ]),
    );
    expect([await amountsOf('many-a'), await amountsOf('many-b')]).toEqual([
      [200, 400, 400],
      [600, 0, 400],
    ]);
    const { body } = await world.get('/v1/buyers/many-b/facility/ledger?limit=3');
    expect(body.items.map((item: { invoice_external_id: string }) => item.invoice_external_id)).toEqual([
      'i4',
      'i3',
      'i1',
    ]);
  });
});

describe('an invoice without an order', () => {
  const financed = (buyer: string, amountMinor: number, tolerancePercent = 0) =>
    inTransaction(world.installation.db, (transaction) =>
      useWithoutOrder(transaction, [{ ...of(buyer), amountMinor, tolerancePercent }]),
    );

  it('uses what is available, and no more', async () => {
    const buyer = await granted('financed', 300);
    expect((await financed(buyer, 701))[0]?.isPosted).toBe(false);
    expect((await financed(buyer, 700))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([700, 300, 0]);
    expect((await ledgerOf(world, buyer)).at(-1)).toBe('INVOICE_FINANCED used +700 available 0');
  });

  it('takes up nothing of a frozen facility', async () => {
    const buyer = await granted('cold');
    await world.sql(
      "update facilities set status = 'FROZEN', frozen_at = 1 where buyer_external_id = 'cold'",
    );
    expect((await financed(buyer, 1))[0]?.isPosted).toBe(false);
  });
});

describe('a payment or a credit note', () => {
  const released = (buyer: string, ...amounts: number[]) =>
    inTransaction(world.installation.db, (transaction) =>
      releaseUse(
        transaction,
        amounts.map((amountMinor, nth) => ({ ...of(buyer, `i${nth}`), amountMinor })),
      ),
    );
  const used = async (buyer: string) => {
    await granted(buyer);
    await inTransaction(world.installation.db, (transaction) =>
      useWithoutOrder(transaction, [{ ...of(buyer), amountMinor: 800, tolerancePercent: 0 }]),
    );
    return buyer;
  };

  it('releases what was used, in parts too', async () => {
    const buyer = await used('paying');
    await released(buyer, 300, 100);
    expect(await amountsOf(buyer)).toEqual([400, 0, 600]);
    expect((await ledgerOf(world, buyer)).slice(-2)).toEqual([
      'INVOICE_FREED used -300 available 500',
      'INVOICE_FREED used -100 available 600',
    ]);
  });

  it('makes nothing available if the limit is below what is still used', async () => {
    const buyer = await used('lowered-paying');
    await postEntry(world.installation.db, { ...of(buyer), cause: 'LIMIT_CHANGED', totalChange: -900 });
    await released(buyer, 650);
    expect(await amountsOf(buyer)).toEqual([150, 0, 0]);
    await released(buyer, 100);
    expect(await amountsOf(buyer)).toEqual([50, 0, 50]);
  });

  it('never releases more than is used', async () => {
    const buyer = await used('greedy');
    await expect(released(buyer, 801)).rejects.toThrow(/used_amount/);
    expect(await amountsOf(buyer)).toEqual([800, 0, 200]);
  });

  it('has somewhere to give it back to', async () => {
    await expect(released('nobody', 1)).rejects.toThrow(
      'The buyer nobody has no facility to release credit to.',
    );
  });
});
