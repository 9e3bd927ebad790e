import { describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { invoiceBody } from '#test/bodies';
import { facilityOf } from '#test/facilities';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;

const { create, order, invoiceOf, termFeeOf, world } = useInvoicing();

const pay = (invoice: string, body: object) => world().post(`/v1/invoices/${invoice}/payments`, body);
const read = async (invoice: string) => (await world().get(`/v1/invoices/${invoice}`)).body;

/** An invoice over 119.00 of an order on credit; what it claims with its fee. */
async function invoiced(more: object = {}) {
  const of = await order({});
  const { body } = await invoiceOf([of], { ...gross(11_900), ...more });
  const fee = await termFeeOf(of);
  return { id: body.external_id as string, of, fee, claim: 11_900 + fee.gross };
}

/** An invoice without an order, due on the day of `now`. */
async function plain(externalId: string, more: object = {}) {
  const { status } = await create(invoiceBody({ external_id: externalId, due_at: NOW, ...more }));
  expect(status).toBe(201);
  return externalId;
}

describe('POST /v1/invoices/{external_id}/payments', () => {
  describe('201', () => {
    it('answers the payment with what it settles, and frees the credit of the goods', async () => {
      const before = (await facilityOf(world(), 'buyer')).used_amount;
      const { id, fee, claim } = await invoiced();
      const { status, body } = await pay(id, {
        external_id: 'first',
        amount: 5_000,
        received_by: 'PLATFORM',
        reference: 'R-1',
        paid_at: NOW - DAY,
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        external_id: 'first',
        invoice_external_id: id,
        order_external_id: null,
        buyer_external_id: 'buyer',
        merchant_external_id: 'merchant',
        created_at: NOW,
        updated_at: NOW,
        paid_at: NOW - DAY,
        received_by: 'PLATFORM',
        amount: 5_000,
        currency: 'EUR',
        allocated_amount: 5_000,
        unapplied_amount: 0,
        reference: 'R-1',
        allocations: [{ invoice_external_id: id, installment: 1, amount: 5_000, term_fee: fee.gross }],
        late_charge_allocations: [],
        reversed_at: null,
        reversal_reason: null,
      });
      expect(fee.gross).toBeGreaterThan(0);
      const goods = 5_000 - fee.gross;
      expect(await read(id)).toMatchObject({
        status: 'OPEN',
        paid_amount: 5_000,
        outstanding_amount: claim - 5_000,
        credit_used: 11_900 - goods,
        paid_at: null,
      });
      expect((await facilityOf(world(), 'buyer')).used_amount - before).toBe(11_900 - goods);
      expect(await balancesOf(world(), { invoice: id })).toEqual([
        'bank main: 5000',
        ...(fee.tax === 0 ? [] : [`fee_tax S: ${-fee.tax}`]),
        `merchant_payable merchant: ${-goods}`,
        `term_fee_income: ${-fee.net}`,
      ]);
    });

    it('closes the invoice and its order with the last cent', async () => {
      const { id, of, claim } = await invoiced();
      await pay(id, { amount: claim - 1 });
      expect((await read(id)).status).toBe('OPEN');
      await pay(id, { amount: 1, paid_at: NOW - 5 });
      expect(await read(id)).toMatchObject({
        status: 'CLOSED',
        paid_at: NOW,
        outstanding_amount: 0,
        credit_used: 0,
      });
      expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CLOSED');
      const events = (await recordedEvents(world(), id)).map(({ type }) => type);
      expect(events).toEqual(['INVOICE.CREATED', 'INVOICE.CLOSED']);
      expect(
        await world().sql(
          'select due_on::text, paid_on::text, amount::int from paid_invoices where invoice_external_id = $1',
          [id],
        ),
      ).toEqual([{ due_on: '2025-12-20', paid_on: '2025-11-20', amount: claim }]);
    });

    it('leaves the order open while other parts of it are not invoiced or paid', async () => {
      const of = await order({});
      const { body } = await invoiceOf([of], gross(5_000));
      await world().post(`/v1/invoices/${body.external_id}/paid`);
      expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CONFIRMED');
      const { body: rest } = await invoiceOf([of], gross(6_900));
      await world().post(`/v1/invoices/${rest.external_id}/paid`);
      expect((await world().get(`/v1/orders/${of}`)).body.status).toBe('CLOSED');
    });

    it('settles the earliest instalment first, and the invoice is due when the next one is', async () => {
      const of = await order({ payment_term: 'SPLIT_3M', amount: gross(30_000).amount });
      const { body: made } = await invoiceOf([of], gross(30_000));
      const [first, second] = made.installments;
      await pay(made.external_id, { amount: first.amount + 1 });
      const { installments, due_at, agreed_due_at } = await read(made.external_id);
      expect(installments.map((each: { paid_amount: number }) => each.paid_amount)).toEqual([
        first.amount,
        1,
        0,
      ]);
      expect([due_at, agreed_due_at]).toEqual([second.due_at, first.due_at]);
    });

    it('keeps what is beyond the claim as the money of the buyer', async () => {
      const id = await plain('overpaid');
      const { body } = await pay(id, { amount: 12_000, received_by: 'PLATFORM' });
      expect(body).toMatchObject({ allocated_amount: 11_900, unapplied_amount: 100 });
      const again = await pay(id, { amount: 50, received_by: 'PLATFORM' });
      expect(again.body).toMatchObject({ allocated_amount: 0, unapplied_amount: 50, allocations: [] });
      expect(await balancesOf(world(), { invoice: id })).toEqual([
        'bank main: 12050',
        'merchant_payable merchant: -11900',
        'unapplied_cash buyer: -150',
      ]);
    });

    it('posts nothing for money of an unfinanced invoice that the merchant received', async () => {
      const id = await plain('to-merchant');
      expect((await pay(id, { amount: 11_900 })).body.received_by).toBe('MERCHANT');
      expect(await balancesOf(world(), { invoice: id })).toEqual([]);
    });

    it.each([
      ['PLATFORM', ['bank main: 5000', 'buyer_receivable buyer: -5000']],
      ['MERCHANT', ['buyer_receivable buyer: -5000', 'merchant_setoff merchant: 5000']],
    ])(
      'settles the claim of the platform if the invoice is financed and %s is paid',
      async (receiver, lines) => {
        const id = await plain(`financed-${receiver.toLowerCase()}`);
        await world().sql('update invoices set is_financed = true where external_id = $1', [id]);
        await pay(id, { amount: 5_000, received_by: receiver });
        expect(await balancesOf(world(), { invoice: id })).toEqual(lines);
      },
    );
  });

  describe('400', () => {
    it.each([
      [{ amount: 0 }, 'body.amount'],
      [{ amount: -1 }, 'body.amount'],
      [{ amount: 1.5 }, 'body.amount'],
      [{ amount: '100' }, 'body.amount'],
      [{ amount: 1, paid_at: NOW + 400 * DAY }, 'body.paid_at'],
      [{ amount: 1, received_by: 'BANK' }, 'body.received_by'],
      [{}, 'body.amount'],
    ])('%j', async (body, path) => {
      const id = await plain(`bad-${JSON.stringify(body).replaceAll(/\W/g, '')}`);
      const { status, body: problem } = await pay(id, body);
      expect([status, problem.issues[0].path]).toEqual([400, path]);
      expect((await read(id)).paid_amount).toBe(0);
    });
  });

  it('takes a payment on an invoice that is due at the end of time', async () => {
    const id = await plain('never-due', { due_at: 253_402_300_799 });
    expect((await read(id)).due_at).toBe(253_402_300_799);
    expect((await pay(id, { amount: 11_900 })).status).toBe(201);
  });

  it('404: an unknown invoice', async () => {
    expect((await pay('unknown', { amount: 1 })).status).toBe(404);
  });

  it('403 MERCHANT_NOT_ALLOWED: a key of one merchant says nothing of the platform’s bank account', async () => {
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    const id = await plain('of-the-merchant');
    const received = { amount: 100, received_by: 'PLATFORM', external_id: 'at-the-platform' };
    await pay(id, received);
    const path = `/v1/invoices/${id}`;
    const refused = [
      await world().post(`${path}/payments`, { amount: 100, received_by: 'PLATFORM' }, { key }),
      await world().post(`${path}/paid`, { received_by: 'PLATFORM' }, { key }),
      await world().post(`${path}/payments/at-the-platform/reverse`, { reason: 'Mine.' }, { key }),
    ];
    expect(refused.map(({ status, body }) => [status, body.reason])).toEqual(
      Array(3).fill([403, 'MERCHANT_NOT_ALLOWED']),
    );
    expect((await world().post(`${path}/payments`, { amount: 100 }, { key })).status).toBe(201);
    expect((await read(id)).paid_amount).toBe(200);
  });

  describe('409', () => {
    it('EXTERNAL_ID_ALREADY_EXISTS: also if nothing is owed any more', async () => {
      const id = await plain('sent-again');
      const payment = { amount: 11_900, external_id: 'whole-at-once' };
      expect((await pay(id, payment)).status).toBe(201);
      expect((await pay(id, payment)).body.reason).toBe('EXTERNAL_ID_ALREADY_EXISTS');
      await world().post(`/v1/invoices/${id}/refund`);
      expect((await pay(id, payment)).body.reason).toBe('EXTERNAL_ID_ALREADY_EXISTS');
    });

    it('EXTERNAL_ID_ALREADY_EXISTS: a payment counts once', async () => {
      const id = await plain('once');
      await pay(id, { amount: 100, external_id: 'twice' });
      const { status, body } = await pay(id, { amount: 100, external_id: 'twice' });
      expect([status, body.reason]).toEqual([409, 'EXTERNAL_ID_ALREADY_EXISTS']);
      expect((await read(id)).paid_amount).toBe(100);
    });

    it('INVALID_STATUS_TRANSITION: a cancelled invoice', async () => {
      const id = await plain('cancelled');
      await world().post(`/v1/invoices/${id}/refund`);
      const { status, body } = await pay(id, { amount: 100, received_by: 'PLATFORM' });
      expect([status, body.reason, body.details.allowed]).toEqual([409, 'INVALID_STATUS_TRANSITION', []]);
    });
  });

  describe('422', () => {
    it('PAYMENT_EXCEEDS_OUTSTANDING: more than the merchant can get', async () => {
      const id = await plain('exceeded');
      await pay(id, { amount: 900 });
      const { status, body } = await pay(id, { amount: 11_001 });
      expect([status, body.reason]).toEqual([422, 'PAYMENT_EXCEEDS_OUTSTANDING']);
      expect(body.details).toMatchObject({ requested: 11_001, outstanding: 11_000, currency: 'EUR' });
    });
  });

  it('lets only one of two payments have the last cent', async () => {
    const id = await plain('raced');
    await pay(id, { amount: 11_899 });
    const answers = await Promise.all([pay(id, { amount: 1 }), pay(id, { amount: 1 })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await read(id)).status).toBe('CLOSED');
  });
});
