/** Every field of an invoice and of its credit note summary, as the service description lists them, in every response that has one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { grantFacility } from '#test/credit';
import { creditNoteBody } from '#test/credit-notes';
import { createWorld, type World } from '#test/world';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;
const ADDRESS = {
  street: 'Lager',
  house: '2',
  additional: null,
  postcode: '10436',
  city: 'Berlin',
  country: 'DE',
};
const LINE = { name: 'Beans', category: 'Coffee', price: 2_500, quantity: 4 };

/** service.md §2, Invoice. */
const INVOICE = {
  external_id: 'invoice',
  buyer_external_id: 'buyer',
  merchant_external_id: 'merchant',
  created_at: NOW,
  updated_at: NOW,
  invoiced_at: NOW - DAY,
  due_at: NOW + 20 * DAY,
  status: 'OPEN',
  days_past_due: null,
  payment_method: 'TRANSFER',
  invoice_number: 'R-1',
  amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
  contact: expect.objectContaining({ external_id: 'bookkeeper', buyer_external_id: 'buyer' }),
  paid_at: null,
  buyer: { legal_name: 'Café Morgenrot eG' },
  order_external_ids: ['order'],
  line_items: [{ ...LINE, currency: 'EUR', description: null }],
  billing_address: expect.objectContaining({ postcode: '10435', city: 'Berlin', country: 'DE' }),
  delivery_address: ADDRESS,
  custom_data: { cost_center: 7 },
  // Credit note summary.
  credit_note_summary: {
    count: 0,
    amount: { net: 0, tax: 0, gross: 0, currency: 'EUR' },
    original_invoice_amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
    has_active_mandate: false,
    financing_status: null,
  },
};

describe('the fields of an invoice', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(NOW - DAY);
    await world.post('/v1/merchants', merchantBody({}));
    await world.post('/v1/buyers', buyerBody({ external_id: 'buyer', delivery_address: ADDRESS }));
    await grantFacility(world, { buyer: 'buyer', totalMinor: 100_000 });
    await world.post('/v1/contacts', {
      ...{ external_id: 'bookkeeper', buyer_external_id: 'buyer', email: 'anna@cafe.example' },
      assign_to_all_invoices: true,
    });
    const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_14D' };
    await world.post('/v1/orders', draftOrderBody({ external_id: 'order', ...term }));
    world.clock.set(NOW);
  });
  afterAll(() => world.close());

  const read = async (query = '') => (await world.get(`/v1/invoices/invoice${query}`)).body;
  const CHANGE = {
    ...{ buyer_external_id: 'buyer', amount: INVOICE.amount, payment_method: 'TRANSFER' },
    ...{ invoiced_at: INVOICE.invoiced_at, due_at: INVOICE.due_at, delivery_address: ADDRESS },
    custom_data: INVOICE.custom_data,
  };

  it('are those of the description, on the answers of POST, GET, PUT and the list', async () => {
    const created = await world.post('/v1/invoices', {
      ...{ external_id: 'invoice', order_external_ids: ['order'], amount: INVOICE.amount },
      ...{ invoiced_at: NOW - DAY, due_at: INVOICE.due_at, invoice_number: 'R-1', line_items: [LINE] },
      custom_data: INVOICE.custom_data,
    });
    expect(created.body).toMatchObject(INVOICE);
    expect(await read()).toEqual(created.body);
    expect((await world.get('/v1/invoices')).body.items).toEqual([created.body]);
    const { updated_at: _, ...stored } = created.body;
    const replaced = await world.put('/v1/invoices/invoice', CHANGE);
    expect(replaced.body).toMatchObject(stored);
    expect(Object.keys(replaced.body).sort()).toEqual(Object.keys(created.body).sort());
  });

  it('are without services unless these are expanded, and are the same otherwise', async () => {
    const plain = await read();
    expect(plain).not.toHaveProperty('services');
    expect(await read('?expand=services')).toEqual({ ...plain, services: [] });
    const lists = await Promise.all([
      world.get('/v1/invoices?external_id=invoice'),
      world.get('/v1/invoices?external_id=invoice&expand=services'),
    ]);
    expect(lists.map(({ body }) => 'services' in body.items[0])).toEqual([false, true]);
  });

  it('have days_past_due only while the status is DUE, and paid_at only while it is CLOSED', async () => {
    const shown = async () => {
      const { status, days_past_due, paid_at } = await read();
      return { status, days_past_due, paid_at };
    };
    await world.post('/v1/sandbox/clock', { now: NOW + 23 * DAY });
    expect(await shown()).toEqual({ status: 'DUE', days_past_due: 3, paid_at: null });
    const payment = { external_id: 'payment', amount: 11_900, paid_at: NOW + 22 * DAY };
    const { installments } = await read();
    const amount = installments[0].outstanding_amount;
    await world.post('/v1/invoices/invoice/payments', { ...payment, amount });
    expect(await shown()).toEqual({ status: 'CLOSED', days_past_due: null, paid_at: NOW + 22 * DAY });
    await world.post('/v1/invoices/invoice/payments/payment/reverse', { reason: 'It bounced' });
    expect(await shown()).toEqual({ status: 'DUE', days_past_due: 3, paid_at: null });
  });

  it('sum up the credit notes, and say whether the buyer can be debited and how a financing stands', async () => {
    const summary = async () => (await read()).credit_note_summary;
    await world.post(
      '/v1/credit_notes',
      creditNoteBody({ invoice_external_id: 'invoice', amount: { net: 1_000, tax: 190, gross: 1_190 } }),
    );
    await world.post('/v1/buyers/buyer/mandates', { iban: 'DE89370400440532013000' });
    // As the module of services writes it.
    await world.sql(`update invoices set financing_status = 'IN_REVIEW'`);
    expect(await summary()).toEqual({
      count: 1,
      amount: { net: 1_000, tax: 190, gross: 1_190, currency: 'EUR' },
      original_invoice_amount: INVOICE.amount,
      has_active_mandate: true,
      financing_status: 'IN_REVIEW',
    });
  });
});
