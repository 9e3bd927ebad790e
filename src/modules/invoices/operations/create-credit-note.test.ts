import { describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { buyerBody, invoiceBody } from '#test/bodies';
import { facilityOf } from '#test/credit';
import { creditNoteBody } from '#test/credit-notes';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { ledgerEntries, recordedEvents } from '#test/stored';

const DAY = 86_400;

const { create, order, invoiceOf, world } = useInvoicing();

let made = 0;
/** A credit note on the invoice with an external_id of its own. */
const credit = (invoice: string, amount: object, more: object = {}) =>
  world().post(
    '/v1/credit_notes',
    creditNoteBody({ external_id: `note-${++made}`, invoice_external_id: invoice, ...amount, ...more }),
  );
const pay = (invoice: string, amount: number, more: object = {}) =>
  world().post(`/v1/invoices/${invoice}/payments`, { amount, received_by: 'PLATFORM', ...more });
const read = async (invoice: string) => (await world().get(`/v1/invoices/${invoice}`)).body;
/** An invoice over 119.00 on credit; returns it with the gross amount of its fee. */
async function invoiced(more: object = {}) {
  const of = await order(more);
  const { body } = await invoiceOf([of], gross(11_900));
  return { id: body.external_id as string, of, fee: body.term_fee.gross as number };
}

describe('POST /v1/credit_notes', () => {
  describe('201', () => {
    it('answers the credit note, where it is, and its version', async () => {
      const { id } = await invoiced();
      const line = { name: 'Beans', category: 'Coffee', price: 2_500, quantity: 1 };
      const { status, headers, body } = await credit(
        id,
        { amount: { net: 2_500, tax: null, gross: 2_500 } },
        { external_id: 'returned', reason_code: 'DAMAGED', line_items: [line], invoiced_at: NOW - 60 },
      );
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/credit_notes/returned');
      expect(headers.get('etag')).toMatch(/^"1(-gzip)?"$/);
      expect(body).toEqual({
        external_id: 'returned',
        invoice_external_id: id,
        buyer_external_id: 'buyer',
        merchant_external_id: 'merchant',
        reason_code: 'DAMAGED',
        created_at: NOW,
        updated_at: NOW,
        invoiced_at: NOW - 60,
        amount: { net: 2_500, tax: 0, gross: 2_500, currency: 'EUR' },
        line_items: [{ ...line, currency: 'EUR', description: null }],
      });
    });

    it('reduces what the invoice owes and uses, and sums up in it', async () => {
      const { id, of, fee } = await invoiced();
      const before = await facilityOf(world(), 'buyer');
      await credit(id, gross(900));
      await credit(id, gross(1_000), { external_id: 'second-of-two' });
      expect(await read(id)).toMatchObject({
        status: 'OPEN',
        credited_amount: 1_900,
        outstanding_amount: 10_000 + fee,
        credit_used: 10_000,
        credit_note_summary: {
          count: 2,
          amount: { net: 1_900, tax: 0, gross: 1_900, currency: 'EUR' },
          original_invoice_amount: { net: 11_900, tax: 0, gross: 11_900, currency: 'EUR' },
          has_active_mandate: false,
          financing_status: null,
        },
      });
      expect(await facilityOf(world(), 'buyer')).toMatchObject({ used: before.used - 1_900 });
      expect((await ledgerEntries(world(), { order: of })).at(-1)).toMatchObject({
        cause: 'INVOICE_CREDITED',
        credit_note_external_id: 'second-of-two',
        invoice_external_id: id,
        used_change: -1_000,
      });
      // The platform's books do not contain the merchant's claim. The fee is owed as agreed.
      expect(await balancesOf(world(), { invoice: id })).toEqual([
        `term_fee_income: ${-fee}`,
        `term_fee_receivable buyer: ${fee}`,
      ]);
    });

    it('reports one event, with what is left of the invoice', async () => {
      const { id, fee } = await invoiced();
      await credit(id, gross(900), { external_id: 'reported' });
      expect(await recordedEvents(world(), 'reported')).toMatchObject([
        {
          type: 'CREDIT_NOTE.CREATED',
          data: {
            sequence: 1,
            invoice_external_id: id,
            reason_code: 'RETURN',
            amount: { gross: 900, currency: 'EUR' },
            invoice_status: 'OPEN',
            outstanding_amount: 11_000 + fee,
          },
        },
      ]);
      expect((await recordedEvents(world(), id)).map(({ type }) => type)).toEqual(['INVOICE.CREATED']);
    });

    it('takes off the latest instalment first, and of a paid one last', async () => {
      const of = await order({ ...gross(30_000), payment_term: 'SPLIT_3M' });
      const { body } = await invoiceOf([of], gross(30_000));
      const id = body.external_id;
      const creditedOf = async () =>
        (await read(id)).installments.map((each: { credited_amount: number }) => each.credited_amount);
      await pay(id, 10_000 + body.term_fee.gross + 4_000);
      await credit(id, gross(12_000));
      expect(await creditedOf()).toEqual([0, 2_000, 10_000]);
      expect(await read(id)).toMatchObject({ status: 'OPEN', outstanding_amount: 4_000 });
      await credit(id, gross(5_000));
      expect(await creditedOf()).toEqual([0, 7_000, 10_000]);
      expect(await read(id)).toMatchObject({ status: 'CLOSED', paid_amount: 13_000 + body.term_fee.gross });
    });

    it('makes what the platform received beyond the rest the money of the buyer', async () => {
      const { id, fee } = await invoiced();
      const claim = 11_900 + fee;
      await pay(id, 5_000, { external_id: 'early-money' });
      await pay(id, claim - 5_000, { external_id: 'late-money' });
      await credit(id, gross(2_000));
      expect(await read(id)).toMatchObject({ status: 'CLOSED', paid_amount: claim - 2_000 });
      const { items } = (await world().get(`/v1/invoices/${id}/payments`)).body;
      const unapplied = Object.fromEntries(
        items.map((each: Record<string, unknown>) => [each.external_id, each.unapplied_amount]),
      );
      expect(unapplied).toEqual({ 'early-money': 0, 'late-money': 2_000 });
      expect(await balancesOf(world(), { invoice: id })).toEqual([
        `bank main: ${claim}`,
        'merchant_payable merchant: -9900',
        `term_fee_income: ${-fee}`,
        'unapplied_cash buyer: -2000',
      ]);
    });

    it('leaves to the merchant what the merchant received', async () => {
      await create(invoiceBody({ external_id: 'paid-to-merchant' }));
      await pay('paid-to-merchant', 11_900, { received_by: 'MERCHANT' });
      expect((await credit('paid-to-merchant', gross(2_000))).status).toBe(201);
      expect(await balancesOf(world(), { invoice: 'paid-to-merchant' })).toEqual([]);
      expect(await read('paid-to-merchant')).toMatchObject({ status: 'CLOSED', paid_amount: 9_900 });
    });

    it('charges the merchant for goods of a financed invoice', async () => {
      await create(invoiceBody({ external_id: 'financed' }));
      await world().sql(`update invoices set is_financed = true where external_id = 'financed'`);
      await pay('financed', 10_000);
      await credit('financed', gross(3_000));
      // 1,100 too much was paid.
      expect(await balancesOf(world(), { invoice: 'financed' })).toEqual([
        'bank main: 10000',
        'buyer_receivable buyer: -11900',
        'merchant_setoff merchant: 3000',
        'unapplied_cash buyer: -1100',
      ]);
    });

    it('closes an invoice of which the rest is paid, as late as the money came', async () => {
      const { id, of, fee } = await invoiced();
      await pay(id, 10_000 + fee, { paid_at: NOW - DAY, external_id: 'nearly-all' });
      await credit(id, gross(1_900));
      expect(await read(id)).toMatchObject({ status: 'CLOSED', paid_at: NOW - DAY, outstanding_amount: 0 });
      expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CLOSED');
      const [fact] = await world().sql(
        'select amount::int, paid_on::text from paid_invoices where invoice_external_id = $1',
        [id],
      );
      expect(fact).toEqual({ amount: 10_000 + fee, paid_on: '2025-11-19' });
    });

    it('reduces what the buyer has overdue, and clears it with the last of it', async () => {
      await create(invoiceBody({ external_id: 'overdue' }));
      await world().sql(
        `update invoices set status = 'DUE', falls_due_at = null, due_at = $1, due_on = '2025-11-17' where external_id = 'overdue'`,
        [NOW - 3 * DAY],
      );
      await world().sql(
        `update invoice_installments set due_at = $1, due_on = '2025-11-17' where invoice_external_id = 'overdue'`,
        [NOW - 3 * DAY],
      );
      const overdue = () =>
        world().sql(
          `select outstanding_amount::int as owed from overdue_invoices where invoice_external_id = 'overdue'`,
        );
      await credit('overdue', gross(900));
      expect(await overdue()).toEqual([{ owed: 11_000 }]);
      expect(await read('overdue')).toMatchObject({ status: 'DUE', days_past_due: 3 });
      await pay('overdue', 10_000);
      await credit('overdue', gross(1_000));
      expect(await overdue()).toEqual([]);
      expect((await read('overdue')).status).toBe('CLOSED');
    });
  });

  it('tells with the summary whether the buyer has a mandate', async () => {
    await world().post('/v1/buyers', buyerBody({ external_id: 'debited' }));
    await create(invoiceBody({ external_id: 'to-debit', buyer_external_id: 'debited' }));
    const hasMandate = async () => (await read('to-debit')).credit_note_summary.has_active_mandate;
    expect(await hasMandate()).toBe(false);
    const mandate = { iban: 'DE02120300000000202051' };
    expect((await world().post('/v1/buyers/debited/mandates', mandate)).status).toBe(201);
    expect(await hasMandate()).toBe(true);
  });

  describe('201: over the whole invoice', () => {
    it('cancels it with its fee, and releases the credit that the order had', async () => {
      const before = await facilityOf(world(), 'buyer');
      const { id, of } = await invoiced();
      await credit(id, gross(4_000));
      await credit(id, gross(7_900), { external_id: 'rest' });
      expect(await read(id)).toMatchObject({
        status: 'CANCELLED',
        credited_amount: 11_900,
        outstanding_amount: 0,
        credit_used: 0,
        credit_note_summary: { count: 2, amount: { gross: 11_900 } },
      });
      expect((await recordedEvents(world(), id)).map(({ type }) => type)).toEqual([
        'INVOICE.CREATED',
        'INVOICE.CANCELLED',
      ]);
      expect(await balancesOf(world(), { invoice: id })).toEqual([]);
      expect(await facilityOf(world(), 'buyer')).toMatchObject({
        used: before.used,
        pending: before.pending,
      });
      expect((await ledgerEntries(world(), { order: of })).at(-1)).toMatchObject({
        cause: 'INVOICE_CREDITED',
        credit_note_external_id: 'rest',
        used_change: -7_900,
        pending_orders_change: 0,
      });
      expect((await invoiceOf([of], gross(11_900))).status).toBe(201);
    });

    it('makes everything that was paid the money of the buyer, with the fee; the order stays closed', async () => {
      const { id, of, fee } = await invoiced();
      await pay(id, 11_900 + fee);
      await credit(id, gross(11_900));
      expect(await read(id)).toMatchObject({ status: 'CANCELLED', paid_amount: 0, paid_at: null });
      expect(await balancesOf(world(), { invoice: id })).toEqual([
        `bank main: ${11_900 + fee}`,
        `unapplied_cash buyer: ${-11_900 - fee}`,
      ]);
      expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CLOSED');
    });

    it('ends what the merchant owed of a fee that it received', async () => {
      const { id, fee } = await invoiced();
      await pay(id, 11_900 + fee, { received_by: 'MERCHANT' });
      expect(await balancesOf(world(), { invoice: id })).toContain(`merchant_setoff merchant: ${fee}`);
      await credit(id, gross(11_900));
      expect(await balancesOf(world(), { invoice: id })).toEqual([]);
    });
  });
});
