import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { facilityLifecycle } from '#modules/facilities';
import { buyerBody } from '#test/bodies';
import { auditCredit } from '#test/credit';
import { expectProblem, notFoundNamed } from '#test/problem';
import { facilityTransitions, ledgerEntries, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { FACILITY_TRIGGERS } from '../simulator.schemas.ts';

const PATH = '/v1/sandbox/facilities';
/** 2025-11-20 12:00 UTC. */
const T0 = 1_763_640_000;
const DAY = 86_400;

type Trigger = (typeof FACILITY_TRIGGERS)[number];

/** How to bring a facility into each status. */
const STATUSES: Record<string, Trigger[]> = {
  none: [],
  ACTIVE: ['grant'],
  REJECTED: ['reject'],
  FROZEN: ['grant', 'freeze'],
  EXPIRED: ['grant', 'expire'],
};

describe('POST /v1/sandbox/facilities', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(T0);
  });
  afterAll(() => world.close());

  const addBuyer = async (suffix = '') => {
    const external_id = `b${++made}${suffix}`;
    await world.post('/v1/buyers', buyerBody({ external_id }));
    return external_id;
  };
  const simulate = (buyer_external_id: string, trigger: string, total_amount?: number) =>
    world.post(PATH, { buyer_external_id, trigger, ...(total_amount !== undefined && { total_amount }) });
  const buyerIn = async (status: string, toMake?: Trigger) => {
    if (status === 'PENDING') {
      const buyer = await addBuyer('-in-review');
      expect((await world.post(`/v1/buyers/${buyer}/facility`, {})).status).toBe(202);
      return buyer;
    }
    const buyer = await addBuyer();
    const isFreezeKept = status === 'EXPIRED' && toMake === 'unfreeze';
    const triggers = isFreezeKept ? (['grant', 'freeze', 'expire'] as const) : (STATUSES[status] ?? []);
    for (const trigger of triggers) expect((await simulate(buyer, trigger)).status).toBe(200);
    return buyer;
  };
  const stored = async (buyer: string) => ({
    transitions: await facilityTransitions(world, buyer),
    entries: await ledgerEntries(world, { buyer }),
    events: (await recordedEvents(world, buyer)).flatMap(({ type }) =>
      type.startsWith('FACILITY.') ? [type] : [],
    ),
    reviews: await world.sql('select * from credit_reviews where buyer_external_id = $1', [buyer]),
    decisions: await world.sql('select * from credit_decisions where buyer_external_id = $1', [buyer]),
  });

  describe.each(['none', 'PENDING', ...Object.keys(STATUSES).slice(1)])(
    'of a facility that is %s',
    (status) => {
      it.each(FACILITY_TRIGGERS)('%s makes the transition of the lifecycle, or none', async (trigger) => {
        const buyer = await buyerIn(status, trigger);
        const before = await stored(buyer);
        const transition = facilityLifecycle.transitions.find(
          ({ from, trigger: other }) => (from ?? 'none') === status && other === trigger,
        );
        const reply = await simulate(buyer, trigger, trigger === 'increase' ? 9_000_000 : undefined);
        const after = await stored(buyer);
        if (!transition) {
          if (status === 'none') expectProblem(reply, 'NOT_FOUND');
          else {
            expectProblem(reply, 'CONFLICT', 'INVALID_STATUS_TRANSITION');
            const allowed = facilityLifecycle.transitions.filter(({ from }) => from === status);
            expect(reply.body.details).toMatchObject({ status, trigger });
            expect(reply.body.details.allowed).toEqual(allowed.map((each) => each.trigger));
          }
          expect(after).toEqual(before);
          return;
        }
        expect(reply).toMatchObject({
          status: 200,
          body: { status: transition.to, buyer_external_id: buyer },
        });
        expect(reply.headers.get('etag')).toBe(`"${after.transitions.at(-1)?.version}"`);
        expect(after.transitions.slice(before.transitions.length)).toMatchObject([
          {
            from_status: transition.from,
            to_status: transition.to,
            trigger,
            actor: 'sandbox',
            transitioned_at: expect.anything(),
          },
        ]);
        expect(after.events.slice(before.events.length)).toEqual([transition.event]);
        expect(after.entries.length - before.entries.length).toBe(transition.credit === 'limit' ? 1 : 0);
      });
    },
  );

  it('grants 10,000 units of the currency by default, else the requested limit', async () => {
    expect((await simulate(await addBuyer(), 'grant')).body).toMatchObject({
      total_amount: 1_000_000,
      available_amount: 1_000_000,
      currency: 'EUR',
      risk_band: 'B2',
      expires_at: T0 + 90 * DAY,
    });
    expect((await simulate(await addBuyer(), 'grant', 77)).body.total_amount).toBe(77);
  });

  it('renews with the current limit, and raises it to the requested one', async () => {
    const buyer = await addBuyer('-in-review');
    await simulate(buyer, 'grant', 500);
    expect((await simulate(buyer, 'renew')).body).toMatchObject({ total_amount: 500 });
    expect((await simulate(buyer, 'renew', 300)).body).toMatchObject({ total_amount: 300 });
    await world.post(`/v1/buyers/${buyer}/facility/increase`, { requested_amount: 4_000 });
    expect((await simulate(buyer, 'increase')).body).toMatchObject({
      total_amount: 4_000,
      pending_actions: [],
    });
  });

  it('ends the review that is under way, as decided by the sandbox', async () => {
    const buyer = await buyerIn('PENDING');
    const { body } = await simulate(buyer, 'grant', 123_456);
    expect(body).toMatchObject({ status: 'ACTIVE', total_amount: 123_456, pending_actions: [] });
    const { reviews, decisions } = await stored(buyer);
    const decision = decisions.find(({ actor }) => actor === 'sandbox');
    expect(decision).toMatchObject({
      subject: 'FACILITY_CREATION',
      outcome: 'ACCEPT',
      limit_minor: '123456',
      reasons: ['SANDBOX_SIMULATOR'],
    });
    expect(reviews).toMatchObject([
      {
        status: 'DECIDED',
        outcome: 'ACCEPT',
        decided_by: 'sandbox',
        final_decision_id: decision?.decision_id,
      },
    ]);
  });

  it('ends the period at once', async () => {
    const buyer = await addBuyer();
    await simulate(buyer, 'grant');
    expect((await simulate(buyer, 'expire')).body).toMatchObject({ expires_at: T0, available_amount: 0 });
    expect((await world.post('/v1/sandbox/clock', { now: T0 + 10 * DAY })).body.transitions).toEqual([]);
    await world.sql('update platforms set clock_ahead_seconds = 0');
  });

  it('leaves every ledger explaining its facility', async () => {
    expect(await auditCredit(world)).toEqual([]);
  });

  it('makes one of many concurrent requests, and answers the others with the new status', async () => {
    const buyer = await addBuyer();
    const replies = await Promise.all(Array.from({ length: 8 }, () => simulate(buyer, 'grant')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expectProblem(reply, 'CONFLICT', 'INVALID_STATUS_TRANSITION');
    expect((await stored(buyer)).transitions).toHaveLength(1);
  });

  describe('400', () => {
    it.each([
      ['an unknown trigger', { trigger: 'override' }, 'INVALID_ENUM', 'body.trigger'],
      ['no trigger', {}, 'REQUIRED', 'body.trigger'],
      ['no limit at all', { trigger: 'grant', total_amount: 0 }, 'TOO_SMALL', 'body.total_amount'],
      [
        'a limit with what grants none',
        { trigger: 'freeze', total_amount: 5 },
        'INVALID_VALUE',
        'body.total_amount',
      ],
    ])('refuses %s', async (_, body, code, path) => {
      const buyer_external_id = await buyerIn('ACTIVE');
      const reply = await world.post(PATH, { buyer_external_id, ...body });
      expectProblem(reply, 'BAD_REQUEST');
      expect(reply.body.issues).toMatchObject([{ code, path }]);
    });
  });

  it('422: refuses an increase that is not above the limit', async () => {
    for (const amount of [undefined, 1_000_000, 999_999]) {
      const reply = await simulate(await buyerIn('ACTIVE'), 'increase', amount);
      expectProblem(reply, 'UNPROCESSABLE_ENTITY', 'INCREASE_NOT_ABOVE_LIMIT');
      expect(reply.body.details).toMatchObject({ requested: amount ?? 1_000_000, total_amount: 1_000_000 });
    }
  });

  it('404: for an unknown buyer', async () => {
    for (const trigger of FACILITY_TRIGGERS)
      expect((await simulate('nobody', trigger)).body).toEqual(
        notFoundNamed('body.buyer_external_id', 'nobody'),
      );
  });

  it('403: needs the scope admin, and a key of the whole platform', async () => {
    const body = { buyer_external_id: await addBuyer(), trigger: 'grant' };
    const writing = await world.addKey({ scopes: ['orders:write'] });
    expectProblem(await world.post(PATH, body, { key: writing }), 'FORBIDDEN', 'INSUFFICIENT_SCOPE');
    const restricted = await world.addKey({ merchantExternalId: 'm1' });
    expectProblem(await world.post(PATH, body, { key: restricted }), 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
  });
});
