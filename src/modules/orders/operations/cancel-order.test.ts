import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { auditCredit, entriesOf, facilityOf } from '#test/credit';
import { type Field, itRefuses, oneOf, otherTypes } from '#test/fields';
import { describeIfMatch } from '#test/if-match';
import { addParties, STATES } from '#test/order-statuses';
import { NOT_FOUND } from '#test/problem';
import { orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

const { offending: notReasons } = oneOf(['MERCHANT', 'BUYER', 'PLATFORM']);
const fields: Field[] = [
  {
    path: 'reason',
    fitting: [],
    // Only the service itself uses RISK, when it declines.
    offending: [...notReasons, { what: 'RISK', sent: 'RISK', code: 'INVALID_ENUM' }],
  },
  {
    path: 'comment',
    fitting: [],
    offending: [
      ...otherTypes('a text'),
      { what: '1001 characters', sent: 'x'.repeat(1_001), code: 'TOO_LONG' },
      { what: 'a control character', sent: 'a\u0007', code: 'INVALID_VALUE' },
    ],
  },
  { path: 'status', fitting: [], offending: [{ what: 'a field', sent: 'x', code: 'UNRECOGNIZED_KEYS' }] },
];

describe('POST /v1/orders/{external_id}/cancel', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(NOW);
    await addParties(world);
  });
  afterAll(async () => {
    expect(await auditCredit(world)).toEqual([]);
    await world.close();
  });

  const confirmed = async () => {
    const id = `order-${++made}`;
    await STATES.CONFIRMED(world, id);
    return id;
  };
  const cancel = (id: string, body?: object, more = {}) => world.post(`/v1/orders/${id}/cancel`, body, more);

  describe('200', () => {
    it('answers the cancelled order with its new version; the event has the reason', async () => {
      const id = await confirmed();
      const before = await world.get(`/v1/orders/${id}`);
      world.clock.set(NOW + 60);
      const { status, headers, body } = await cancel(id);
      world.clock.set(NOW);
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toEqual({
        ...before.body,
        status: 'CANCELLED',
        cancellation_reason: 'MERCHANT',
        updated_at: NOW + 60,
        expires_at: null,
        reserved_amount: 0,
      });
      expect((await world.get(`/v1/orders/${id}`)).body).toEqual(body);
      expect((await recordedEvents(world, id))[1]).toMatchObject({
        type: 'ORDER.CANCELLED',
        occurred_at: NOW + 60,
        data: {
          external_id: id,
          sequence: 2,
          status: 'CANCELLED',
          previous_status: 'CONFIRMED',
          cancellation_reason: 'MERCHANT',
        },
      });
    });

    it('releases the reservation at once', async () => {
      const before = await facilityOf(world, 'prompt');
      const id = await confirmed();
      expect((await facilityOf(world, 'prompt')).available).toBe(before.available - 11_900);
      await cancel(id);
      expect(await facilityOf(world, 'prompt')).toEqual(before);
      expect((await entriesOf(world, 'prompt')).slice(-2)).toEqual([
        `ORDER_RESERVED ${id} pending 11900 used 0`,
        `ORDER_FREED ${id} pending -11900 used 0`,
      ]);
    });

    it.each(['MERCHANT', 'BUYER', 'PLATFORM'])(
      'keeps the reason %s, and the comment in the history',
      async (reason) => {
        const id = await confirmed();
        const comment = 'Ordered twice.\nBy mistake.';
        expect((await cancel(id, { reason, comment })).body.cancellation_reason).toBe(reason);
        const keyId = world.apiKey.split('_')[2];
        expect((await orderTransitions(world, id))[1]).toMatchObject({
          trigger: 'cancel',
          reason: comment,
          actor: `api_key:${keyId}`,
        });
      },
    );

    it.each([
      ['no body', undefined],
      ['an empty body', {}],
      ['nulls', { reason: null, comment: null }],
      ['a blank comment', { comment: '  ' }],
    ])('takes %s', async (_, body) => {
      expect((await cancel(await confirmed(), body)).body).toMatchObject({ cancellation_reason: 'MERCHANT' });
    });

    it('releases nothing for a draft, which reserved nothing', async () => {
      await STATES.DRAFT(world, 'draft');
      const before = (await entriesOf(world, 'prompt')).length;
      expect((await cancel('draft')).body).toMatchObject({ status: 'CANCELLED', payment_term: null });
      expect(await entriesOf(world, 'prompt')).toHaveLength(before);
    });

    it('has no second effect with the same Idempotency-Key', async () => {
      const id = await confirmed();
      const headers = { 'idempotency-key': `cancel-${id}` };
      const first = await cancel(id, {}, { headers });
      const again = await cancel(id, {}, { headers });
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('etag')).toBe('"2"');
    });
  });

  describe('400', () => {
    it('changes nothing', async () => {
      const id = await confirmed();
      expect((await cancel(id, { reason: 'RISK' })).status).toBe(400);
      expect((await world.get(`/v1/orders/${id}`)).body.status).toBe('CONFIRMED');
    });

    itRefuses(fields, (change) => cancel('nobody', change({})));
  });

  describe('403', () => {
    it('refuses a key without the scope orders:write', async () => {
      const key = await world.addKey({ scopes: ['read', 'invoices:write'] });
      expect((await cancel('order-1', {}, { key })).body).toMatchObject({
        reason: 'INSUFFICIENT_SCOPE',
        details: { scope: 'orders:write' },
      });
    });
  });

  describe('404', () => {
    it('answers alike for an unknown order, one of another platform, and one of a merchant that is not the key’s', async () => {
      const id = await confirmed();
      const other = await world.addPlatform();
      await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
      const restricted = await world.addKey({ merchantExternalId: 'other-merchant' });
      const unknown = await cancel('nobody');
      expect(unknown.body).toEqual(NOT_FOUND);
      for (const key of [other.apiKey, restricted]) {
        const { status, text } = await cancel(id, {}, { key });
        expect({ status, text }).toEqual({ status: 404, text: unknown.text });
      }
      expect((await world.get(`/v1/orders/${id}`)).body.status).toBe('CONFIRMED');
      const own = await world.addKey({ merchantExternalId: 'merchant' });
      expect((await cancel(id, {}, { key: own })).status).toBe(200);
    });
  });

  describe('409', () => {
    it('answers a repeated cancel with the current status, and releases nothing twice', async () => {
      const id = await confirmed();
      await cancel(id);
      const { available } = await facilityOf(world, 'prompt');
      const { status, body } = await cancel(id);
      expect(status).toBe(409);
      expect(body).toMatchObject({
        reason: 'INVALID_STATUS_TRANSITION',
        details: { status: 'CANCELLED', trigger: 'cancel', allowed: [] },
      });
      expect((await facilityOf(world, 'prompt')).available).toBe(available);
    });

    it('answers for an order with an invoice, and leaves it', async () => {
      await STATES['CONFIRMED, invoiced'](world, 'invoiced');
      const { status, body } = await cancel('invoiced');
      expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'ORDER_HAS_INVOICE' });
      expect((await world.get('/v1/orders/invoiced')).body.status).toBe('CONFIRMED');
    });

    it('is returned to all but one of 20 concurrent requests', async () => {
      const before = await facilityOf(world, 'prompt');
      const id = await confirmed();
      const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(id)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
      expect(await facilityOf(world, 'prompt')).toEqual(before);
    });
  });

  describeIfMatch({
    world: () => world,
    make: async () => `/v1/orders/${await confirmed()}`,
    change: (path, _, more) => world.post(`${path}/cancel`, {}, more),
  });
});
