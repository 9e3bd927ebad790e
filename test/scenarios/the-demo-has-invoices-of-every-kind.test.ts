import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceEquations } from '#modules/invoices';
import { createStoryWorld, STORY_SEEDED_AT } from '#test/story-world';
import type { World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createStoryWorld({}, { hasExampleEntry: false });
  // What has fallen due by now: the service does it within a second.
  const { status } = await world.post('/v1/sandbox/clock', { advance_seconds: 1 });
  expect(status).toBe(200);
});
afterAll(() => world.close());

const read = async (path: string) => (await world.get(path)).body;

describe('the demo', () => {
  it('has an invoice that is open, paid in part, past due, closed, and cancelled', async () => {
    const { items } = await read('/v1/invoices?sort_by=external_id&limit=100');
    const shown = items.map((invoice: Record<string, unknown>) => [
      invoice.external_id,
      invoice.status,
      (invoice.paid_amount as number) > 0,
      invoice.credited_amount,
      invoice.days_past_due,
    ]);
    expect(shown.toSorted()).toEqual([
      ['invoice-1010', 'CANCELLED', false, 0, null],
      ['invoice-1011', 'OPEN', true, 0, null],
      ['invoice-1012', 'OPEN', false, 20_034, null],
      ['invoice-1013', 'CLOSED', true, 0, null],
      ['invoice-1021', 'DUE', false, 0, 1],
    ]);
  });

  it('has 10.00 that a buyer paid too much, and a credit note', async () => {
    const { items } = await read('/v1/invoices/invoice-1013/payments');
    expect(items).toMatchObject([{ external_id: 'payment-1013', unapplied_amount: 1_000 }]);
    expect((await read('/v1/credit_notes')).items).toMatchObject([{ external_id: 'credit-note-1012' }]);
  });

  it('has orders that follow their invoices', async () => {
    const orders = ['1010', '1011', '1012', '1013', '1021'].map(async (number) => {
      const { status, invoiced_amount } = await read(`/v1/orders/order-${number}`);
      return `${number} ${status} ${invoiced_amount}`;
    });
    expect(await Promise.all(orders)).toEqual([
      '1010 CONFIRMED 0',
      '1011 CONFIRMED 60000',
      '1012 CONFIRMED 60102',
      '1013 CLOSED 79929',
      '1021 CONFIRMED 9936',
    ]);
  });

  it('has books in which every equation of invoices, payments and facilities holds', async () => {
    const { db } = world.installation;
    const differences = invoiceEquations.map(({ check }) => check(db, world.platform.platform_id));
    expect(await Promise.all(differences)).toEqual(invoiceEquations.map(() => []));
    expect(world.clock.now()).toBe(STORY_SEEDED_AT);
  });
});
