import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LimitPolicySettings, releaseUse } from '#modules/facilities';
import { disburseOrder } from '#modules/orders';
import { draftOrderBody, merchantBody } from '#test/bodies';
import {
  act,
  addDebtor,
  auditCredit,
  changeLimit,
  entriesOf,
  facilityOf,
  setFacilityStatus,
  setLimits,
} from '#test/credit';
import { invoice, settle, uninvoice } from '#test/order-statuses';
import { ledgerEntries, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

/** A confirmed order of 11,900 with the same external_id as its buyer, who has a limit of 20,000. */
async function confirmed(settings?: Partial<LimitPolicySettings>, term = 'DEFER_30D'): Promise<string> {
  const id = `buyer-${++made}`;
  await addDebtor(world, { buyer: id, totalMinor: 20_000 });
  if (settings) await setLimits(world, settings, id);
  const how = { payment_method: 'TRANSFER', payment_term: term };
  const { body } = await world.post(
    '/v1/orders',
    draftOrderBody({ external_id: id, buyer_external_id: id, ...how }),
  );
  expect(body.status).toBe('CONFIRMED');
  return id;
}

const close = (id: string) => world.post(`/v1/orders/${id}/close`);
const orderOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body;

describe('invoicing an order', () => {
  it('turns the reservation into use, part by part, and the sum does not change', async () => {
    const id = await confirmed();
    await invoice(world, id, 4_000);
    expect(await facilityOf(world, id)).toMatchObject({ used: 4_000, pending: 7_900, available: 8_100 });
    await invoice(world, id, 7_900);
    expect(await facilityOf(world, id)).toMatchObject({ used: 11_900, pending: 0, available: 8_100 });
    expect(await entriesOf(world, id)).toEqual([
      `ORDER_RESERVED ${id} pending 11900 used 0`,
      `ORDER_INVOICED ${id} pending -4000 used 4000`,
      `ORDER_INVOICED ${id} pending -7900 used 7900`,
    ]);
    const entries = await ledgerEntries(world, { order: id });
    expect(entries.map((entry) => entry.invoice_external_id)).toEqual([null, `of-${id}`, `of-${id}`]);
  });

  it('ends the time limit, without an event of the order', async () => {
    const id = await confirmed();
    expect((await orderOf(id)).expires_at).toBe(NOW + 30 * DAY);
    await invoice(world, id, 1);
    expect(await orderOf(id)).toMatchObject({ status: 'CONFIRMED', expires_at: null });
    expect((await recordedEvents(world, id)).at(-1)?.type).toBe('ORDER.CONFIRMED');
  });

  it('is refused beyond the order’s amount, whatever is left of it', async () => {
    const id = await confirmed();
    await invoice(world, id, 11_000);
    await expect(invoice(world, id, 901)).rejects.toMatchObject({
      status: 422,
      reason: 'ORDER_AMOUNT_EXCEEDED',
      details: { requested: 901, available: 900, currency: 'EUR' },
    });
    await invoice(world, id, 900);
    await expect(invoice(world, id, 1)).rejects.toMatchObject({ details: { requested: 1, available: 0 } });
  });

  it('never exceeds it under concurrent invoices', async () => {
    const id = await confirmed();
    const requested = await Promise.allSettled(Array.from({ length: 10 }, () => invoice(world, id, 2_000)));
    expect(requested.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await facilityOf(world, id)).toMatchObject({ used: 10_000, pending: 1_900 });
  });

  it.each(['FROZEN', 'EXPIRED'] as const)(
    'continues on a facility that is %s, and with a limit below the used amount: it was authorized with the order',
    async (status) => {
      const id = await confirmed();
      await changeLimit(world, id, -15_000);
      await setFacilityStatus(world, id, status);
      await invoice(world, id, 11_900);
      expect(await facilityOf(world, id)).toMatchObject({ used: 11_900, pending: 0, available: 0 });
    },
  );

  it('authorizes the part if only invoices count', async () => {
    const id = await confirmed({ counts: 'INVOICES' });
    await changeLimit(world, id, -12_000);
    await invoice(world, id, 5_000);
    expect(await facilityOf(world, id)).toMatchObject({ used: 5_000, pending: 0, available: 3_000 });
    await expect(invoice(world, id, 3_001)).rejects.toMatchObject({
      reason: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
      details: { requested: 3_001, available: 3_000 },
    });
    await setFacilityStatus(world, id, 'FROZEN');
    await expect(invoice(world, id, 1)).rejects.toMatchObject({ reason: 'FACILITY_FROZEN' });
    await setFacilityStatus(world, id, 'ACTIVE');
    await invoice(world, id, 3_000);
    expect(await entriesOf(world, id)).toEqual([
      `ORDER_INVOICED ${id} pending 0 used 5000`,
      `ORDER_INVOICED ${id} pending 0 used 3000`,
    ]);
  });

  it('touches no facility for a prepaid order', async () => {
    const id = await confirmed(undefined, 'PREPAYMENT');
    await invoice(world, id, 11_900);
    expect(await facilityOf(world, id)).toMatchObject({ used: 0, pending: 0, available: 20_000 });
    await settle(world, id);
    expect((await orderOf(id)).status).toBe('CLOSED');
    expect(await entriesOf(world, id)).toEqual([]);
  });
});

describe('cancelling an invoice of an order', () => {
  it('reserves again what the invoice still used, and lets as much be invoiced again', async () => {
    const id = await confirmed();
    await invoice(world, id, 11_900);
    // 1,900 of it were paid before and are no longer used.
    await act(world, async ({ db, platformId, actor, now }) => {
      const paid = { platformId, buyerExternalId: id, invoiceExternalId: `of-${id}`, amountMinor: 1_900 };
      await releaseUse(db, [{ ...paid, cause: 'INVOICE_PAID', paymentId: 'p1', actor, at: now }]);
    });
    await uninvoice(world, id, 11_900, 10_000);
    expect(await facilityOf(world, id)).toMatchObject({ used: 0, pending: 10_000, available: 10_000 });
    await invoice(world, id, 11_900);
    expect(await facilityOf(world, id)).toMatchObject({ used: 11_900, pending: 0, available: 8_100 });
  });

  it('gives the order its time limit back once nothing of it is invoiced', async () => {
    const id = await confirmed();
    await invoice(world, id, 2_000);
    await invoice(world, id, 3_000);
    await uninvoice(world, id, 2_000, 2_000);
    expect((await orderOf(id)).expires_at).toBeNull();
    world.clock.set(NOW + DAY);
    await uninvoice(world, id, 3_000, 3_000);
    world.clock.set(NOW);
    expect((await orderOf(id)).expires_at).toBe(NOW + 31 * DAY);
  });

  it('gives the part back if the order is closed short', async () => {
    const id = await confirmed();
    await invoice(world, id, 5_000);
    await invoice(world, id, 4_000);
    await close(id);
    await uninvoice(world, id, 4_000, 4_000);
    expect(await facilityOf(world, id)).toMatchObject({ used: 5_000, pending: 0, available: 15_000 });
    await settle(world, id);
    expect((await orderOf(id)).status).toBe('CLOSED');
  });

  it('gives the part back if only invoices count', async () => {
    const id = await confirmed({ counts: 'INVOICES' });
    await invoice(world, id, 5_000);
    await uninvoice(world, id, 5_000, 5_000);
    expect(await facilityOf(world, id)).toMatchObject({ used: 0, pending: 0, available: 20_000 });
  });

  it('is a defect of the caller if it releases more than was used', async () => {
    const id = await confirmed();
    await invoice(world, id, 5_000);
    await expect(uninvoice(world, id, 5_001, 0)).rejects.toThrow('more than it used');
    await expect(uninvoice(world, id, 5_000, 5_001)).rejects.toThrow('more than it used');
  });
});

describe('settling an order', () => {
  it('closes it with its event, after a disbursement too', async () => {
    const id = await confirmed();
    await invoice(world, id, 11_900);
    await act(world, (context) => disburseOrder(context, id));
    await settle(world, id);
    expect((await recordedEvents(world, id)).map(({ type, data }) => `${type} ${data.sequence}`)).toEqual([
      'BUYER.CREATED 1',
      'ORDER.CONFIRMED 1',
      'ORDER.DISBURSED 3',
      'ORDER.CLOSED 4',
    ]);
    expect(await orderOf(id)).toMatchObject({ status: 'CLOSED', expires_at: null });
    // The facts that decisions about the buyer read from now on.
    const facts = await world.sql(
      'select order_external_id, closed_at from closed_orders where buyer_external_id = $1',
      [id],
    );
    expect(facts).toEqual([{ order_external_id: id, closed_at: `${world.clock.now()}` }]);
  });

  it('leaves it while more may be invoiced', async () => {
    const id = await confirmed();
    await invoice(world, id, 11_899);
    expect(await settle(world, id)).toMatchObject({ status: 'CONFIRMED', version: 2 });
  });
});
