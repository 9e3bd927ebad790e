import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { addDebtor } from '#test/credit';
import { facilityOf, ledgerOf } from '#test/facilities';
import {
  addFinanceableInvoice,
  addFinancedParties,
  addInvoiceFile,
  addVerifiedAccount,
  DAY,
  FINANCING_STARTS,
  requestFinancing,
} from '#test/financing';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

/** 4,000 and 220 for each of 30 days, in millionths of 119.00; 19 % on it. */
const FEE = { net: 126, tax: 24, gross: 150, currency: 'EUR', tax_category: 'S', tax_basis_points: 1_900 };
const codesOf = (body: { requirements: { code: string }[] }) => body.requirements.map(({ code }) => code);

describe('POST /v1/invoices/{external_id}/services/{service_type}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(FINANCING_STARTS);
    await addFinancedParties(world);
  });
  afterAll(async () => {
    expect(await auditBooks(world)).toEqual([]);
    await world.close();
  });
  const setClock = (now: number) => world.post('/v1/sandbox/clock', { now });
  const advance = async () => {
    const { body } = await world.get('/v1/sandbox/clock');
    expect((await setClock(body.now + 1)).status).toBe(200);
  };
  const financingOf = async (invoice: string) =>
    (await world.get(`/v1/invoices/${invoice}/services/FINANCING`)).body;

  describe('201', () => {
    it('accepts what meets everything: the credit, the books, the line of the payout and the invoice', async () => {
      await addFinanceableInvoice(world, { external_id: 'good' });
      const before = (await facilityOf(world, 'buyer')).used_amount;
      const reply = await requestFinancing(world, 'good');
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({
        invoice_external_id: 'good',
        service_type: 'FINANCING',
        status: 'ACCEPTED',
        requirements: [],
        base_amount: 11_900,
        fee: FEE,
        set_off_amount: 0,
        advance: { value: 11_750, currency: 'EUR' },
        accepted_at: FINANCING_STARTS,
        paid_out_at: null,
      });
      expect((await facilityOf(world, 'buyer')).used_amount - before).toBe(11_900);
      expect((await ledgerOf(world, 'buyer')).at(-1)).toMatch(/^INVOICE_FINANCED used \+11900/);
      expect(await balancesOf(world, { invoice: 'good' })).toEqual([
        'buyer_receivable buyer: 11900',
        'fee_income: -126',
        'fee_tax S: -24',
        'payout_clearing: -11750',
      ]);
      const { body: invoice } = await world.get('/v1/invoices/good?expand=services');
      expect(invoice.services).toEqual([reply.body]);
      expect(invoice.credit_note_summary.financing_status).toBe('ACCEPTED');
      const lines = await world.sql('select kind, amount, service_external_id from payout_lines');
      expect(lines).toEqual([
        { kind: 'ADVANCE', amount: '11750', service_external_id: reply.body.external_id },
      ]);
    });

    it('takes no further credit for an invoice of an order', async () => {
      const order = draftOrderBody({
        ...{ external_id: 'order', payment_method: 'TRANSFER', payment_term: 'DEFER_30D' },
      });
      expect((await world.post('/v1/orders', order)).status).toBe(201);
      await addFinanceableInvoice(world, {
        ...{ external_id: 'ordered', order_external_ids: ['order'] },
        ...{ due_at: undefined, payment_method: undefined },
      });
      const before = (await facilityOf(world, 'buyer')).used_amount;
      expect((await requestFinancing(world, 'ordered')).body).toMatchObject({ status: 'ACCEPTED' });
      expect((await facilityOf(world, 'buyer')).used_amount).toBe(before);
    });

    it('deducts what the merchant owes, and pays nothing below zero', async () => {
      await addFinancedParties(world, { merchant: 'debtor', buyer: 'its-buyer' });
      const invoiceOf = (external_id: string) =>
        addFinanceableInvoice(world, {
          ...{ external_id, merchant_external_id: 'debtor', buyer_external_id: 'its-buyer' },
        });
      for (const id of ['owing', 'first-after', 'second-after']) await invoiceOf(id);
      await requestFinancing(world, 'owing');
      await world.post('/v1/invoices/owing/payments', { amount: 11_900, received_by: 'MERCHANT' });
      expect((await requestFinancing(world, 'first-after')).body).toMatchObject({
        status: 'ACCEPTED',
        set_off_amount: 11_750,
        advance: { value: 0 },
      });
      expect((await requestFinancing(world, 'second-after')).body).toMatchObject({
        set_off_amount: 150,
        advance: { value: 11_600 },
      });
    });

    it('lists everything that is not met, and waits', async () => {
      await world.post('/v1/merchants', merchantBody({ external_id: 'no-account' }));
      await addDebtor(world, { buyer: 'small', totalMinor: 10_000 });
      const invoice = invoiceBody({
        ...{ external_id: 'waiting', merchant_external_id: 'no-account', buyer_external_id: 'small' },
        due_at: FINANCING_STARTS + 30 * DAY,
      });
      await world.post('/v1/invoices', invoice);
      await world.post('/v1/invoices/waiting/payments', { external_id: 'part', amount: 100 });
      const { body, status } = await requestFinancing(world, 'waiting');
      expect([status, body.status, codesOf(body)]).toEqual([
        201,
        'IN_REVIEW',
        [
          'INVOICE_INELIGIBLE',
          'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
          'NO_VERIFIED_PAYOUT_INSTRUCTION',
          'NO_INVOICE_FILE_FOUND',
        ],
      ]);
      expect(
        (await world.get('/v1/invoices/waiting/services/FINANCING/requirements')).body.requirements,
      ).toEqual(body.requirements);
    });

    it('is examined again when any of it changes, and accepted with the last', async () => {
      await addInvoiceFile(world, 'waiting');
      await advance();
      expect(codesOf(await financingOf('waiting'))).not.toContain('NO_INVOICE_FILE_FOUND');
      await addVerifiedAccount(world, 'no-account');
      await advance();
      expect(codesOf(await financingOf('waiting'))).toEqual([
        'INVOICE_INELIGIBLE',
        'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
      ]);
      await world.post('/v1/invoices/waiting/payments/part/reverse', { reason: 'It bounced.' });
      await advance();
      expect(codesOf(await financingOf('waiting'))).toEqual(['FACILITY_EXCEEDED_AVAILABLE_AMOUNT']);
      const raised = { buyer_external_id: 'small', trigger: 'increase', total_amount: 50_000 };
      expect((await world.post('/v1/sandbox/facilities', raised)).status).toBe(200);
      await advance();
      expect(await financingOf('waiting')).toMatchObject({ status: 'ACCEPTED', requirements: [] });
    });

    it('waits while the buyer disputes a part of the invoice', async () => {
      await addFinanceableInvoice(world, { external_id: 'contested' });
      const dispute = '/v1/invoices/contested/disputes';
      await world.post(dispute, { external_id: 'part', reason: 'DAMAGED', amount: 100 });
      const terms_accepted_at = (await world.get('/v1/sandbox/clock')).body.now;
      const { body } = await requestFinancing(world, 'contested', { terms_accepted_at });
      expect([body.status, codesOf(body)]).toEqual(['IN_REVIEW', ['INVOICE_INELIGIBLE']]);
      await world.post(`${dispute}/part/withdraw`);
      await advance();
      expect(await financingOf('contested')).toMatchObject({ status: 'ACCEPTED', requirements: [] });
    });

    it('rejects after 30 days what was never met', async () => {
      const { body: clock } = await world.get('/v1/sandbox/clock');
      const due_at = clock.now + 60 * DAY;
      await world.post('/v1/invoices', invoiceBody({ external_id: 'no-file', due_at }));
      expect((await requestFinancing(world, 'no-file', { terms_accepted_at: clock.now })).body.status).toBe(
        'IN_REVIEW',
      );
      await setClock(clock.now + 30 * DAY - 1);
      expect((await financingOf('no-file')).status).toBe('IN_REVIEW');
      await setClock(clock.now + 30 * DAY + 60);
      expect(await financingOf('no-file')).toMatchObject({
        status: 'REJECTED',
        requirements: [{ code: 'NO_INVOICE_FILE_FOUND' }],
      });
    });

    it.each<[string, object, string]>([
      [
        'a currency that is not financed',
        { amount: { net: 1, gross: 1, currency: 'GBP' } },
        'INVOICE_CURRENCY_NOT_SUPPORTED',
      ],
      ['a term that is too long', { due_at: 4_000_000_000 }, 'INVOICE_PAYMENT_TERM_EXCEEDED'],
    ])('rejects at once %s', async (name, more, code) => {
      await world.sql(`update platforms set collection_currencies = '{GBP}'`);
      const external_id = name.replaceAll(' ', '-');
      await world.post('/v1/invoices', invoiceBody({ external_id, ...more }));
      const { status, body } = await requestFinancing(world, external_id);
      expect([status, body.status]).toEqual([201, 'REJECTED']);
      expect(codesOf(body)).toContain(code);
    });

    it('rejects at once a merchant of a country without a tax, with the reason', async () => {
      const business_address = { city: 'Oslo', postcode: '0150', country: 'NO' };
      await world.post('/v1/merchants', merchantBody({ external_id: 'abroad', business_address }));
      await world.post(
        '/v1/invoices',
        invoiceBody({ external_id: 'abroad', merchant_external_id: 'abroad', due_at: 1_900_000_000 }),
      );
      const { body } = await requestFinancing(world, 'abroad');
      expect(body).toMatchObject({ status: 'REJECTED', fee: { gross: 0 } });
      expect(body.requirements).toContainEqual({
        code: 'MERCHANT_NOT_ENROLLED',
        description: 'The service is not offered to merchants of NO: no tax is set for its fee.',
      });
    });

    it('makes a further service after an inactive one', async () => {
      expect((await requestFinancing(world, 'no-file')).status).toBe(201);
      const { body } = await world.get('/v1/invoices/no-file/services');
      expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['REJECTED', 'IN_REVIEW']);
    });

    it.each(['INSURANCE', 'COLLECTION'])('leaves %s to operators', async (type) => {
      const reply = await world.post(`/v1/invoices/no-file/services/${type}`, {
        terms_accepted_at: FINANCING_STARTS,
      });
      expect(reply.body).toMatchObject({ service_type: type, status: 'IN_REVIEW', fee: { gross: 0 } });
    });
  });

  it('finds an unknown invoice nowhere, nor one of another merchant', async () => {
    expectProblem(await requestFinancing(world, 'nowhere'), 'NOT_FOUND');
    const key = await world.addKey({ merchantExternalId: 'other', scopes: ['read', 'invoices:write'] });
    const body = { terms_accepted_at: FINANCING_STARTS };
    expectProblem(await world.post('/v1/invoices/no-file/services/FINANCING', body, { key }), 'NOT_FOUND');
  });

  it('refuses a second request while one is active, terms of the future, and a type that does not exist', async () => {
    expectProblem(await requestFinancing(world, 'good'), 'CONFLICT', 'INVOICE_HAS_ACTIVE_SERVICE');
    expectProblem(await requestFinancing(world, 'good', { terms_accepted_at: 4_000_000_000 }), 'BAD_REQUEST');
    expectProblem(await world.post('/v1/invoices/good/services/LEASING', {}), 'BAD_REQUEST');
    const collection = { terms_accepted_at: FINANCING_STARTS, payout_at: 1_900_000_000 };
    expectProblem(await world.post('/v1/invoices/good/services/COLLECTION', collection), 'BAD_REQUEST');
  });

  it('refuses a payout that is too early', async () => {
    const { body: clock } = await world.get('/v1/sandbox/clock');
    expectProblem(
      await requestFinancing(world, 'no-file', { payout_at: clock.now }),
      'UNPROCESSABLE_ENTITY',
      'PAYOUT_DATE_TOO_EARLY',
    );
  });
});
