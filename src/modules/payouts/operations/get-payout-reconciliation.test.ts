import { beforeAll, describe, expect, it } from 'vitest';
import { owe, PAYING_NOW, usePayouts } from '#test/payouts';

const DAY = 86_400;

describe('GET /v1/payouts/{external_id}/reconciliation', () => {
  const payouts = usePayouts();
  const { world } = payouts;
  let merchant: string;
  let service: string;
  let collected: string;
  let path: string;
  beforeAll(async () => {
    merchant = await payouts.merchant();
    collected = await payouts.invoice(merchant);
    const payment = { amount: 11_900, received_by: 'PLATFORM' };
    await world().post(`/v1/invoices/${collected}/payments`, payment);
    service = await payouts.advance(merchant, { amountMinor: 5_000 });
    await owe(world(), merchant, 1_200);
    await payouts.until(PAYING_NOW + 3 * DAY);
    const [{ external_id }] = await payouts.payoutsOf(merchant);
    path = `/v1/payouts/${external_id}/reconciliation`;
  });

  it('200: is a table of which the last column sums to the payout', async () => {
    const { status, text, headers } = await world().get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; .*payout-[\da-f-]+\.csv$/);
    const [head = '', ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const at = (name: string) => head.indexOf(name);
    const field = (row: string[] | undefined, name: string) => row?.[at(name)];
    expect(rows.map((row) => [field(row, 'kind'), field(row, 'amount')])).toEqual([
      ['ADVANCE', '5000'],
      ['COLLECTED', '11900'],
      ['SET_OFF', '-1200'],
    ]);
    expect(field(rows[0], 'service_external_id')).toBe(service);
    expect(
      ['base_amount', 'fee_net', 'fee_tax', 'fee_tax_category'].map((name) => field(rows[0], name)),
    ).toEqual(['5119', '100', '19', 'S']);
    expect(field(rows[1], 'invoice_external_id')).toBe(collected);
    const sum = rows.reduce((total, row) => total + Number(field(row, 'amount')), 0);
    const { body } = await world().get(path.replace('/reconciliation', ''));
    expect(sum).toBe(body.amount);
  });

  it('404: is the answer for an unknown one, and to a key of another merchant', async () => {
    expect((await world().get('/v1/payouts/nothing/reconciliation')).status).toBe(404);
    const key = await world().addKey({ merchantExternalId: 'another' });
    expect((await world().get(path, { key })).status).toBe(404);
  });
});
