import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, auditCredit, entriesOf, facilityOf, grantFacility } from '#test/credit';
import { notFoundNamed } from '#test/problem';
import { ledgerEntries, orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

const orderBody = <T extends object>(more: T) =>
  draftOrderBody({ payment_method: 'TRANSFER', payment_term: 'DEFER_30D', ...more });
const gross = (minor: number, currency?: string) => ({
  amount: { net: minor, gross: minor, ...(currency && { currency }) },
});

describe('POST /v1/orders', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ platform: { financing_currencies: ['PLN'] } });
    world.clock.set(NOW);
    await world.sql('update platforms set max_payment_term = 90');
    await world.post('/v1/merchants', merchantBody({}));
    await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
    await addDebtor(world, { buyer: 'buyer', totalMinor: 100_000_000 });
  });
  afterAll(async () => {
    expect(await auditCredit(world)).toEqual([]);
    await world.close();
  });

  const order = <T extends object>(more: T, key?: string) =>
    world.post('/v1/orders', orderBody(more), key === undefined ? {} : { key });
  /** A new buyer with such a facility. */
  const debtor = async (options: Partial<Parameters<typeof grantFacility>[1]> = {}) => {
    const buyer = `debtor-${++made}`;
    await addDebtor(world, { buyer, totalMinor: 100_000, ...options });
    return buyer;
  };

  describe('201', () => {
    it('answers the confirmed order, where it is, and its version', async () => {
      const { status, headers, body } = await order({ external_id: 'first', ordered_at: NOW - DAY });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/orders/first');
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        external_id: 'first',
        status: 'CONFIRMED',
        buyer_external_id: 'buyer',
        merchant_external_id: 'merchant',
        created_at: NOW,
        updated_at: NOW,
        ordered_at: NOW - DAY,
        payment_method: 'TRANSFER',
        payment_term: 'DEFER_30D',
        term: {
          fee: { net: 89, tax: 0, gross: 89 },
          merchant_fee: { net: 0, tax: 0, gross: 0 },
          installments: [{ due_at: NOW + 29 * DAY, amount: { value: 11_900, currency: 'EUR' } }],
        },
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
        reserved_amount: 11_900,
        purchase_order_number: null,
        invoice_email: null,
        billing_address: null,
        paid_at: null,
        payment_due: null,
        vouched_by: null,
        vouched_at: null,
        decision_id: null,
        expires_at: NOW + 30 * DAY,
      });
      const read = await world.get('/v1/orders/first');
      expect(read.body).toEqual(body);
      expect(read.headers.get('etag')).toBe('"1"');
    });

    it('reserves the gross amount, with the transition and the event', async () => {
      const buyer = await debtor();
      await order({ external_id: 'reserving', buyer_external_id: buyer });
      expect(await facilityOf(world, buyer)).toEqual({
        status: 'ACTIVE',
        total: 100_000,
        used: 0,
        pending: 11_900,
        available: 88_100,
      });
      const keyId = world.apiKey.split('_')[2];
      expect(await ledgerEntries(world, { order: 'reserving' })).toMatchObject([
        {
          buyer_external_id: buyer,
          entry: 2,
          cause: 'ORDER_RESERVED',
          actor: `api_key:${keyId}`,
          effective_at: NOW,
        },
      ]);
      expect(await orderTransitions(world, 'reserving')).toEqual([
        {
          version: 1,
          from_status: null,
          to_status: 'CONFIRMED',
          trigger: 'create',
          transitioned_at: NOW,
          actor: `api_key:${keyId}`,
          reason: null,
          decision_id: null,
        },
      ]);
      expect(await recordedEvents(world, 'reserving')).toEqual([
        {
          id: expect.any(String),
          occurred_at: NOW,
          type: 'ORDER.CONFIRMED',
          data: {
            external_id: 'reserving',
            buyer_external_id: buyer,
            merchant_external_id: 'merchant',
            sequence: 1,
            status: 'CONFIRMED',
            previous_status: null,
            payment_term: 'DEFER_30D',
            amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
          },
        },
      ]);
    });

    it('keeps the fee and the instalments as offered', async () => {
      await order({
        external_id: 'split',
        payment_term: 'SPLIT_3M',
        ordered_at: 1_763_596_800,
        ...gross(10_000),
      });
      const [row] = await world.sql("select term_offer from orders where external_id = 'split'");
      // 1.8 % of class A; the remaining cent is in the first part; 2025-11-20 and the months after it.
      expect(row?.term_offer).toEqual({
        payment_method: 'TRANSFER',
        payment_term: 'SPLIT_3M',
        fee: { net: 180, tax: 0, gross: 180 },
        merchant_fee: { net: 0, tax: 0, gross: 0 },
        installments: [
          { due_at: 1_766_275_199, amount: { value: 3_334, currency: 'EUR' } },
          { due_at: 1_768_953_599, amount: { value: 3_333, currency: 'EUR' } },
          { due_at: 1_771_631_999, amount: { value: 3_333, currency: 'EUR' } },
        ],
      });
    });

    it('takes an ordered_at that is 60 s ahead, which is what clocks differ by', async () => {
      expect((await order({ external_id: 'skewed', ordered_at: NOW + 60 })).body.ordered_at).toBe(NOW + 60);
    });

    it('has no second effect with the same Idempotency-Key', async () => {
      const buyer = await debtor();
      const send = () =>
        world.post('/v1/orders', orderBody({ external_id: 'once', buyer_external_id: buyer }), {
          headers: { 'idempotency-key': 'order-once' },
        });
      const [first, again] = [await send(), await send()];
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe('/v1/orders/once');
      expect((await facilityOf(world, buyer)).pending).toBe(11_900);
      expect(await recordedEvents(world, 'once')).toHaveLength(1);
    });
  });

  describe('400', () => {
    it('names an ordered_at in the future together with the other issues that depend on the platform', async () => {
      const { status, body } = await order({
        external_id: 'future',
        ordered_at: NOW + 61,
        merchant_external_id: undefined,
        line_items: [{ name: 'Beans', category: 'Coffee', price: 1, quantity: 1, currency: 'PLN' }],
      });
      expect(status).toBe(400);
      expect(body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([
        'IN_THE_FUTURE body.ordered_at',
        'REQUIRED body.merchant_external_id',
        'INVALID_VALUE body.line_items.0.currency',
      ]);
    });
  });

  describe('403', () => {
    it('refuses another merchant to a key restricted to one', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      expect((await order({ external_id: 'own' }, key)).status).toBe(201);
      for (const merchant_external_id of ['other-merchant', 'nobody']) {
        const { status, body } = await order({ external_id: 'foreign', merchant_external_id }, key);
        expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
      }
    });

    it('refuses a key without the scope orders:write', async () => {
      const key = await world.addKey({ scopes: ['read', 'invoices:write'] });
      expect((await order({ external_id: 'unscoped' }, key)).body).toMatchObject({
        reason: 'INSUFFICIENT_SCOPE',
        details: { scope: 'orders:write' },
      });
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer, and for one of another platform', async () => {
      const other = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'theirs' }), { key: other.apiKey });
      await grantFacility(world, {
        buyer: 'theirs',
        totalMinor: 1e6,
        platformId: other.platform.platform_id,
      });
      for (const buyer_external_id of ['nobody', 'theirs']) {
        const { status, body } = await order({ external_id: 'buyerless', buyer_external_id });
        expect({ status, body }).toEqual({
          status: 404,
          body: notFoundNamed('body.buyer_external_id', buyer_external_id),
        });
      }
    });
  });

  describe('409', () => {
    it('answers for an external_id that is taken, by an order or a draft, before it looks at the credit', async () => {
      const buyer = await debtor();
      const all = { external_id: 'taken', buyer_external_id: buyer, ...gross(100_000) };
      const first = await order(all);
      await world.post('/v1/orders/draft', draftOrderBody({ external_id: 'drafted' }));
      // The first one reserved everything: a refusal for credit would suggest that the order was not stored.
      for (const more of [all, { ...all, external_id: 'drafted' }]) {
        const { status, body } = await order(more);
        expect(status).toBe(409);
        expect(body).toMatchObject({ code: 'CONFLICT', reason: 'EXTERNAL_ID_ALREADY_EXISTS' });
      }
      expect((await world.get('/v1/orders/taken')).text).toBe(first.text);
      expect(await entriesOf(world, buyer)).toHaveLength(1);
      expect(await recordedEvents(world, 'taken')).toHaveLength(1);
    });

    it('does not, if another platform has an order with the same external_id', async () => {
      const { platform, apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({}), { key: apiKey });
      await world.post('/v1/merchants', merchantBody({}), { key: apiKey });
      await grantFacility(world, { buyer: 'buyer', totalMinor: 1e6, platformId: platform.platform_id });
      await order({ external_id: 'shared-id' });
      expect((await order({ external_id: 'shared-id' }, apiKey)).status).toBe(201);
    });
  });
});
