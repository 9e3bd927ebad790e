import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '#test/marketplace-office';
import { createStoryWorld, STORY_SEEDED_AT } from '#test/story-world';
import type { World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createStoryWorld({}, { hasExampleEntry: false });
  // Transitions that are due by now: the service makes them within a second.
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
      invoice.invoice_number,
      invoice.status,
      (invoice.paid_amount as number) > 0,
      invoice.credited_amount,
      invoice.days_past_due,
    ]);
    expect(shown.toSorted()).toEqual([
      ['invoice-1009', 'RE-1009', 'CLOSED', true, 0, null],
      ['invoice-1010', 'RE-1010', 'CANCELLED', false, 0, null],
      ['invoice-1011', 'RE-1011', 'OPEN', true, 0, null],
      ['invoice-1012', 'RE-1012', 'OPEN', false, 20_034, null],
      ['invoice-1013', 'RE-1013', 'CLOSED', true, 0, null],
      ['invoice-1021', 'RE-1021', 'DUE', false, 0, 1],
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

  it('has a merchant whose invoice was financed and paid out, and whose buyer has paid', async () => {
    const { items } = await read('/v1/payouts?status=PAID');
    // Of 535.00, without a fee of 5.67 and its tax of 1.08.
    expect(items).toMatchObject([{ merchant_external_id: 'roastery-north', amount: 52_825 }]);
    expect(await read('/v1/invoices/invoice-1009/services/FINANCING')).toMatchObject({ status: 'SETTLED' });
    expect(await world.sql('select payouts_count from payout_files')).toHaveLength(1);
  });

  it('has a statement of the bank on which all but 40.00 is matched', async () => {
    const matched = await world.sql<{ amount: number; status: string }>(
      'select amount::int, status from bank_transactions order by 1',
    );
    expect(matched.map(({ amount, status }) => `${amount} ${status}`)).toEqual([
      '-52825 MATCHED',
      '-500 MATCHED',
      '4000 QUEUED',
      '53500 MATCHED',
    ]);
  });

  it('has books in which every equation holds', async () => {
    expect(await verifyLedger(world)).toEqual([]);
    expect(world.clock.now()).toBe(STORY_SEEDED_AT);
  });
});
