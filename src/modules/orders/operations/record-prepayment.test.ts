import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { describeIfMatch } from '#test/if-match';
import {
  addParties,
  GROSS_MINOR,
  invoice,
  PART_MINOR,
  STATES,
  type State,
  uninvoice,
} from '#test/order-statuses';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const LIMIT = NOW + 30 * 86_400;

describe('POST /v1/orders/{external_id}/paid', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(NOW);
    await addParties(world);
  });
  afterAll(() => world.close());

  const orderIn = async (state: State) => {
    const id = `order-${++made}`;
    await STATES[state](world, id);
    return id;
  };
  const pay = (id: string, more = {}) => world.post(`/v1/orders/${id}/paid`, undefined, more);
  const read = async (id: string) => (await world.get(`/v1/orders/${id}`)).body;

  describe('200', () => {
    it('ends the wait for the payment, and the time limit', async () => {
      const id = await orderIn('CONFIRMED, prepaid');
      const payment_due = { amount: GROSS_MINOR, currency: 'EUR', due_at: LIMIT, reference: id };
      expect(await read(id)).toMatchObject({
        status: 'CONFIRMED',
        paid_at: null,
        expires_at: LIMIT,
        payment_due,
      });
      expect((await recordedEvents(world, id)).at(-1)).toMatchObject({
        type: 'ORDER.CONFIRMED',
        data: { payment_due },
      });
      const { status, body } = await pay(id);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { status: 'CONFIRMED', paid_at: NOW, expires_at: null, payment_due: null },
      });
      expect(await read(id)).toEqual(body);
    });

    it('stays paid when its invoice is cancelled', async () => {
      const id = await orderIn('CONFIRMED, prepaid');
      await pay(id);
      await invoice(world, id, PART_MINOR);
      await uninvoice(world, id, PART_MINOR, 0);
      expect(await read(id)).toMatchObject({ paid_at: NOW, expires_at: null, payment_due: null });
    });

    it('has no second effect with the same Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'paid-once' };
      const id = await orderIn('CONFIRMED, prepaid');
      const first = await pay(id, { headers });
      expect((await pay(id, { headers })).text).toBe(first.text);
    });
  });

  describe('403', () => {
    it('answers for a key of the merchant: the money reached the platform', async () => {
      const id = await orderIn('CONFIRMED, prepaid');
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      expect(await pay(id, { key })).toMatchObject({ status: 403, body: { reason: 'MERCHANT_NOT_ALLOWED' } });
      expect((await read(id)).paid_at).toBeNull();
    });
  });

  describe('404', () => {
    it('answers alike for an unknown order, and one of a merchant that is not the key’s', async () => {
      const id = await orderIn('CONFIRMED, prepaid');
      await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
      const key = await world.addKey({ merchantExternalId: 'other-merchant' });
      const unknown = await pay('nobody');
      expect(unknown.status).toBe(404);
      const { status, text } = await pay(id, { key });
      expect({ status, text }).toEqual({ status: 404, text: unknown.text });
    });
  });

  describe('409', () => {
    it.each<State>(['DRAFT', 'CONFIRMED', 'CONFIRMED, invoiced', 'CANCELLED', 'EXPIRED'])(
      'answers for one that is %s, which waits for no payment',
      async (state) => {
        const id = await orderIn(state);
        expect((await read(id)).payment_due).toBeNull();
        expect(await pay(id)).toMatchObject({ status: 409, body: { reason: 'INVALID_STATUS_TRANSITION' } });
      },
    );

    it('answers for one that is paid', async () => {
      const id = await orderIn('CONFIRMED, prepaid');
      await pay(id);
      expect(await pay(id)).toMatchObject({ status: 409, body: { details: { trigger: 'pay' } } });
    });
  });

  describeIfMatch({
    world: () => world,
    make: async () => `/v1/orders/${await orderIn('CONFIRMED, prepaid')}`,
    change: (path, _, more) => world.post(`${path}/paid`, undefined, more),
  });
});
