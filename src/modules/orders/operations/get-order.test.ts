import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/orders/{external_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ custom_data: { segment: 'gastronomy' } }));
    await world.post('/v1/merchants', merchantBody({}));
    await world.post('/v1/orders/draft', draftOrderBody({ contact_email: 'desk@morgenrot.example' }));
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has every documented field', async () => {
      const { status, body, headers } = await world.get('/v1/orders/order');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        external_id: 'order',
        status: 'DRAFT',
        buyer_external_id: 'buyer',
        merchant_external_id: 'merchant',
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        ordered_at: expect.any(Number),
        payment_method: null,
        payment_term: null,
        term: null,
        amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
        buyer: { legal_name: 'Café Morgenrot eG' },
        comment: null,
        delivery_address: null,
        custom_data: null,
        line_items: [],
        contact_email: 'desk@morgenrot.example',
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

    it.each(['expand=buyer', 'expand=buyer&expand=buyer', 'expand=buyer,buyer'])(
      'shows the whole buyer with %s, without contacts',
      async (query) => {
        const { status, body } = await world.get(`/v1/orders/order?${query}`);
        expect(status).toBe(200);
        const { body: buyer } = await world.get('/v1/buyers/buyer');
        expect(body.buyer).toEqual(buyer);
        expect(body.buyer).not.toHaveProperty('contacts');
      },
    );

    it('shows the name the buyer has now', async () => {
      await world.post('/v1/buyers', buyerBody({ external_id: 'renamed' }));
      await world.post(
        '/v1/orders/draft',
        draftOrderBody({ external_id: 'o2', buyer_external_id: 'renamed' }),
      );
      const { external_id: _, ...replacement } = buyerBody({
        legal_name: 'Abendrot eG',
        business_identifiers: [],
      });
      await world.put('/v1/buyers/renamed', replacement);
      expect((await world.get('/v1/orders/o2')).body.buyer).toEqual({ legal_name: 'Abendrot eG' });
    });

    it('finds an order that is called as the path of drafts', async () => {
      await world.post('/v1/orders/draft', draftOrderBody({ external_id: 'draft' }));
      expect((await world.get('/v1/orders/draft')).body.external_id).toBe('draft');
    });

    it('is read by a key restricted to its merchant', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      expect((await world.get('/v1/orders/order', { key })).status).toBe(200);
    });
  });

  describe('400', () => {
    it.each([
      ['an unknown expansion', 'order?expand=contacts', 'INVALID_ENUM query.expand'],
      ['an empty expansion', 'order?expand=', 'INVALID_ENUM query.expand'],
      ['an unknown parameter', 'order?fields=status', 'UNRECOGNIZED_KEYS query.fields'],
      ['a malformed external_id', 'a.b', 'INVALID_FORMAT params.external_id'],
      ['an external_id of 101 characters', 'x'.repeat(101), 'TOO_LONG params.external_id'],
    ])('refuses %s', async (_, path, issue) => {
      const { status, body } = await world.get(`/v1/orders/${path}`);
      expect(status).toBe(400);
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
    });
  });

  describe('403', () => {
    it('refuses a key without the scope read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/orders/order', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });

  describe('404', () => {
    it('answers alike for an unknown order, one of another platform, and one of a merchant that is not the key’s', async () => {
      const other = await world.addPlatform();
      await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
      const restricted = await world.addKey({ merchantExternalId: 'other-merchant' });
      const unknown = await world.get('/v1/orders/nothing');
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(NOT_FOUND);
      for (const key of [other.apiKey, restricted]) {
        const { status, text } = await world.get('/v1/orders/order?expand=buyer', { key });
        expect({ status, text }).toEqual({ status: 404, text: unknown.text });
      }
    });
  });
});
