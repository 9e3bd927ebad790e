import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;
const { create, order, invoiceOf, world } = useInvoicing();

let made = 0;
/** An invoice without orders; returns its external_id. */
async function invoice(more: object = {}): Promise<string> {
  const external_id = `plain-${++made}`;
  const { status } = await create(invoiceBody({ external_id, custom_data: { a: 1 }, ...more }));
  expect(status).toBe(201);
  return external_id;
}
const body = (more: object = {}) => ({
  buyer_external_id: 'buyer',
  invoiced_at: NOW,
  due_at: 4_000_000_000,
  amount: { net: 10_000, tax: 1_900, gross: 11_900 },
  payment_method: 'TRANSFER',
  ...more,
});
const put = (externalId: string, more: object, headers?: Record<string, string>) =>
  world().put(`/v1/invoices/${externalId}`, more, headers && { headers });
const makeDue = (externalId: string, dueOn: string) =>
  world().sql(`update invoices set status = 'DUE', falls_due_at = null, due_on = $2 where external_id = $1`, [
    externalId,
    dueOn,
  ]);

describe('PUT /v1/invoices/{external_id}', () => {
  describe('200', () => {
    it('replaces what may change, clears custom_data, and reports it', async () => {
      const id = await invoice();
      const { status, body: replaced } = await put(
        id,
        body({ due_at: NOW + 9 * DAY, payment_method: 'CARD', delivery_address: { city: 'Bonn' } }),
      );
      expect(status).toBe(200);
      expect(replaced).toMatchObject({
        due_at: NOW + 9 * DAY,
        agreed_due_at: 4_000_000_000,
        payment_method: 'CARD',
        delivery_address: { city: 'Bonn' },
        custom_data: null,
        installments: [{ due_at: NOW + 9 * DAY }],
      });
      expect((await recordedEvents(world(), id)).map(({ type }) => type)).toEqual([
        'INVOICE.CREATED',
        'INVOICE.UPDATED',
      ]);
      expect((await put(id, body({ due_at: NOW + 9 * DAY, delivery_address: null }))).body).toMatchObject({
        delivery_address: null,
      });
    });

    it('changes nothing when it is repeated, or gets back what was read', async () => {
      const id = await invoice();
      await world().post('/v1/contacts', {
        external_id: `contact-of-${id}`,
        buyer_external_id: 'buyer',
        email: 'a@b.example',
      });
      const changed = await put(id, body({ contact_external_id: `contact-of-${id}`, custom_data: { b: 2 } }));
      expect(changed.body.contact).toMatchObject({ email: 'a@b.example' });
      const read = (await world().get(`/v1/invoices/${id}?expand=services`)).body;
      const { services: _, ...stored } = read;
      expect((await put(id, read)).body).toEqual(stored);
      expect((await put(id, stored)).body).toEqual(stored);
      expect(await recordedEvents(world(), id)).toHaveLength(2);
      const unlinked = await put(id, { ...stored, contact_external_id: null, contact: stored.contact });
      expect(unlinked.body.contact).toBeNull();
    });

    it('opens a DUE invoice whose new day has not ended, and clears the arrears of the buyer', async () => {
      const id = await invoice({ due_at: NOW });
      await makeDue(id, '2025-11-19');
      await world().sql(
        `insert into overdue_invoices (platform_id, buyer_external_id, invoice_external_id, installment, due_at, currency,
          outstanding_amount)
        select platform_id, buyer_external_id, external_id, 1, due_at, currency, 100
        from invoices where external_id = $1`,
        [id],
      );
      const later = await put(id, body({ due_at: NOW + DAY }));
      expect(later.body).toMatchObject({ status: 'OPEN', days_past_due: null, due_at: NOW + DAY });
      expect(
        await world().sql('select 1 from overdue_invoices where invoice_external_id = $1', [id]),
      ).toEqual([]);
      const history = await world().get(`/v1/invoices/${id}/history`);
      expect(history.body.items).toMatchObject([
        { sequence: 2, from_status: 'DUE', to_status: 'OPEN', trigger: 'postpone', reason: null },
        { sequence: 1, from_status: null, to_status: 'OPEN', trigger: 'create' },
      ]);
    });

    it('leaves a DUE invoice DUE if its new day is over too', async () => {
      const id = await invoice({ due_at: NOW - 5 * DAY, invoiced_at: NOW - 20 * DAY });
      await makeDue(id, '2025-11-15');
      const answer = await put(id, body({ due_at: NOW - 2 * DAY, invoiced_at: NOW - 20 * DAY }));
      expect(answer.body).toMatchObject({ status: 'DUE', days_past_due: 2 });
    });
  });

  describe('409', () => {
    it.each([
      ['buyer_external_id', { buyer_external_id: 'stranger' }],
      ['amount', { amount: { net: 10_001, tax: 1_899, gross: 11_900 } }],
      ['amount.currency', { amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'GBP' } }],
      ['merchant_external_id', { merchant_external_id: 'other-merchant' }],
      ['order_external_ids', { order_external_ids: ['order-1'] }],
      ['invoice_number', { invoice_number: 'other' }],
    ])('for another %s', async (field, more) => {
      const { status, body: answer } = await put(await invoice(), body(more));
      expect([status, answer.reason, answer.details.field]).toEqual([
        409,
        'IMMUTABLE_FIELD',
        `body.${field}`,
      ]);
    });

    it('for another day than the instalments have', async () => {
      const { body: split } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], grossOf(9_000));
      const same = {
        invoiced_at: NOW,
        payment_method: 'TRANSFER',
        buyer_external_id: 'buyer',
        ...grossOf(9_000),
      };
      expect((await put(split.external_id, { ...same, due_at: split.due_at })).status).toBe(200);
      const later = await put(split.external_id, { ...same, due_at: split.due_at + DAY });
      expect(later.body).toMatchObject({ reason: 'IMMUTABLE_FIELD', details: { field: 'body.due_at' } });
    });

    it('while a service is active', async () => {
      const id = await invoice();
      await world().sql('update invoices set active_services = 1 where external_id = $1', [id]);
      const { status, body: answer } = await put(id, body());
      expect([status, answer.reason]).toEqual([409, 'INVOICE_HAS_ACTIVE_SERVICE']);
    });

    it('for a new due day of a settled invoice', async () => {
      const id = await invoice();
      await world().sql(
        `update invoices set status = 'CANCELLED', falls_due_at = null, dunning_at = null where external_id = $1`,
        [id],
      );
      const { body: answer } = await put(id, body({ due_at: NOW + DAY }));
      expect(answer.reason).toBe('INVALID_STATUS_TRANSITION');
    });
  });

  it('412 for another version', async () => {
    expect((await put(await invoice(), body(), { 'if-match': '"7"' })).status).toBe(412);
  });

  it('422 for a contact of another buyer, a date before the order, and a debit without a mandate', async () => {
    await world().post('/v1/contacts', { external_id: 'foreign', buyer_external_id: 'stranger' });
    const id = await invoice();
    const contact = await put(id, body({ contact_external_id: 'foreign' }));
    expect([contact.status, contact.body.reason]).toEqual([422, 'CONTACT_OF_OTHER_BUYER']);
    const debit = await put(id, body({ payment_method: 'DEBIT' }));
    expect(debit.body.reason).toBe('NO_ACTIVE_MANDATE');
    const { body: ofOrder } = await invoiceOf([await order()], grossOf(100));
    const early = await put(
      ofOrder.external_id,
      body({ ...grossOf(100), invoiced_at: NOW - DAY, due_at: ofOrder.due_at }),
    );
    expect(early.body.reason).toBe('ORDER_NOT_INVOICEABLE');
  });

  it('400 for a missing field, a due day before its date, and a read-only field with another value', async () => {
    const id = await invoice();
    const { amount: _, ...without } = body();
    expect((await put(id, without)).body.issues[0]).toMatchObject({ code: 'REQUIRED', path: 'body.amount' });
    expect((await put(id, body({ due_at: NOW - DAY }))).body.issues[0].path).toBe('body.due_at');
    expect((await put(id, body({ paid_amount: 5 }))).body.issues[0].path).toBe('body.paid_amount');
  });

  it('404 for an unknown invoice, and for one of another merchant', async () => {
    expect((await put('nothing', body())).status).toBe(404);
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await world().put(`/v1/invoices/${await invoice()}`, body(), { key })).status).toBe(404);
  });
});
