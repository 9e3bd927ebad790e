import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { notFoundNamed } from '#test/problem';
import { orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const EMAIL = 'Ordering.Desk@morgenrot.example';

describe('POST /v1/orders/draft', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      platform: { financing_currencies: ['EUR', 'JPY'], collection_currencies: ['PLN'] },
    });
    await world.post('/v1/buyers', buyerBody({ external_id: 'buyer' }));
    await world.post('/v1/merchants', merchantBody({ external_id: 'merchant' }));
    await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
  });
  afterAll(() => world.close());

  const draft = <T extends object>(more: T, key?: string) =>
    world.post('/v1/orders/draft', draftOrderBody(more), key === undefined ? {} : { key });

  describe('201', () => {
    it('answers with every documented field, null if empty', async () => {
      world.clock.set(1_800_000_000);
      const { status, body, headers } = await draft({ external_id: 'smallest' });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/orders/smallest');
      expect(headers.get('etag')).toBe('"1"');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({
        external_id: 'smallest',
        status: 'DRAFT',
        buyer_external_id: 'buyer',
        merchant_external_id: 'merchant',
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        ordered_at: 1_800_000_000,
        payment_method: null,
        payment_term: null,
        term: null,
        amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
        buyer: { legal_name: 'Café Morgenrot eG' },
        comment: null,
        delivery_address: null,
        custom_data: null,
        line_items: [],
        contact_email: null,
        cancellation_reason: null,
        is_closed_short: false,
        invoiced_amount: 0,
        reserved_amount: 0,
        purchase_order_number: null,
        invoice_email: null,
        billing_address: null,
        paid_at: null,
        payment_due: null,
        vouched_by: null,
        vouched_at: null,
        decision_id: null,
        expires_at: null,
      });
    });

    it('keeps everything that was sent, as GET shows it', async () => {
      const sent = {
        external_id: 'whole',
        comment: 'Deliver to the back door.\nRing twice.',
        custom_data: { z: 1, a: [true, null, { deep: ['ß', '豆', '🫘'] }], empty: {}, price: 10.25 },
        contact_email: EMAIL,
        line_items: [
          { name: 'Beans', category: 'Coffee', price: 2_500, quantity: 4, description: 'Washed' },
          { name: 'Beans', category: 'Coffee', price: 2_500, quantity: 4, description: 'Washed' },
          { name: 'Discount', category: 'Discount', price: -500, quantity: 1 },
        ],
      };
      const { status, body, text } = await draft(sent);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        comment: sent.comment,
        custom_data: sent.custom_data,
        contact_email: EMAIL,
      });
      // Free-form data is returned with its keys in the order in which they were sent.
      expect(text).toContain(JSON.stringify(sent.custom_data));
      // Two equal lines stay separate: each is later matched with an invoice on its own.
      expect(body.line_items).toEqual(
        sent.line_items.map((item) => ({ description: null, ...item, currency: 'EUR' })),
      );
      const read = await world.get('/v1/orders/whole');
      expect(read.text).toBe(text);
    });

    it('keeps 500 line items in their order', async () => {
      const prices = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 500);
      const line_items = prices.map((price) => ({ name: `#${price}`, category: 'Many', price, quantity: 1 }));
      const { status } = await draft({ external_id: 'many-lines', line_items });
      expect(status).toBe(201);
      const { body } = await world.get('/v1/orders/many-lines');
      expect(body.line_items.map((item: { price: number }) => item.price)).toEqual(prices);
    });

    it('takes lines that do not sum to the amount', async () => {
      const line_items = [{ name: 'Beans', category: 'Coffee', price: 1, quantity: 1 }];
      expect((await draft({ external_id: 'shipping-not-listed', line_items })).status).toBe(201);
    });

    it.each(['JPY', 'PLN', 'EUR'])(
      'takes %s, which the platform has enabled, for the amount and every line',
      async (currency) => {
        const { status, body } = await draft({
          external_id: `in-${currency}`,
          amount: { net: 1_000, tax: 100, gross: 1_100, currency },
          line_items: [
            { name: 'Without', category: 'Any', price: 1, quantity: 1 },
            { name: 'With', category: 'Any', price: 1, quantity: 1, currency },
          ],
        });
        expect(status).toBe(201);
        expect(body.amount).toEqual({ net: 1_000, tax: 100, gross: 1_100, currency });
        expect(body.line_items.map((item: { currency: string }) => item.currency)).toEqual([
          currency,
          currency,
        ]);
      },
    );

    it('records the transition and its actor', async () => {
      world.clock.set(1_800_000_100);
      await draft({ external_id: 'recorded' });
      const keyId = world.apiKey.split('_')[2];
      expect(await orderTransitions(world, 'recorded')).toEqual([
        {
          version: 1,
          from_status: null,
          to_status: 'DRAFT',
          trigger: 'create_draft',
          transitioned_at: 1_800_000_100,
          actor: `api_key:${keyId}`,
          reason: null,
          decision_id: null,
        },
      ]);
    });

    it('encrypts the contact e-mail: it is nowhere in clear in the database', async () => {
      await draft({ external_id: 'sealed', contact_email: EMAIL });
      const [row] = await world.sql<{ whole: string; sealed: Buffer }>(
        "select o::text as whole, contact_email_sealed as sealed from orders o where external_id = 'sealed'",
      );
      expect(row?.whole).not.toContain('morgenrot.example');
      expect(row?.sealed.toString('latin1')).not.toContain('morgenrot');
      expect((await world.get('/v1/orders/sealed')).body.contact_email).toBe(EMAIL);
    });

    it('records no event', async () => {
      await draft({ external_id: 'silent' });
      expect(await recordedEvents(world, 'silent')).toEqual([]);
    });

    it('has no second effect with the same Idempotency-Key', async () => {
      const send = () =>
        world.post('/v1/orders/draft', draftOrderBody({ external_id: 'once' }), {
          headers: { 'idempotency-key': 'draft-once' },
        });
      const first = await send();
      const again = await send();
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe('/v1/orders/once');
      expect(again.text).toBe(first.text);
    });
  });

  describe('400', () => {
    it('names every line whose currency is not the order’s, before it looks for the buyer', async () => {
      const item = { name: 'Beans', category: 'Coffee', price: 1, quantity: 1 };
      const { status, body } = await draft({
        external_id: 'mixed',
        buyer_external_id: 'nobody',
        line_items: [
          item,
          { ...item, currency: 'PLN' },
          { ...item, currency: 'EUR' },
          { ...item, currency: 'JPY' },
        ],
      });
      expect(status).toBe(400);
      expect(body.issues).toEqual([
        expect.objectContaining({ code: 'INVALID_VALUE', path: 'body.line_items.1.currency' }),
        expect.objectContaining({ code: 'INVALID_VALUE', path: 'body.line_items.3.currency' }),
      ]);
    });

    it('requires the merchant on a platform with several, together with every other issue', async () => {
      const { status, body } = await draft({
        external_id: 'no-merchant',
        merchant_external_id: undefined,
        line_items: [{ name: 'Beans', category: 'Coffee', price: 1, quantity: 1, currency: 'PLN' }],
      });
      expect(status).toBe(400);
      expect(body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([
        'REQUIRED body.merchant_external_id',
        'INVALID_VALUE body.line_items.0.currency',
      ]);
    });
  });

  describe('403', () => {
    it('refuses another merchant to a key restricted to one, whether that other exists or not', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      expect((await draft({ external_id: 'own' }, key)).status).toBe(201);
      for (const merchant_external_id of ['other-merchant', 'nobody']) {
        const { status, body } = await draft({ external_id: 'foreign', merchant_external_id }, key);
        expect(status).toBe(403);
        expect(body).toMatchObject({
          code: 'FORBIDDEN',
          reason: 'MERCHANT_NOT_ALLOWED',
          details: { merchant_external_id: 'merchant' },
        });
      }
      expect((await world.get('/v1/orders/foreign')).status).toBe(404);
    });

    it('refuses a key without the scope orders:write', async () => {
      const key = await world.addKey({ scopes: ['read', 'invoices:write', 'webhooks:write'] });
      const { status, body } = await draft({ external_id: 'unscoped' }, key);
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'orders:write' } });
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer, and for one of another platform', async () => {
      const other = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'theirs' }), { key: other.apiKey });
      for (const buyer_external_id of ['nobody', 'theirs']) {
        const { status, body } = await draft({ external_id: 'buyerless', buyer_external_id });
        expect(status).toBe(404);
        expect(body).toEqual(notFoundNamed('body.buyer_external_id', buyer_external_id));
      }
    });
  });

  describe('409', () => {
    it('refuses a taken external_id and does not change that order', async () => {
      const first = await draft({ external_id: 'taken' });
      const second = await draft({ external_id: 'taken', amount: { net: 1, gross: 1 } });
      expect(second.status).toBe(409);
      expect(second.body).toMatchObject({ code: 'CONFLICT', reason: 'EXTERNAL_ID_ALREADY_EXISTS' });
      expect((await world.get('/v1/orders/taken')).text).toBe(first.text);
      expect(await orderTransitions(world, 'taken')).toHaveLength(1);
    });

    it('does not, if another platform has an order with the same external_id', async () => {
      const { apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({}), { key: apiKey });
      await world.post('/v1/merchants', merchantBody({}), { key: apiKey });
      await draft({ external_id: 'shared-id' });
      expect((await draft({ external_id: 'shared-id' }, apiKey)).status).toBe(201);
    });
  });

  describe('422', () => {
    it('answers for a merchant that does not exist', async () => {
      const { status, body } = await draft({ external_id: 'm', merchant_external_id: 'nobody' });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'UNPROCESSABLE_ENTITY',
        reason: 'REFERENCED_ENTITY_NOT_FOUND',
        details: {
          field: 'body.merchant_external_id',
          value: 'nobody',
          remedy: expect.stringContaining('GET /v1/merchants'),
        },
      });
    });

    it('answers for a currency the platform has not enabled, and lists those it has', async () => {
      const amount = { net: 1, gross: 1, currency: 'USD' };
      const { status, body } = await draft({ external_id: 'in-dollars', amount });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'UNPROCESSABLE_ENTITY',
        reason: 'CURRENCY_NOT_ENABLED',
        details: { currency: 'USD', enabled: ['EUR', 'JPY', 'PLN'] },
      });
    });
  });
});
