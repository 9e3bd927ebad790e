import { describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { balancesOf } from '#test/balances';
import { invoiceBody } from '#test/bodies';
import { addDebtor } from '#test/credit';
import { facilityOf } from '#test/facilities';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';
import { applyPayment } from '../apply-payment.ts';

const DAY = 86_400;
const REASON = { reason: 'The direct debit was returned.' };

const { create, order, invoiceOf, world } = useInvoicing();

const pay = async (invoice: string, amount: number, more: object = {}) => {
  const { status, body } = await world().post(`/v1/invoices/${invoice}/payments`, { amount, ...more });
  expect(status).toBe(201);
  return body.external_id as string;
};
const reverse = (invoice: string, payment: string, body: object = REASON) =>
  world().post(`/v1/invoices/${invoice}/payments/${payment}/reverse`, body);
const read = async (invoice: string) => (await world().get(`/v1/invoices/${invoice}`)).body;
const plain = async (externalId: string, more: object = {}) => {
  const { status } = await create(invoiceBody({ external_id: externalId, due_at: NOW, ...more }));
  expect(status).toBe(201);
  return externalId;
};
const facts = (invoice: string) =>
  world().sql<{ paid: string; is_reversed: boolean }>(
    `select p.payment_id as paid, r.payment_id is not null as is_reversed from paid_invoices p
     left join paid_invoice_reversals r using (platform_id, buyer_external_id, invoice_external_id, payment_id)
     where invoice_external_id = $1 order by is_reversed desc, p.payment_id`,
    [invoice],
  );

const overdue = async (buyer: string) =>
  (
    await world().sql(
      'select invoice_external_id, due_at, outstanding_amount from overdue_invoices where buyer_external_id = $1',
      [buyer],
    )
  ).map((row) => Object.values(row).join(' '));

describe('POST /v1/invoices/{external_id}/payments/{payment_external_id}/reverse', () => {
  describe('200', () => {
    it('opens a paid invoice again, and takes the credit again; its order stays closed', async () => {
      const of = await order({});
      const { body: made } = await invoiceOf([of], gross(11_900));
      const id = made.external_id;
      const before = await facilityOf(world(), 'buyer');
      const payment = await pay(id, made.outstanding_amount, {
        received_by: 'PLATFORM',
        external_id: 'bounced',
      });
      expect(await facts(id)).toEqual([{ paid: 'bounced/2', is_reversed: false }]);
      const { status, body } = await reverse(id, payment);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        external_id: 'bounced',
        allocated_amount: 0,
        unapplied_amount: 0,
        allocations: [],
        reversed_at: NOW,
        reversal_reason: REASON.reason,
      });
      expect(await read(id)).toMatchObject({
        status: 'OPEN',
        paid_amount: 0,
        paid_at: null,
        credit_used: 11_900,
        outstanding_amount: made.outstanding_amount,
      });
      expect((await facilityOf(world(), 'buyer')).used_amount).toBe(before.used_amount);
      expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CLOSED');
      expect((await recordedEvents(world(), id)).map(({ type }) => type)).toEqual([
        'INVOICE.CREATED',
        'INVOICE.CLOSED',
        'INVOICE.REOPENED',
      ]);
      expect((await recordedEvents(world(), payment)).map(({ type }) => type)).toEqual([
        'INVOICE.PAYMENT.RECORDED',
        'INVOICE.PAYMENT.REVERSED',
      ]);
      expect(await facts(id)).toEqual([{ paid: 'bounced/2', is_reversed: true }]);
      const balances = await balancesOf(world(), { invoice: id });
      expect(balances.filter((line) => /bank|merchant/.test(line))).toEqual([]);
      // Paid again; the order does not change.
      await pay(id, made.outstanding_amount);
      expect((await read(id)).status).toBe('CLOSED');
      expect((await facts(id)).map(({ is_reversed }) => is_reversed)).toEqual([true, false]);
    });

    it('makes an invoice DUE again whose day has passed, and the buyer overdue', async () => {
      await addDebtor(world(), { buyer: 'late', totalMinor: 50_000 });
      const id = await plain('late-invoice', { buyer_external_id: 'late' });
      const payment = await pay(id, 11_900);
      world().clock.set(NOW + 3 * DAY);
      await reverse(id, payment);
      expect(await read(id)).toMatchObject({ status: 'DUE', days_past_due: 3 });
      expect(await overdue('late')).toEqual([`late-invoice ${NOW} 11900`]);
      // Money that came before the due day cures it, regardless of when it is recorded.
      await pay(id, 11_900, { paid_at: NOW - DAY });
      expect((await read(id)).status).toBe('CLOSED');
      expect(await overdue('late')).toEqual([]);
      const paid = await world().sql(
        `select paid_on - due_on as days_late from paid_invoices p where invoice_external_id = 'late-invoice' and not exists (
           select from paid_invoice_reversals r where r.platform_id = p.platform_id and r.payment_id = p.payment_id)`,
      );
      expect(paid).toEqual([{ days_late: -1 }]);
      world().clock.set(NOW);
    });

    it('gives the room of the first payment to the second one', async () => {
      const of = await order({ payment_term: 'SPLIT_3M', amount: gross(30_000).amount });
      const { body: made } = await invoiceOf([of], gross(30_000));
      const id = made.external_id;
      const [first, second] = made.installments;
      const bounced = await pay(id, first.amount, { received_by: 'PLATFORM' });
      const kept = await pay(id, second.amount, { received_by: 'PLATFORM' });
      await reverse(id, bounced);
      const after = await read(id);
      expect(after.installments[0].paid_amount).toBe(Math.min(first.amount, second.amount));
      expect(after.credit_used).toBe(30_000 - (second.amount - first.term_fee));
      const { body } = await world().get(`/v1/invoices/${id}/payments`);
      const payment = body.items.find((each: { external_id: string }) => each.external_id === kept);
      expect(payment.allocations[0]).toMatchObject({ installment: 1, term_fee: first.term_fee });
      const balances = await balancesOf(world(), { invoice: id });
      expect(balances).toContain(`bank main: ${second.amount}`);
      expect(balances).toContain(`merchant_payable merchant: ${first.term_fee - second.amount}`);
      expect(balances.some((line) => line.startsWith('term_fee_receivable'))).toBe(false);
    });

    it('leaves the order of the payments after it as it was', async () => {
      const of = await order({ payment_term: 'SPLIT_3M', amount: gross(30_000).amount });
      const { body: made } = await invoiceOf([of], gross(30_000));
      const id = made.external_id;
      const fee = made.term_fee.gross;
      const platform = { received_by: 'PLATFORM' };
      await pay(id, 10_000 + fee, { ...platform, external_id: 'moved-3' });
      await pay(id, 10_000, { external_id: 'moved-2' });
      await pay(id, 5_000, { ...platform, external_id: 'moved-1' });
      await reverse(id, 'moved-3');
      const amount = { net: 20_000, gross: 20_000 };
      const note = { external_id: 'credits-20000', invoice_external_id: id, reason_code: 'RETURN', amount };
      expect((await world().post('/v1/credit_notes', note)).status).toBe(201);
      // The last payment loses what is too much now.
      const { items } = (await world().get(`/v1/invoices/${id}/payments`)).body;
      const allocated = items.map((each: Record<string, unknown>) => [
        each.external_id,
        each.allocated_amount,
      ]);
      expect(Object.fromEntries(allocated)).toEqual({ 'moved-1': fee, 'moved-2': 10_000, 'moved-3': 0 });
      const first = items.find((each: { external_id: string }) => each.external_id === 'moved-2');
      expect(first.allocations).toMatchObject([{ installment: 1, amount: 10_000, term_fee: fee }]);
    });

    it('takes back what it settles of another invoice, after its own was credited in full', async () => {
      const id = await plain('credited-in-full');
      const payment = await pay(id, 11_900, { received_by: 'PLATFORM', external_id: 'wandered' });
      const { amount } = invoiceBody({});
      const note = { external_id: 'credits-all', invoice_external_id: id, reason_code: 'RETURN', amount };
      expect((await world().post('/v1/credit_notes', note)).status).toBe(201);
      const other = await plain('settled-instead', { due_at: NOW + DAY });
      const { platform, installation } = world();
      const context = { platformId: platform.platform_id, actor: 'operator:fin', now: NOW, timeZone: 'UTC' };
      const application = { paymentExternalId: payment, invoiceExternalId: other, amountMinor: null };
      await inTransaction(installation.db, (db) => applyPayment({ ...context, db }, application));
      expect((await read(other)).status).toBe('CLOSED');
      const before = await read(id);
      expect((await reverse(id, payment)).status).toBe(200);
      expect(await read(other)).toMatchObject({ status: 'OPEN', outstanding_amount: 11_900 });
      expect(await read(id)).toEqual(before);
    });

    it('takes the credit again in a facility that is full by now', async () => {
      await addDebtor(world(), { buyer: 'full', totalMinor: 11_900 });
      const of = await order({ buyer_external_id: 'full' });
      const { body: made } = await invoiceOf([of], gross(11_900));
      const payment = await pay(made.external_id, made.outstanding_amount);
      await order({ buyer_external_id: 'full' });
      await reverse(made.external_id, payment);
      expect(await facilityOf(world(), 'full')).toMatchObject({
        used_amount: 11_900,
        pending_orders_amount: 11_900,
        available_amount: 0,
      });
    });

    it('takes back what was left over of the payment', async () => {
      const id = await plain('left-over');
      const payment = await pay(id, 12_000, { received_by: 'PLATFORM' });
      await reverse(id, payment);
      expect(await balancesOf(world(), { invoice: id })).toEqual([]);
    });
  });

  it.each([{}, { reason: '' }, { reason: 'x'.repeat(256) }])('400: %j', async (body) => {
    expect((await reverse('left-over', 'any', body)).status).toBe(400);
  });

  it('404: an unknown payment, and one of another invoice', async () => {
    const id = await plain('of-one');
    const payment = await pay(id, 100);
    expect((await reverse(id, 'unknown')).status).toBe(404);
    expect((await reverse(await plain('of-another'), payment)).status).toBe(404);
  });

  it('409 PAYMENT_ALREADY_REVERSED: a reversal is final, and one of two at once takes effect', async () => {
    const id = await plain('reversed-twice');
    const payment = await pay(id, 100);
    const answers = await Promise.all([reverse(id, payment), reverse(id, payment)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status, body } = await reverse(id, payment);
    expect([status, body.reason, body.details.reversed_at]).toEqual([409, 'PAYMENT_ALREADY_REVERSED', NOW]);
    expect((await read(id)).outstanding_amount).toBe(11_900);
  });
});
