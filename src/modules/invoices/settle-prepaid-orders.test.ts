import { describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;

const { order, invoiceOf, world } = useInvoicing();

/** A prepaid order of 119.00. */
const prepaid = async (more: object = {}): Promise<string> => {
  const id = await order({ payment_term: 'PREPAYMENT', ...more });
  expect((await world().post(`/v1/orders/${id}/paid`)).status).toBe(200);
  return id;
};
const read = async (invoice: string) => (await world().get(`/v1/invoices/${invoice}`)).body;
const paymentsOf = async (invoice: string) =>
  (await world().get(`/v1/invoices/${invoice}/payments`)).body.items;
const made = async (orders: string[], minor: number) => {
  const { status, body } = await invoiceOf(orders, gross(minor));
  expect(status).toBe(201);
  return body;
};

describe('POST /v1/invoices of an order that was paid in advance', () => {
  it('answers a paid invoice, with a payment of the platform from the day on which the order was paid', async () => {
    const of = await prepaid();
    world().clock.set(NOW + 3 * DAY);
    const invoice = await made([of], 11_900);
    expect(invoice).toMatchObject({
      ...{ status: 'CLOSED', paid_at: NOW, paid_amount: 11_900, outstanding_amount: 0, credit_used: 0 },
      installments: [{ due_at: NOW, paid_amount: 11_900, outstanding_amount: 0 }],
    });
    expect(await read(invoice.external_id)).toEqual(invoice);
    expect(await paymentsOf(invoice.external_id)).toMatchObject([
      {
        ...{ order_external_id: of, invoice_external_id: invoice.external_id, received_by: 'PLATFORM' },
        ...{ paid_at: NOW, created_at: NOW + 3 * DAY, amount: 11_900, allocated_amount: 11_900 },
      },
    ]);
    expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CLOSED');
    expect((await recordedEvents(world(), invoice.external_id)).map(({ type }) => type)).toEqual([
      'INVOICE.CREATED',
      'INVOICE.CLOSED',
    ]);
    expect(await balancesOf(world(), { invoice: invoice.external_id })).toEqual([
      'bank main: 11900',
      'merchant_payable merchant: -11900',
    ]);
    world().clock.set(NOW);
  });

  it('pays invoices of parts up to what was paid for the order', async () => {
    const of = await prepaid();
    const [first, second] = [await made([of], 4_000), await made([of], 7_900)];
    expect([first, second].map(({ status, paid_amount }) => [status, paid_amount])).toEqual([
      ['CLOSED', 4_000],
      ['CLOSED', 7_900],
    ]);
  });

  it('does not pay one whose order waits for the payment', async () => {
    const of = await order({ payment_term: 'PREPAYMENT' });
    const invoice = await made([of], 11_900);
    expect(invoice).toMatchObject({ status: 'OPEN', paid_amount: 0 });
    expect(await paymentsOf(invoice.external_id)).toEqual([]);
  });

  it('pays only the parts of the orders that were paid', async () => {
    const [paid, unpaid] = [await prepaid(), await order({ payment_term: 'PREPAYMENT' })];
    expect(await made([unpaid, paid], 15_000)).toMatchObject({ status: 'OPEN', paid_amount: 3_100 });
  });

  it('records a payment of each order, in the order in which the invoice lists them', async () => {
    const orders = [await prepaid(), await prepaid(gross(5_000))];
    const invoice = await made(orders, 16_900);
    expect(invoice).toMatchObject({ status: 'CLOSED', paid_amount: 16_900 });
    const payments = await paymentsOf(invoice.external_id);
    expect(
      new Set(payments.map((each: Record<string, unknown>) => `${each.order_external_id} ${each.amount}`)),
    ).toEqual(new Set([`${orders[0]} 11900`, `${orders[1]} 5000`]));
  });

  it('settles the next invoice with what a refund or a credit note left over, and creates no money', async () => {
    const of = await prepaid();
    const refunded = await made([of], 4_000);
    expect((await world().post(`/v1/invoices/${refunded.external_id}/refund`)).status).toBe(200);
    world().clock.set(NOW + DAY);
    // The prepayment has not become a payment yet.
    const credited = await made([of], 7_900);
    const note = {
      external_id: 'for-the-first',
      invoice_external_id: credited.external_id,
      reason_code: 'RETURN',
    };
    expect((await world().post('/v1/credit_notes', { ...note, ...gross(1_000) })).status).toBe(201);
    const last = await made([of], 4_000);
    world().clock.set(NOW);
    expect(last).toMatchObject({ status: 'CLOSED', paid_amount: 4_000 });
    expect(await paymentsOf(last.external_id)).toEqual([]);
    const payments = [
      ...(await paymentsOf(refunded.external_id)),
      ...(await paymentsOf(credited.external_id)),
    ];
    const sumOf = (name: string) => payments.reduce((sum, each) => sum + each[name], 0);
    expect([sumOf('amount'), sumOf('unapplied_amount')]).toEqual([11_900, 1_000]);
    expect((await recordedEvents(world(), last.external_id)).map(({ type }) => type)).toEqual([
      'INVOICE.CREATED',
      'INVOICE.CLOSED',
    ]);
  });

  it('does not pay again what was reversed', async () => {
    const of = await prepaid();
    const bounced = await made([of], 4_000);
    const [payment] = await paymentsOf(bounced.external_id);
    const path = `/v1/invoices/${bounced.external_id}/payments/${payment.external_id}/reverse`;
    expect((await world().post(path, { reason: 'It went back.' })).status).toBe(200);
    expect((await world().post(`/v1/invoices/${bounced.external_id}/refund`)).status).toBe(200);
    expect(await made([of], 11_900)).toMatchObject({ status: 'OPEN', paid_amount: 7_900 });
  });

  it('pays each of those that arrive together', async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, () => prepaid()));
    const invoices = await Promise.all(orders.map((of) => made([of], 11_900)));
    expect(invoices.map(({ status }) => status)).toEqual(orders.map(() => 'CLOSED'));
  });

  it('never pays two parts of one order twice', async () => {
    const of = await prepaid();
    const invoices = await Promise.all([1_900, 2_000, 3_000, 5_000].map((minor) => made([of], minor)));
    expect(invoices.map(({ status }) => status)).toEqual(['CLOSED', 'CLOSED', 'CLOSED', 'CLOSED']);
    expect((await world().get(`/v1/orders/${of}`)).body).toMatchObject({ status: 'CLOSED', paid_at: NOW });
  });
});
