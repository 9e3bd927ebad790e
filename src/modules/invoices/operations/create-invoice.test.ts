import { describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody } from '#test/bodies';
import { addDebtor, facilityOf, setLimits } from '#test/credit';
import { type AgreedFee, grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { ledgerEntries, recordedEvents } from '#test/stored';
import { isPaymentReference } from '../payment-reference.rules.ts';

const DAY = 86_400;

const { create, order, invoiceOf, termFeeOf, world } = useInvoicing();

const wholeInvoice = (of: string, termFee: AgreedFee) => ({
  external_id: 'whole',
  status: 'OPEN',
  buyer_external_id: 'buyer',
  merchant_external_id: 'merchant',
  order_external_ids: [of],
  created_at: NOW,
  updated_at: NOW,
  invoiced_at: NOW,
  due_at: NOW + 30 * DAY,
  agreed_due_at: NOW + 30 * DAY,
  days_past_due: null,
  payment_method: 'TRANSFER',
  payment_reference: expect.toSatisfy(isPaymentReference),
  invoice_number: 'R-1',
  amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
  term_fee: { ...termFee, currency: 'EUR' },
  merchant_term_fee: { net: 0, gross: 0, tax: 0, currency: 'EUR' },
  paid_amount: 0,
  credited_amount: 0,
  outstanding_amount: 11_900 + termFee.gross,
  disputed_amount: 0,
  late_charges: { amount: 0, paid_amount: 0, waived_amount: 0, outstanding_amount: 0 },
  dunning: null,
  credit_used: 11_900,
  installments: [
    {
      number: 1,
      due_at: NOW + 30 * DAY,
      amount: 11_900 + termFee.gross,
      term_fee: termFee.gross,
      paid_amount: 0,
      credited_amount: 0,
      outstanding_amount: 11_900 + termFee.gross,
    },
  ],
  contact: null,
  paid_at: null,
  buyer: { legal_name: 'Café Morgenrot eG' },
  credit_note_summary: {
    count: 0,
    amount: { net: 0, tax: 0, gross: 0, currency: 'EUR' },
    original_invoice_amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
    has_active_mandate: false,
    financing_status: null,
  },
  line_items: [
    {
      name: 'Beans',
      category: 'Coffee',
      price: 2_500,
      currency: 'EUR',
      quantity: 4,
      description: null,
    },
  ],
  billing_address: {
    street: null,
    house: null,
    additional: null,
    postcode: '10435',
    city: 'Berlin',
    country: 'DE',
  },
  delivery_address: null,
  custom_data: { a: 1 },
});

describe('POST /v1/invoices', () => {
  describe('201', () => {
    it('answers the invoice, where it is, and its version', async () => {
      const of = await order({});
      const { status, headers, body } = await create({
        external_id: 'whole',
        order_external_ids: [of],
        invoice_number: 'R-1',
        amount: { net: 10_000, tax: 1_900, gross: 11_900 },
        custom_data: { a: 1 },
        line_items: [{ name: 'Beans', category: 'Coffee', price: 2_500, quantity: 4 }],
      });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/invoices/whole');
      expect(headers.get('etag')).toMatch(/^"1(-gzip)?"$/);
      const termFee = await termFeeOf(of);
      expect(termFee.gross).toBeGreaterThan(0);
      expect(body).toEqual(wholeInvoice(of, termFee));
      expect((await world().get('/v1/invoices/whole')).body).toEqual(body);
    });

    it('turns what the order reserved into used credit, names the invoice, and reports one event', async () => {
      await addDebtor(world(), { buyer: 'careful', totalMinor: 20_000 });
      const of = await order({ buyer_external_id: 'careful' });
      await invoiceOf([of], { external_id: 'careful-part', ...gross(5_000) });
      expect(await facilityOf(world(), 'careful')).toMatchObject({ used: 5_000, pending: 6_900 });
      expect((await ledgerEntries(world(), { buyer: 'careful' })).at(-1)).toMatchObject({
        cause: 'ORDER_INVOICED',
        invoice_external_id: 'careful-part',
      });
      expect(await recordedEvents(world(), 'careful-part')).toMatchObject([
        { type: 'INVOICE.CREATED', data: { sequence: 1, status: 'OPEN', previous_status: null } },
      ]);
      const second = await invoiceOf([of], gross(6_900));
      expect(second.status).toBe(201);
      expect(await facilityOf(world(), 'careful')).toMatchObject({ used: 11_900, pending: 0 });
    });

    it('divides the agreed fee so that the parts sum to it', async () => {
      const of = await order(gross(100_003));
      const fees: Record<string, number>[] = [];
      for (const minor of [33_334, 1, 33_335, 33_333])
        fees.push((await invoiceOf([of], gross(minor))).body.term_fee);
      const sum = (name: 'net' | 'tax' | 'gross') =>
        fees.reduce((total, fee) => total + (fee[name] as number), 0);
      expect({ net: sum('net'), tax: sum('tax'), gross: sum('gross') }).toEqual(await termFeeOf(of));
    });

    it('takes the amount of the orders as they are listed, each up to what is left', async () => {
      const first = await order(gross(3_000));
      const second = await order(gross(3_000));
      const third = await order(gross(3_000));
      const { body } = await invoiceOf([second, first, third], gross(4_000));
      expect(body.order_external_ids).toEqual([second, first, third]);
      expect(
        await world().sql(
          'select order_external_id as "of", amount::int from invoice_orders where invoice_external_id = $1 order by position',
          [body.external_id],
        ),
      ).toEqual([
        { of: second, amount: 3_000 },
        { of: first, amount: 1_000 },
        { of: third, amount: 0 },
      ]);
      expect(body.credit_used).toBe(4_000);
    });

    it('has the instalments of a SPLIT order, in proportion, with the remainder and the fee in the first', async () => {
      const of = await order({ payment_term: 'SPLIT_3M', ...gross(10_000) });
      const { body } = await invoiceOf([of], gross(5_000));
      expect(
        body.installments.map((each: { amount: number; term_fee: number }) => each.amount - each.term_fee),
      ).toEqual([1_668, 1_666, 1_666]);
      expect(body.installments[0].term_fee).toBe(body.term_fee.gross);
      expect(body.due_at).toBe(body.installments[0].due_at);
      expect(body.outstanding_amount).toBe(5_000 + body.term_fee.gross);
    });

    it('uses no credit for an order that is paid in advance', async () => {
      const of = await order({ payment_term: 'PREPAYMENT', payment_method: 'CARD' });
      const { body } = await invoiceOf([of], gross(11_900));
      expect(body).toMatchObject({ credit_used: 0, payment_method: 'CARD', due_at: NOW });
    });

    it('needs no order: then it uses no credit', async () => {
      const { status, body } = await create(invoiceBody({ external_id: 'free' }));
      expect(status).toBe(201);
      expect(body).toMatchObject({ order_external_ids: [], credit_used: 0, due_at: 4_000_000_000 });
    });

    it('assigns the oldest contact for all invoices, the named one, or none', async () => {
      await world().post(
        '/v1/buyers',
        buyerBody({ external_id: 'known', delivery_address: { city: 'Bonn' } }),
      );
      for (const external_id of ['one', 'two', 'three'])
        await world().post('/v1/contacts', {
          external_id,
          buyer_external_id: 'known',
          assign_to_all_invoices: external_id !== 'one',
          email: `${external_id}@known.example`,
        });
      await world().sql(`update contacts set created_at = created_at - 1 where external_id = 'three'`);
      const made = async (more: object) =>
        (
          await create(
            invoiceBody({
              external_id: `c-${JSON.stringify(more).length}`,
              buyer_external_id: 'known',
              ...more,
            }),
          )
        ).body;
      expect((await made({})).contact).toMatchObject({ external_id: 'three', email: 'three@known.example' });
      expect((await made({ contact_external_id: 'one' })).contact.external_id).toBe('one');
      const none = await made({ contact_external_id: null, delivery_address: null });
      expect(none).toMatchObject({ contact: null, delivery_address: null });
      expect((await made({ external_id: 'delivered' })).delivery_address).toMatchObject({ city: 'Bonn' });
      await world().delete('/v1/contacts/three');
      expect((await world().get('/v1/invoices/delivered')).body.contact).toBeNull();
    });

    it('authorizes at the invoice where only invoices count', async () => {
      await addDebtor(world(), { buyer: 'counted', totalMinor: 10_000 });
      await setLimits(world(), { counts: 'INVOICES' }, 'counted');
      const of = await order({ buyer_external_id: 'counted', ...gross(9_000) });
      const other = await order({ buyer_external_id: 'counted', ...gross(9_000) });
      expect((await invoiceOf([of], gross(9_000))).status).toBe(201);
      const refused = await invoiceOf([other], gross(1_001));
      expect(refused.body).toMatchObject({
        reason: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
        details: { requested: 1_001, available: 1_000 },
      });
      expect((await invoiceOf([other], gross(1_000))).status).toBe(201);
    });

    it('creates many at once, each with its own outcome', async () => {
      const orders = await Promise.all(Array.from({ length: 12 }, () => order(gross(1_000))));
      const answers = await Promise.all([
        ...orders.map((of) => invoiceOf([of], gross(1_000))),
        ...orders.map((of) => invoiceOf([of], gross(1_000))),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(12).fill(201), ...Array(12).fill(422)]);
    });
  });
});
