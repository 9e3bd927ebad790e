import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import {
  addDebtor,
  addOverdue,
  auditCredit,
  entriesOf,
  facilityOf,
  grantFacility,
  setLimits,
} from '#test/credit';
import { recordedEvents } from '#test/stored';
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
    world = await createWorld({ platform: { financingCurrencies: ['PLN'] } });
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
  /** A buyer of its own with such a facility. */
  const debtor = async (wish: Partial<Parameters<typeof grantFacility>[1]> = {}) => {
    const buyer = `debtor-${++made}`;
    await addDebtor(world, { buyer, totalMinor: 100_000, ...wish });
    return buyer;
  };
  const overdue = (buyer: string, days: number, outstandingMinor: number) =>
    addOverdue(world, buyer, days, outstandingMinor);

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
        amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
        buyer: { legal_name: 'Café Morgenrot eG' },
        comment: null,
        delivery_address: null,
        custom_data: null,
        line_items: [],
        contact_email: null,
        cancellation_reason: null,
        is_closed_short: false,
        expires_at: NOW + 30 * DAY,
      });
      const read = await world.get('/v1/orders/first');
      expect(read.body).toEqual(body);
      expect(read.headers.get('etag')).toBe('"1"');
    });

    it('reserves the gross amount, and writes down the move and the event with it', async () => {
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
      expect(
        await world.sql(
          'select entry, cause, order_external_id, actor, recorded_at from facility_ledger where buyer_external_id = $1',
          [buyer],
        ),
      ).toContainEqual({
        entry: 2,
        cause: 'ORDER_RESERVED',
        order_external_id: 'reserving',
        actor: `api_key:${keyId}`,
        recorded_at: String(NOW),
      });
      expect(await world.sql("select * from order_moves where order_external_id = 'reserving'")).toEqual([
        {
          platform_id: world.platform.platform_id,
          order_external_id: 'reserving',
          version: 1,
          from_status: null,
          to_status: 'CONFIRMED',
          trigger: 'create',
          moved_at: String(NOW),
          actor: `api_key:${keyId}`,
          reason: null,
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
            amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
          },
        },
      ]);
    });

    it('keeps the fee and the instalments as they were offered', async () => {
      await order({
        external_id: 'split',
        payment_term: 'SPLIT_3M',
        ordered_at: 1_763_596_800,
        ...gross(10_000),
      });
      const [row] = await world.sql("select term_offer from orders where external_id = 'split'");
      // 1.8 % of class A; the remainder cent is in the first part; 2025-11-20 and its months.
      expect(row?.term_offer).toEqual({
        payment_method: 'TRANSFER',
        payment_term: 'SPLIT_3M',
        fee: { net: 180, tax: 0, gross: 180 },
        installments: [
          { due_at: 1_766_188_800, amount: { value: 3_334, currency: 'EUR' } },
          { due_at: 1_768_867_200, amount: { value: 3_333, currency: 'EUR' } },
          { due_at: 1_771_545_600, amount: { value: 3_333, currency: 'EUR' } },
        ],
      });
    });

    it('takes all that is available, to the cent, and then only what nobody has to lend', async () => {
      const buyer = await debtor();
      expect((await order({ external_id: 'all', buyer_external_id: buyer, ...gross(100_000) })).status).toBe(
        201,
      );
      expect((await facilityOf(world, buyer)).available).toBe(0);
      const one = await order({ external_id: 'one-more', buyer_external_id: buyer, ...gross(1) });
      expect(one.body.reason).toBe('FACILITY_EXCEEDED_AVAILABLE_AMOUNT');
    });

    it('takes an ordered_at that is 60 s ahead, which is what clocks differ by', async () => {
      expect((await order({ external_id: 'skewed', ordered_at: NOW + 60 })).body.ordered_at).toBe(NOW + 60);
    });

    it('goes beyond the limit by the tolerance, and no further', async () => {
      const buyer = await debtor();
      await setLimits(world, { tolerance_percent: 10 }, buyer);
      const ask = (external_id: string, minor: number) =>
        order({ external_id, buyer_external_id: buyer, ...gross(minor) });
      expect((await ask('beyond', 110_001)).status).toBe(422);
      expect((await ask('within', 110_000)).status).toBe(201);
      expect(await facilityOf(world, buyer)).toMatchObject({ pending: 110_000, available: 0 });
    });

    it('reserves nothing where only invoices count, and still asks for as much room', async () => {
      const buyer = await debtor();
      await setLimits(world, { counts: 'INVOICES' }, buyer);
      const ask = (external_id: string, minor: number) =>
        order({ external_id, buyer_external_id: buyer, ...gross(minor) });
      expect((await ask('counts-1', 100_000)).status).toBe(201);
      expect((await ask('counts-2', 100_000)).status).toBe(201);
      expect((await ask('counts-3', 100_001)).status).toBe(422);
      expect(await facilityOf(world, buyer)).toMatchObject({ pending: 0, available: 100_000 });
    });

    it('expires when the platform’s limit says, where it has one of its own', async () => {
      const buyer = await debtor();
      await setLimits(world, { authorization_limit_days: 3, confirmation_limit_days: 2 }, buyer);
      const { body } = await order({ external_id: 'short-lived', buyer_external_id: buyer });
      expect(body.expires_at).toBe(NOW + 3 * DAY);
    });

    it.each([
      ['no facility', null],
      ['one under review', { status: 'PENDING' as const }],
      ['a rejected one', { status: 'REJECTED' as const }],
      ['a frozen one', { status: 'FROZEN' as const }],
      ['an expired one', { status: 'EXPIRED' as const }],
      ['one that is over, a moment before its move', { expiresAt: NOW }],
      ['one with nothing left', { totalMinor: 0 }],
      ['one in another currency', { currency: 'PLN' }],
    ])('lets prepayment pass with %s', async (_, facility) => {
      const buyer = `prepaying-${++made}`;
      await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
      if (facility) await grantFacility(world, { buyer, totalMinor: 1_000, ...facility });
      await overdue(buyer, 400, 1_000_000);
      const { status, body } = await order({
        external_id: buyer,
        buyer_external_id: buyer,
        payment_term: 'PREPAYMENT',
        payment_method: 'CARD',
      });
      expect({ status, body }).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
      if (facility) expect(await entriesOf(world, buyer)).toEqual([]);
      expect((await recordedEvents(world, buyer)).map(({ type }) => type)).toContain('ORDER.CONFIRMED');
    });

    it.each([
      ['8 days late: a person looks at it', 8, 5_000, 'PENDING_CONFIRMATION'],
      ['7 days late, as long as banks take', 7, 5_000, 'CONFIRMED'],
      ['29 days late, a day before the stop', 29, 5_000, 'PENDING_CONFIRMATION'],
      ['99 days late with a residue of bank fees', 99, 100, 'CONFIRMED'],
    ])('answers for a buyer %s', async (_, days, outstanding, expected) => {
      const buyer = await debtor();
      await overdue(buyer, days, outstanding);
      const { status, body } = await order({ external_id: buyer, buyer_external_id: buyer });
      expect({ status, body }).toMatchObject({ status: 201, body: { status: expected } });
      expect((await facilityOf(world, buyer)).pending).toBe(11_900);
      if (expected === 'CONFIRMED') return;
      expect(body.expires_at).toBe(NOW + 14 * DAY);
      const events = (await recordedEvents(world, buyer)).filter(({ type }) => type.startsWith('ORDER.'));
      expect(events).toMatchObject([
        {
          type: 'ORDER.PENDING_CONFIRMATION',
          data: { status: expected, previous_status: null, sequence: 1 },
        },
      ]);
      expect(
        await world.sql('select trigger from order_moves where order_external_id = $1', [buyer]),
      ).toEqual([{ trigger: 'create_for_review' }]);
    });

    it('has no second effect with the same Idempotency-Key', async () => {
      const buyer = await debtor();
      const ask = () =>
        world.post('/v1/orders', orderBody({ external_id: 'once', buyer_external_id: buyer }), {
          headers: { 'idempotency-key': 'order-once' },
        });
      const [first, again] = [await ask(), await ask()];
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe('/v1/orders/once');
      expect((await facilityOf(world, buyer)).pending).toBe(11_900);
      expect(await recordedEvents(world, 'once')).toHaveLength(1);
    });
  });

  describe('400', () => {
    it('names an ordered_at in the future together with what else only the platform can tell', async () => {
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
          body: { error: 'No entity found', code: 'NOT_FOUND' },
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
      // The first one took everything: told of too little credit, the sender would think it was not written.
      for (const more of [all, { ...all, external_id: 'drafted' }]) {
        const { status, body } = await order(more);
        expect(status).toBe(409);
        expect(body).toMatchObject({ code: 'CONFLICT', reason: 'EXTERNAL_ID_ALREADY_EXISTS' });
      }
      expect((await world.get('/v1/orders/taken')).text).toBe(first.text);
      expect(await entriesOf(world, buyer)).toHaveLength(1);
      expect(await recordedEvents(world, 'taken')).toHaveLength(1);
    });

    it('does not, where another platform has an order with the same external_id', async () => {
      const { platform, apiKey } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({}), { key: apiKey });
      await world.post('/v1/merchants', merchantBody({}), { key: apiKey });
      await grantFacility(world, { buyer: 'buyer', totalMinor: 1e6, platformId: platform.platform_id });
      await order({ external_id: 'shared-id' });
      expect((await order({ external_id: 'shared-id' }, apiKey)).status).toBe(201);
    });
  });

  describe('422', () => {
    const refused = async (more: object) => {
      const external_id = `refused-${++made}`;
      const { status, body } = await order({ external_id, ...more });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'UNPROCESSABLE_ENTITY', error: expect.any(String) });
      // Nothing of it is left: no order, no event.
      expect((await world.get(`/v1/orders/${external_id}`)).status).toBe(404);
      expect(await recordedEvents(world, external_id)).toEqual([]);
      const { docs: _, ...details } = body.details;
      return { reason: body.reason, details };
    };

    it.each([
      ['none', null, 'NO_ACTIVE_FACILITY', { status: null }],
      ['one under review', { status: 'PENDING' as const }, 'NO_ACTIVE_FACILITY', { status: 'PENDING' }],
      ['a rejected one', { status: 'REJECTED' as const }, 'NO_ACTIVE_FACILITY', { status: 'REJECTED' }],
      ['a frozen one', { status: 'FROZEN' as const }, 'FACILITY_FROZEN', {}],
      [
        'an expired one',
        { status: 'EXPIRED' as const, expiresAt: NOW - DAY },
        'FACILITY_EXPIRED',
        { expires_at: NOW - DAY },
      ],
      [
        'one that is over, a moment before its move',
        { expiresAt: NOW },
        'FACILITY_EXPIRED',
        { expires_at: NOW },
      ],
      [
        'one in another currency',
        { currency: 'PLN' },
        'FACILITY_CURRENCY_CONFLICT',
        { facility_currency: 'PLN', currency: 'EUR' },
      ],
      [
        'one with too little left',
        { totalMinor: 11_899 },
        'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
        { requested: 11_900, available: 11_899, currency: 'EUR' },
      ],
    ])('answers for a facility: %s', async (_, facility, reason, details) => {
      const buyer = `poor-${++made}`;
      await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
      if (facility) await grantFacility(world, { buyer, totalMinor: 100_000, ...facility });
      expect(await refused({ buyer_external_id: buyer })).toEqual({ reason, details });
      if (facility) expect(await entriesOf(world, buyer)).toEqual([]);
    });

    it('answers for a buyer who owes too much for too long', async () => {
      const buyer = await debtor();
      await overdue(buyer, 30, 5_000);
      await overdue(buyer, 45, 2_500);
      await overdue(buyer, 10, 9_999);
      expect(await refused({ buyer_external_id: buyer })).toEqual({
        reason: 'BUYER_OVERDUE',
        details: { overdue_amount: 7_500, currency: 'EUR', days_past_due: 45 },
      });
    });

    it('answers for a term that is longer than the platform’s longest', async () => {
      expect(await refused({ payment_term: 'DEFER_120D' })).toEqual({
        reason: 'PAYMENT_TERM_NOT_AVAILABLE',
        details: { payment_term: 'DEFER_120D', unavailable_reason: 'TERM_TOO_LONG', max_payment_term: 90 },
      });
    });

    it('answers for a term that the price class is not offered', async () => {
      const buyer = await debtor({ priceClass: 'D' });
      expect(await refused({ buyer_external_id: buyer, payment_term: 'DEFER_45D' })).toEqual({
        reason: 'PAYMENT_TERM_NOT_AVAILABLE',
        details: { payment_term: 'DEFER_45D', unavailable_reason: 'PRICE_CLASS' },
      });
      expect((await order({ external_id: buyer, buyer_external_id: buyer })).status).toBe(201);
    });

    it('answers for a currency the platform has not enabled', async () => {
      expect(await refused(gross(1, 'USD'))).toEqual({
        reason: 'CURRENCY_NOT_ENABLED',
        details: { currency: 'USD', enabled: ['EUR', 'PLN'] },
      });
    });

    it('answers for a merchant that does not exist', async () => {
      expect(await refused({ merchant_external_id: 'nobody' })).toEqual({
        reason: 'REFERENCED_ENTITY_NOT_FOUND',
        details: { field: 'body.merchant_external_id' },
      });
    });

    it('lets the same external_id pass once there is room', async () => {
      const buyer = await debtor({ totalMinor: 20_000 });
      const again = { external_id: 'patient', buyer_external_id: buyer, ...gross(15_000) };
      await order({ external_id: 'in-the-way', buyer_external_id: buyer });
      expect((await order(again)).status).toBe(422);
      await world.post('/v1/orders/in-the-way/cancel');
      expect((await order(again)).status).toBe(201);
    });
  });
});
