import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { addLateCharge } from '#test/late-charges';

const DAY = 86_400;
const { create, world } = useInvoicing();

const statementAt = async (at: number, from = at) =>
  (await world().get(`/v1/buyers/buyer/statement?from=${from}&at=${at}`)).body;
const pay = (invoice: string, body: object) =>
  world().post(`/v1/invoices/${invoice}/payments`, { received_by: 'PLATFORM', ...body });
const make = (external_id: string, minor: number, more: object = {}) =>
  create(invoiceBody({ external_id, buyer_external_id: 'buyer', ...grossOf(minor), ...more }));

/** The unapplied rest of the payments now, computed from the rows. */
async function leftOver(): Promise<number> {
  const [row] = await world().sql<{ left: string }>(
    `select coalesce(sum(amount - allocated_amount), 0) as left from invoice_payments
     where received_by = 'PLATFORM' and reversed_at is null and currency = 'EUR'`,
  );
  return Number(row?.left);
}

describe('the unapplied money of a statement', () => {
  it('is shown of a buyer that owes nothing, and had nothing to do with the period', async () => {
    await make('overpaid', 1_000);
    expect((await pay('overpaid', { external_id: 'too-much', amount: 1_500 })).status).toBe(201);
    world().clock.set(NOW + 40 * DAY);
    expect((await statementAt(NOW + 40 * DAY)).accounts).toEqual([
      {
        currency: 'EUR',
        opening_balance: 0,
        entries: [],
        closing_balance: 0,
        open_invoices: [],
        unapplied: 500,
      },
    ]);
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    const restricted = await world().get(`/v1/buyers/buyer/statement?from=${NOW + 40 * DAY}`, { key });
    expect(restricted.body.accounts).toEqual([]);
  });

  it('of the past stays as it is when money is recorded later that came earlier', async () => {
    const before = NOW + 40 * DAY;
    const statement = await statementAt(before, NOW);
    expect(statement.accounts[0].entries).not.toEqual([]);
    world().clock.set(before + DAY);
    await make('late', 2_000, { invoiced_at: before });
    const paid = await pay('late', { external_id: 'earlier', amount: 2_700, paid_at: before - DAY });
    expect(paid.status).toBe(201);
    expect(await statementAt(before, NOW)).toEqual(statement);
    expect((await statementAt(before + DAY)).accounts[0].unapplied).toBe(1_200);
  });

  it('is what payments left over, after each change of them', async () => {
    const start = NOW + 60 * DAY;
    const steps: (() => Promise<unknown>)[] = [
      () => make('several', 10_000),
      () => pay('several', { external_id: 'first', amount: 12_000 }),
      () => addLateCharge(world(), 'several', { kind: 'COMPENSATION', amountMinor: 4_000 }),
      () => pay('several', { external_id: 'second', amount: 4_300 }),
      () => world().post('/v1/invoices/several/payments/first/reverse', { reason: 'Bounced' }),
      () => world().post('/v1/invoices/several/payments/second/reverse', { reason: 'Bounced' }),
      () => pay('several', { external_id: 'third', amount: 10_000, received_by: 'MERCHANT' }),
      () => world().post('/v1/invoices/overpaid/refund'),
    ];
    const left: number[] = [];
    for (const [nth, step] of steps.entries()) {
      world().clock.set(start + nth);
      await step();
      left.push(await leftOver());
    }
    const shown: number[] = [];
    for (const nth of steps.keys()) shown.push((await statementAt(start + nth)).accounts[0].unapplied);
    expect(shown).toEqual(left);
    expect(left).toEqual([1_200, 3_200, 3_200, 3_500, 1_500, 1_200, 1_200, 2_200]);
  });
});
