/** What happens in between when the clock is set. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { patience } from '#test/patience';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { TRANSITIONS_LISTED_MAX } from '../clock.schemas.ts';

const PATH = '/v1/sandbox/clock';
/** 2025-11-20 12:00 UTC. */
const T0 = 1_763_640_000;
const DAY = 86_400;

interface Transition {
  at: number;
  resource: string;
  external_id: string;
  trigger: string;
}

describe('POST /v1/sandbox/clock', () => {
  let world: World;
  let platformId: number;
  let key: string;
  beforeAll(async () => {
    // With a worker, which sweeps at the same time.
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
    world.clock.set(T0);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const { platform, apiKey } = await world.addPlatform();
    [platformId, key] = [platform.platform_id, apiKey];
    await world.post('/v1/merchants', merchantBody({}), { key });
  });

  const set = (body: unknown, headers = {}) => world.post(PATH, body, { key, headers });
  const advance = (days: number) => set({ advance_seconds: days * DAY });
  const apply = async (external_id: string) => {
    await world.post('/v1/buyers', buyerBody({ external_id }), { key });
    return world.post(`/v1/buyers/${external_id}/facility`, {}, { key });
  };
  const facility = async (buyer: string) => (await world.get(`/v1/buyers/${buyer}/facility`, { key })).body;
  const order = (external_id: string, buyer_external_id: string, payment_term = 'DEFER_30D') =>
    world.post(
      '/v1/orders',
      draftOrderBody({ external_id, buyer_external_id, payment_method: 'TRANSFER', payment_term }),
      { key },
    );
  const seen = (transitions: Transition[]) =>
    transitions.map(({ at, external_id, trigger }) => `${(at - T0) / DAY} ${external_id} ${trigger}`);

  it('makes everything happen in order, dated with its own instant, and lists it', async () => {
    expect((await apply('a-accepted')).status).toBe(201);
    expect((await apply('b-review-then-accept')).status).toBe(202);
    expect((await apply('c-review-then-reject')).status).toBe(202);
    expect((await order('o1', 'a-accepted')).status).toBe(201);
    const { body } = await advance(100);
    // Two are due at one instant: the order is that of their reviews.
    expect(seen(body.transitions.slice(0, 2)).sort()).toEqual([
      '1 b-review-then-accept grant',
      '1 c-review-then-reject reject',
    ]);
    expect(seen(body.transitions.slice(2))).toEqual([
      '30 o1 expire',
      '76 a-accepted renew',
      // 76 days after the grant; the renewal is reviewed too, so it is decided a day later.
      '77 b-review-then-accept renew',
      '78 b-review-then-accept renew',
    ]);
    expect(body.transitions_total).toBe(6);
    expect(await facility('b-review-then-accept')).toMatchObject({
      status: 'ACTIVE',
      reviewed_at: T0 + 78 * DAY,
      // Where the first period ends.
      expires_at: T0 + 181 * DAY,
      pending_actions: [],
    });
    expect(await facility('c-review-then-reject')).toMatchObject({
      status: 'REJECTED',
      updated_at: T0 + DAY,
    });
    const transitions = await world.sql(
      'select trigger, actor from facility_transitions where platform_id = $1 and buyer_external_id = $2 order by version',
      [platformId, 'b-review-then-accept'],
    );
    expect(transitions).toEqual([
      { trigger: 'refer', actor: expect.stringMatching(/^api_key:/) },
      { trigger: 'grant', actor: 'sandbox' },
      { trigger: 'refer_renewal', actor: 'service' },
      { trigger: 'renew', actor: 'sandbox' },
    ]);
  });

  it('rejects what a script accepts if it cannot be accepted any more', async () => {
    expect((await apply('d-review-then-accept')).status).toBe(202);
    await advance(2);
    expect((await facility('d-review-then-accept')).status).toBe('ACTIVE');
    expect((await order('waits', 'd-review-then-accept')).body.status).toBe('PENDING_CONFIRMATION');
    const freeze = { buyer_external_id: 'd-review-then-accept', trigger: 'freeze' };
    expect((await world.post('/v1/sandbox/facilities', freeze, { key })).status).toBe(200);
    expect((await advance(2)).body.transitions).toMatchObject([
      { resource: 'order', external_id: 'waits', trigger: 'confirm' },
    ]);
    expect((await world.get('/v1/orders/waits', { key })).body).toMatchObject({
      status: 'CANCELLED',
      cancellation_reason: 'RISK',
    });
    const [review] = await world.sql(
      "select outcome, decided_by from credit_reviews where platform_id = $1 and order_external_id = 'waits'",
      [platformId],
    );
    expect(review).toEqual({ outcome: 'REJECT', decided_by: 'sandbox' });
  });

  it('makes what is due at the very instant, and nothing a second before', async () => {
    await apply('e-accepted');
    expect((await set({ now: T0 + 76 * DAY - 1 })).body.transitions).toEqual([]);
    expect(seen((await set({ now: T0 + 76 * DAY })).body.transitions)).toEqual(['76 e-accepted renew']);
  });

  it('lists everything, though workers look for what is due as well', async () => {
    await apply('f-accepted');
    for (let period = 1; period <= 15; period++)
      expect((await advance(period === 1 ? 76 : 90)).body.transitions).toHaveLength(1);
  });

  it('makes each transition once under concurrent calls', async () => {
    for (const id of ['g', 'h', 'i', 'j']) await apply(`${id}-accepted`);
    const replies = await Promise.all(Array.from({ length: 5 }, () => advance(34)));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const made = await world.sql(
      "select buyer_external_id from facility_transitions where platform_id = $1 and actor = 'service' order by 1",
      [platformId],
    );
    // 170 days: two renewals each.
    expect(made.map((row) => row.buyer_external_id)).toEqual(
      ['g', 'g', 'h', 'h', 'i', 'i', 'j', 'j'].map((id) => `${id}-accepted`),
    );
  });

  it(`lists the first ${TRANSITIONS_LISTED_MAX} and counts all`, { timeout: patience(60) }, async () => {
    await world.post('/v1/buyers', buyerBody({ external_id: 'many' }), { key });
    expect((await order('o-0', 'many', 'PREPAYMENT')).status).toBe(201);
    await world.sql(
      `insert into orders select (o).* from (
        select jsonb_populate_record(o, jsonb_build_object('external_id', 'o-' || n)) as o
        from orders o cross join generate_series(1, ${TRANSITIONS_LISTED_MAX}) n where o.platform_id = $1
      ) copies`,
      [platformId],
    );
    const { body } = await advance(31);
    expect(body.transitions_total).toBe(TRANSITIONS_LISTED_MAX + 1);
    expect(body.transitions).toHaveLength(TRANSITIONS_LISTED_MAX);
  });

  describe('that fails on the way', () => {
    const curse = (name: string) =>
      world.sql(
        `alter table facility_transitions add constraint ${name} check (trigger <> 'expire') not valid`,
      );
    const headers = { 'idempotency-key': 'k' };

    it('has set the clock; sent again with its key it makes the rest, and does not go further', async () => {
      await apply('k-accepted');
      await apply('l-accepted');
      await world.sql(
        "update facilities set renewal_due_at = null where platform_id = $1 and buyer_external_id = 'l-accepted'",
        [platformId],
      );
      await curse('no_end');
      const requested = { advance_seconds: 91 * DAY };
      expectProblem(await set(requested, headers), 'INTERNAL_ERROR');
      await world.sql('alter table facility_transitions drop constraint no_end');
      expect((await world.get(PATH, { key })).body.now).toBe(T0 + 91 * DAY);
      expect(await facility('k-accepted')).toMatchObject({ reviewed_at: T0 + 76 * DAY });

      expectProblem(await set(requested, headers), 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
      await world.sql(
        'update idempotency_keys set finishing_until = now() where finishing_until is not null',
      );
      const rest = await set(requested, headers);
      expect(rest).toMatchObject({ status: 200, body: { previous: T0, now: T0 + 91 * DAY } });
      expect((await facility('l-accepted')).status).toBe('EXPIRED');
      const replayed = await set(requested, headers);
      expect([replayed.text, replayed.headers.get('idempotency-replayed')]).toEqual([rest.text, 'true']);
      expect((await world.get(PATH, { key })).body.now).toBe(T0 + 91 * DAY);
    });
  });
});
