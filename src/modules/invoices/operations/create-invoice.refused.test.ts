import { describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, invoiceBody } from '#test/bodies';
import { addDebtor, facilityOf, grantFacility } from '#test/credit';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const DAY = 86_400;

const { create, order, invoiceOf, world } = useInvoicing();

describe('POST /v1/invoices', () => {
  describe('400', () => {
    it.each<[string, object, object]>([
      ['a fraction', { amount: { net: 1.5, gross: 100 } }, { code: 'INVALID_TYPE', path: 'body.amount.net' }],
      [
        'a gross that is not net and tax',
        { amount: { net: 1, tax: 1, gross: 3 } },
        { code: 'AMOUNT_MISMATCH' },
      ],
      ['a date to come', { invoiced_at: NOW + 3_600 }, { code: 'IN_THE_FUTURE', path: 'body.invoiced_at' }],
      ['a due day before its date', { due_at: NOW - DAY }, { code: 'INVALID_VALUE', path: 'body.due_at' }],
      ['no due day', { due_at: null }, { code: 'REQUIRED', path: 'body.due_at' }],
      [
        'an order named twice',
        { order_external_ids: ['a', 'a'] },
        { code: 'INVALID_VALUE', path: 'body.order_external_ids.1' },
      ],
      [
        'more than 20 orders',
        { order_external_ids: Array.from({ length: 21 }, (_, index) => `order-${index}`) },
        { code: 'TOO_LONG', path: 'body.order_external_ids' },
      ],
      [
        'a line in another currency',
        { line_items: [{ name: 'a', category: 'b', price: 1, quantity: 1, currency: 'GBP' }] },
        { code: 'INVALID_VALUE', path: 'body.line_items.0.currency' },
      ],
    ])('for %s', async (_, more, issue) => {
      const { status, body } = await create(invoiceBody({ external_id: 'wrong', ...more }));
      expect(status).toBe(400);
      expect(body.issues).toEqual([expect.objectContaining(issue)]);
    });

    it('names everything that an invoice without orders lacks', async () => {
      const { body } = await create({ external_id: 'wrong', ...gross(1) });
      expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
        'body.buyer_external_id',
        'body.merchant_external_id',
        'body.due_at',
        'body.payment_method',
      ]);
    });

    it('for an amount written 1E5', async () => {
      const { status, body } = await world().send('POST', '/v1/invoices', {
        body: JSON.stringify(invoiceBody({})).replace('10000', '1E4'),
        headers: { 'content-type': 'application/json' },
      });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    });
  });

  it('409 for a taken external_id, of which nothing is taken again', async () => {
    const of = await order(gross(2_000));
    await invoiceOf([of], { external_id: 'taken', ...gross(1_000) });
    const before = await facilityOf(world(), 'buyer');
    const { status, body } = await invoiceOf([of], { external_id: 'taken', ...gross(1_000) });
    expect([status, body.reason]).toEqual([409, 'EXTERNAL_ID_ALREADY_EXISTS']);
    expect(await facilityOf(world(), 'buyer')).toEqual(before);
  });

  it('404 for an unknown buyer', async () => {
    const { status, body } = await create(invoiceBody({ external_id: 'wrong', buyer_external_id: 'nobody' }));
    expect([status, body.details.field]).toEqual([404, 'body.buyer_external_id']);
  });

  describe('403', () => {
    it('for another merchant than the one of the key, and its orders do not exist', async () => {
      const key = await world().addKey({ merchantExternalId: 'other-merchant' });
      const of = await order({});
      const named = await create(invoiceBody({ external_id: 'wrong' }), key);
      expect([named.status, named.body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
      const ofOrder = await create({ external_id: 'wrong', order_external_ids: [of], ...gross(1) }, key);
      expect(ofOrder.body).toMatchObject({
        reason: 'REFERENCED_ENTITY_NOT_FOUND',
        details: { field: 'body.order_external_ids.0' },
      });
      await create(invoiceBody({ external_id: 'free' }));
      expect((await world().get('/v1/invoices/free', { key })).status).toBe(404);
    });
  });

  describe('422', () => {
    const refusedWith = async (body: object) => {
      const { status, body: answer } = await create(body);
      expect(status).toBe(422);
      return answer;
    };
    const wrong = (orders: string[], more: object) => ({
      external_id: 'wrong',
      order_external_ids: orders,
      ...gross(100),
      ...more,
    });

    it('for an unknown order, merchant or contact', async () => {
      const missing = { reason: 'REFERENCED_ENTITY_NOT_FOUND' };
      expect(await refusedWith(wrong(['nothing'], {}))).toMatchObject(missing);
      const merchant = invoiceBody({ external_id: 'wrong', merchant_external_id: 'nobody' });
      expect(await refusedWith(merchant)).toMatchObject(missing);
      expect(
        await refusedWith(invoiceBody({ external_id: 'wrong', contact_external_id: 'nobody' })),
      ).toMatchObject({ ...missing, details: { field: 'body.contact_external_id' } });
    });

    it('for a contact of another buyer', async () => {
      await world().post('/v1/contacts', { external_id: 'of-stranger', buyer_external_id: 'stranger' });
      expect(
        await refusedWith(invoiceBody({ external_id: 'wrong', contact_external_id: 'of-stranger' })),
      ).toMatchObject({ reason: 'CONTACT_OF_OTHER_BUYER', details: { contact_external_id: 'of-stranger' } });
    });

    it('for orders of two buyers, merchants or currencies, with the order named', async () => {
      await addDebtor(world(), { buyer: 'second', totalMinor: 100_000 });
      await world().post('/v1/buyers', buyerBody({ external_id: 'british' }));
      await grantFacility(world(), { buyer: 'british', totalMinor: 100_000, currency: 'GBP' });
      const first = await order({});
      const mismatch = async (other: string, field: string, more: object = {}) =>
        expect(await refusedWith(wrong([first, other], more))).toMatchObject({
          reason: 'ORDER_MISMATCH',
          details: { field, order_external_id: other },
        });
      await mismatch(await order({ buyer_external_id: 'second' }), 'buyer_external_id');
      await mismatch(await order({ merchant_external_id: 'other-merchant' }), 'merchant_external_id');
      await mismatch(await order({ payment_term: 'DEFER_60D' }), 'due_at');
      await mismatch(await order({ payment_term: 'SPLIT_3M' }), 'installments');
      await mismatch(await order({ payment_term: 'PREPAYMENT', payment_method: 'CARD' }), 'payment_method', {
        due_at: NOW + 30 * DAY,
      });
      const pounds = { amount: { net: 100, gross: 100, currency: 'GBP' } };
      expect(await refusedWith(wrong([first], pounds))).toMatchObject({
        reason: 'ORDER_MISMATCH',
        details: { field: 'amount.currency' },
      });
      expect(await refusedWith(wrong([first], { buyer_external_id: 'second' }))).toMatchObject({
        details: { field: 'buyer_external_id' },
      });
    });

    it('for more than the orders have left', async () => {
      const of = await order(gross(1_000));
      await invoiceOf([of], gross(400));
      expect(await refusedWith(wrong([of], gross(601)))).toMatchObject({
        reason: 'ORDER_AMOUNT_EXCEEDED',
        details: { requested: 601, available: 600, order_external_ids: [of] },
      });
    });

    it('for an order that cannot be invoiced', async () => {
      const of = await order({});
      await world().post(`/v1/orders/${of}/cancel`, {});
      expect(await refusedWith(wrong([of], {}))).toMatchObject({
        reason: 'ORDER_NOT_INVOICEABLE',
        details: { order_external_id: of, status: 'CANCELLED' },
      });
      await world().post('/v1/orders/draft', draftOrderBody({ external_id: 'drafted' }));
      expect(await refusedWith(wrong(['drafted'], {}))).toMatchObject({ details: { status: 'DRAFT' } });
      const short = await order({});
      await invoiceOf([short], gross(100));
      await world().post(`/v1/orders/${short}/close`);
      expect(await refusedWith(wrong([short], {}))).toMatchObject({ details: { is_closed_short: true } });
    });

    it('for an invoice dated before its order', async () => {
      const of = await order({});
      expect(await refusedWith(wrong([of], { invoiced_at: NOW - DAY }))).toMatchObject({
        reason: 'ORDER_NOT_INVOICEABLE',
        details: { ordered_at: NOW, invoiced_at: NOW - DAY },
      });
    });

    it('for another first day than the instalments have', async () => {
      const of = await order({ payment_term: 'SPLIT_3M' });
      expect(await refusedWith(wrong([of], { due_at: NOW + 5 * DAY }))).toMatchObject({
        reason: 'ORDER_MISMATCH',
        details: { field: 'due_at' },
      });
    });

    it('for an invited buyer, a merchant that may not sell, and a currency that is not enabled', async () => {
      await world().post('/v1/buyers', { external_id: 'invited', contact_email: 'a@b.example' });
      expect(
        await refusedWith(invoiceBody({ external_id: 'wrong', buyer_external_id: 'invited' })),
      ).toMatchObject({ reason: 'BUYER_INCOMPLETE' });
      await world().sql(`update merchants set status = 'INACTIVE' where external_id = 'other-merchant'`);
      expect(
        await refusedWith(invoiceBody({ external_id: 'wrong', merchant_external_id: 'other-merchant' })),
      ).toMatchObject({ reason: 'MERCHANT_NOT_ENROLLED' });
      const yen = { amount: { net: 1, gross: 1, currency: 'JPY' } };
      expect(await refusedWith(invoiceBody({ external_id: 'wrong', ...yen }))).toMatchObject({
        reason: 'CURRENCY_NOT_ENABLED',
      });
    });

    it('and nothing of a refused invoice is stored', async () => {
      expect(await world().sql(`select * from invoices where external_id = 'wrong'`)).toEqual([]);
    });
  });
});
