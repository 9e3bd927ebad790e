/** A world in which each new buyer's facility is under review, with its waiting orders. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { PaymentTerm } from '#kernel/payment-term';
import { completeCheckout } from '#modules/orders';
import { decideReview, listReviews } from '#modules/reviews';
import { buyerBody, draftOrderBody, merchantBody } from './bodies.ts';
import { act, auditCredit } from './credit.ts';
import { operate } from './operator.ts';
import { orderTransitions, recordedEvents } from './stored.ts';
import { createWorld, type World } from './world.ts';

export const NOW = 1_763_640_000;
export const reason = 'As I see it.';

interface Room {
  world: World;
  /** The buyer that applied last. Its orders are named `<buyer>-<id>`. */
  buyer: string;
  admin: string;
}

/** Call it at the top of a file. The returned object is filled before each test. */
export function waitingRoom() {
  const room: Room = { world: {} as World, buyer: '', admin: '' };
  const acts = { ...buyersActs(room), ...decidersActs(room), ...readings(room) };
  beforeAll(async () => {
    room.world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    room.admin = await room.world.addKey({ scopes: ['admin', 'orders:write', 'read'] });
    await room.world.post('/v1/merchants', merchantBody({}));
  });
  afterAll(async () => {
    expect(await auditCredit(room.world)).toEqual([]);
    await room.world.close();
  });
  beforeEach(async () => {
    room.world.clock.set(NOW);
    await acts.apply();
  });
  return Object.assign(room, acts);
}

function buyersActs(room: Room) {
  let made = 0;
  const applyAgain = async () => (await room.world.post(`/v1/buyers/${room.buyer}/facility`, {})).body;
  const draft = (id: string, gross = 10_000) => {
    const { buyer, world } = room;
    const amount = { net: gross, gross };
    const external_id = `${buyer}-${id}`;
    return world.post('/v1/orders/draft', draftOrderBody({ external_id, buyer_external_id: buyer, amount }));
  };
  const complete = (id: string, paymentTerm: PaymentTerm = 'DEFER_30D') => {
    const { world, buyer } = room;
    const { code, data_key_wrapped } = world.platform;
    const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
    const choice = {
      paymentMethod: 'TRANSFER',
      paymentTerm,
      deliveryAddress: null,
      contactEmail: 'kim@bistro.example',
    } as const;
    return act(world, (context) =>
      completeCheckout({ ...context, vault, isSandbox: true }, `${buyer}-${id}`, choice),
    );
  };
  return {
    /** A new buyer with this outcome script. The script is not in its name, which would also refer its orders to a person. */
    async apply(script = 'in-review', status = 'PENDING'): Promise<void> {
      room.buyer = `buyer-${++made}`;
      const body = buyerBody({ external_id: room.buyer, contact_email: `${script}@example.com` });
      await room.world.post('/v1/buyers', body);
      expect((await applyAgain()).status).toBe(status);
    },
    applyAgain,
    draft,
    complete,
    /** A waiting order whose buyer has consented. */
    async at(id: string, gross = 10_000): Promise<void> {
      await draft(id, gross);
      expect((await complete(id)).status).toBe('PENDING_CONFIRMATION');
    },
  };
}

function decidersActs(room: Room) {
  const reviewId = async () => {
    const query = { buyer_external_id: [room.buyer], status: ['OPEN'] };
    return (await operate(room.world, listReviews, { query })).items[0].review_id as string;
  };
  return {
    reviewId,
    decide: async (outcome: 'ACCEPT' | 'REJECT') =>
      operate(room.world, decideReview, {
        params: { review_id: await reviewId() },
        body: { outcome, reason },
      }),
    simulate(trigger: string, more: object = {}) {
      const options = { buyer_external_id: room.buyer, trigger, ...more };
      return room.world.post('/v1/sandbox/facilities', options, { key: room.admin });
    },
  };
}

function readings(room: Room) {
  const order = async (id: string) => (await room.world.get(`/v1/orders/${room.buyer}-${id}`)).body;
  return {
    order,
    /** The status, such as `CANCELLED RISK` for a cancelled order. */
    async statusOf(id: string): Promise<string> {
      const { status, cancellation_reason: why } = await order(id);
      return why === null ? status : `${status} ${why}`;
    },
    async offerOf(id: string) {
      const [row] = await room.world.sql<{ term_offer: { fee: { gross: number }; installments: object[] } }>(
        'select term_offer from orders where external_id = $1',
        [`${room.buyer}-${id}`],
      );
      return row?.term_offer;
    },
    async lastTransitionOf(id: string) {
      const last = (await orderTransitions(room.world, `${room.buyer}-${id}`)).at(-1);
      return last && { trigger: last.trigger, actor: last.actor, reason: last.reason };
    },
    typesOf: async (id: string) =>
      (await recordedEvents(room.world, `${room.buyer}-${id}`)).map(({ type }) => type),
  };
}
