import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { auditCredit, entriesOf, facilityOf } from '#test/credit';
import { describeIfMatch } from '#test/if-match';
import { addParties, PART_MINOR, STATES, type State } from '#test/order-statuses';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

describe('POST /v1/orders/{external_id}/close', () => {
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

  const orderIn = async (state: State) => {
    const id = `order-${++made}`;
    await STATES[state](world, id);
    return id;
  };
  const act = async (path: string, body: object = {}) => {
    const { status, text } = await world.post(path, body);
    if (status >= 300) throw new Error(text);
  };
  /** A confirmed order with an invoice over a part of it. */
  const invoiced = async () => {
    const id = await orderIn('CONFIRMED');
    const amount = { net: PART_MINOR, gross: PART_MINOR };
    await act('/v1/invoices', { external_id: `of-${id}`, order_external_ids: [id], amount });
    return id;
  };
  const statusOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body.status;
  const close = (id: string, more = {}) => world.post(`/v1/orders/${id}/close`, undefined, more);

  describe('200', () => {
    it('cancels an order without an invoice and releases all of it', async () => {
      const before = await facilityOf(world, 'prompt');
      const id = await orderIn('CONFIRMED');
      const { status, headers, body } = await close(id);
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toMatchObject({
        status: 'CANCELLED',
        cancellation_reason: 'MERCHANT',
        is_closed_short: false,
        expires_at: null,
      });
      expect((await world.get(`/v1/orders/${id}`)).body).toEqual(body);
      expect(await facilityOf(world, 'prompt')).toEqual(before);
      expect((await recordedEvents(world, id)).map(({ type }) => type)).toEqual([
        'ORDER.CONFIRMED',
        'ORDER.CANCELLED',
      ]);
    });

    it.each<State>(['CONFIRMED, invoiced', 'DISBURSED'])(
      'releases the rest of one that is %s',
      async (state) => {
        const before = await facilityOf(world, 'prompt');
        const id = await orderIn(state);
        const { status: wasStatus } = (await world.get(`/v1/orders/${id}`)).body;
        const { status, body } = await close(id);
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { status: wasStatus, cancellation_reason: null, is_closed_short: true },
        });
        // What the invoice uses stays used; the remaining 7,900 are released.
        expect(await facilityOf(world, 'prompt')).toEqual({
          ...before,
          used: before.used + 4_000,
          available: before.available - 4_000,
        });
        expect((await entriesOf(world, 'prompt')).at(-1)).toBe(`ORDER_FREED ${id} pending -7900 used 0`);
      },
    );

    it('lets the order be settled with what was invoiced, and nothing more be invoiced', async () => {
      const id = await invoiced();
      await close(id);
      const amount = { net: 1, gross: 1 };
      const more = { external_id: `more-of-${id}`, order_external_ids: [id], amount };
      expect((await world.post('/v1/invoices', more)).body).toMatchObject({
        reason: 'ORDER_NOT_INVOICEABLE',
        details: { is_closed_short: true },
      });
      await act(`/v1/invoices/of-${id}/paid`);
      expect(await statusOf(id)).toBe('CLOSED');
    });

    it('settles an order whose invoices are paid already', async () => {
      const id = await invoiced();
      await act(`/v1/invoices/of-${id}/paid`);
      expect(await statusOf(id)).toBe('CONFIRMED');
      const { status, headers, body } = await close(id);
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'CLOSED', is_closed_short: true, reserved_amount: 0 });
      const shown = await world.get(`/v1/orders/${id}`);
      expect([shown.body, shown.headers.get('etag')]).toEqual([body, headers.get('etag')]);
      expect((await recordedEvents(world, id)).map(({ type }) => type)).toEqual([
        'ORDER.CONFIRMED',
        'ORDER.CLOSED',
      ]);
    });

    it('cancels one that is closed short already, once its invoices are cancelled', async () => {
      const id = await invoiced();
      await close(id);
      await act(`/v1/invoices/of-${id}/refund`);
      const { status, body } = await close(id);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { status: 'CANCELLED', cancellation_reason: 'MERCHANT', expires_at: null },
      });
    });

    it('has no second effect with the same Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'close-once' };
      const id = await orderIn('CONFIRMED, invoiced');
      const first = await close(id, { headers });
      const again = await close(id, { headers });
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
    });
  });

  describe('400', () => {
    it('refuses a body', async () => {
      const { status, body } = await world.post('/v1/orders/nobody/close', { reason: 'BUYER' });
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ code: 'UNRECOGNIZED_KEYS', path: 'body' }]);
    });
  });

  describe('404', () => {
    it('answers alike for an unknown order, one of another platform, and one of a merchant that is not the key’s', async () => {
      const id = await orderIn('CONFIRMED');
      const other = await world.addPlatform();
      await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
      const restricted = await world.addKey({ merchantExternalId: 'other-merchant' });
      const unknown = await close('nobody');
      expect(unknown.status).toBe(404);
      for (const key of [other.apiKey, restricted]) {
        const { status, text } = await close(id, { key });
        expect({ status, text }).toEqual({ status: 404, text: unknown.text });
      }
      expect((await world.get(`/v1/orders/${id}`)).body.status).toBe('CONFIRMED');
    });
  });

  describe('409', () => {
    it('answers for one that is closed short already', async () => {
      const id = await orderIn('CONFIRMED, invoiced');
      await close(id);
      const { status, body } = await close(id);
      expect(status).toBe(409);
      expect(body).toMatchObject({
        reason: 'INVALID_STATUS_TRANSITION',
        details: {
          status: 'CONFIRMED',
          trigger: 'close_short',
          allowed: ['pay', 'invoice', 'uninvoice', 'cancel', 'close', 'expire', 'disburse', 'settle'],
        },
      });
    });
  });

  describeIfMatch({
    world: () => world,
    make: async () => `/v1/orders/${await orderIn('CONFIRMED')}`,
    change: (path, _, more) => world.post(`${path}/close`, undefined, more),
  });
});
