import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#kernel/problem';
import { buyerBody } from '#test/bodies';
import { auditCredit } from '#test/credit';
import { operatorOf } from '#test/operator';
import { addParties, STATES } from '#test/order-statuses';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { decideReview, listReviews } from '../index.ts';

const T0 = 1_763_640_000;
const DAY = 86_400;

describe('decideReview', () => {
  let world: World;
  let ada: ReturnType<typeof operatorOf>;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(T0);
    ada = operatorOf(world, 'ada');
    await addParties(world);
  });
  afterAll(() => world.close());

  const reviewOf = async (filter: object): Promise<string> =>
    (await ada(listReviews, { query: { ...filter, status: ['OPEN'] } })).items[0].review_id;
  const apply = async (requested_amount?: number) => {
    const buyer = `b${++made}-in-review`;
    await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
    const options = requested_amount === undefined ? {} : { requested_amount };
    expect((await world.post(`/v1/buyers/${buyer}/facility`, options)).status).toBe(202);
    return { buyer, review_id: await reviewOf({ buyer_external_id: [buyer] }) };
  };
  const decide = (review_id: string, body: object, by = ada) =>
    by(decideReview, { params: { review_id }, body: { reason: 'Looked at it.', ...body } });
  const facility = async (buyer: string) => (await world.get(`/v1/buyers/${buyer}/facility`)).body;
  const refusal = async (work: Promise<unknown>): Promise<Problem> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Problem);
    return error as Problem;
  };

  it('grants a facility with its event, its entry and its history, and who did it', async () => {
    const { buyer, review_id } = await apply(70_000);
    const decided = await decide(review_id, { outcome: 'ACCEPT', limit_amount: 60_000 });
    expect(decided).toMatchObject({ status: 'DECIDED', outcome: 'ACCEPT', decided_amount: 60_000 });
    expect(await facility(buyer)).toMatchObject({
      status: 'ACTIVE',
      total_amount: 60_000,
      reviewed_at: T0,
      expires_at: T0 + 90 * DAY,
      pending_actions: [],
    });
    const transitions = await world.sql(
      `select m.trigger, m.actor, m.reason, d.outcome, d.limit_minor::int as limit from facility_transitions m
      join credit_decisions d using (platform_id, decision_id)
      where m.buyer_external_id = $1 order by m.version`,
      [buyer],
    );
    expect(transitions.at(-1)).toEqual({
      trigger: 'grant',
      actor: 'operator:ada',
      reason: 'Looked at it.',
      outcome: 'ACCEPT',
      limit: 60_000,
    });
    const events = await recordedEvents(world, buyer);
    expect(events.filter(({ type }) => type === 'FACILITY.CREATION.ACCEPTED')).toHaveLength(1);
  });

  it('grants all that one person may if no limit is given', async () => {
    const { buyer, review_id } = await apply(70_000);
    await decide(review_id, { outcome: 'ACCEPT' });
    expect((await facility(buyer)).total_amount).toBe(70_000);
  });

  it('rejects, and the buyer may apply again', async () => {
    const { buyer, review_id } = await apply();
    await decide(review_id, { outcome: 'REJECT' });
    expect(await facility(buyer)).toMatchObject({ status: 'REJECTED', total_amount: 0, risk_band: 'REJECT' });
    expect((await world.post(`/v1/buyers/${buyer}/facility`, {})).status).toBe(202);
  });

  it('decides a renewal, and an increase', async () => {
    const { buyer, review_id } = await apply(70_000);
    await decide(review_id, { outcome: 'ACCEPT' });
    await world.post(`/v1/buyers/${buyer}/facility/increase`, { requested_amount: 90_000 });
    expect((await facility(buyer)).pending_actions).toMatchObject([{ type: 'INCREASE' }]);
    await decide(await reviewOf({ buyer_external_id: [buyer] }), { outcome: 'ACCEPT', limit_amount: 80_000 });
    expect(await facility(buyer)).toMatchObject({ total_amount: 80_000, pending_actions: [] });

    await world.post(`/v1/buyers/${buyer}/facility/renew`);
    await decide(await reviewOf({ buyer_external_id: [buyer] }), { outcome: 'REJECT' });
    expect(await facility(buyer)).toMatchObject({
      status: 'ACTIVE',
      total_amount: 80_000,
      pending_actions: [],
    });
  });

  it('confirms an order that waits, or declines it', async () => {
    for (const [outcome, status] of [
      ['ACCEPT', 'CONFIRMED'],
      ['REJECT', 'CANCELLED'],
    ]) {
      const id = `waits-${outcome}`;
      await STATES.PENDING_CONFIRMATION(world, id);
      await decide(await reviewOf({ order_external_id: [id] }), { outcome });
      const { body } = await world.get(`/v1/orders/${id}`);
      expect(body).toMatchObject({ status, cancellation_reason: outcome === 'ACCEPT' ? null : 'RISK' });
    }
  });

  it('decides nothing if the order can no longer be confirmed: the review stays open', async () => {
    await STATES.PENDING_CONFIRMATION(world, 'too-late');
    const review_id = await reviewOf({ order_external_id: ['too-late'] });
    await world.post('/v1/sandbox/facilities', { buyer_external_id: 'late', trigger: 'freeze' });
    expect(await refusal(decide(review_id, { outcome: 'ACCEPT' }))).toMatchObject({
      reason: 'FACILITY_FROZEN',
    });
    expect(await reviewOf({ order_external_id: ['too-late'] })).toBe(review_id);
    await world.post('/v1/sandbox/facilities', { buyer_external_id: 'late', trigger: 'unfreeze' });
    await decide(review_id, { outcome: 'ACCEPT' });
    expect((await world.get('/v1/orders/too-late')).body.status).toBe('CONFIRMED');
  });

  it('is won by one of two persons who decide at once', async () => {
    const { buyer, review_id } = await apply(70_000);
    const outcomes = await Promise.allSettled([
      decide(review_id, { outcome: 'ACCEPT' }),
      decide(review_id, { outcome: 'REJECT' }, operatorOf(world, 'ben')),
    ]);
    const lost = outcomes.filter((each) => each.status === 'rejected');
    expect(lost).toHaveLength(1);
    expect(lost[0]?.reason).toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: { status: 'DECIDED', allowed: [] },
    });
    expect(await facilityTransitions(world, buyer)).toHaveLength(2);
  });

  it('is refused for a decided review, an unknown one, more than one person may grant, and without a reason', async () => {
    const { review_id } = await apply(70_000);
    expect(await refusal(decide(review_id, { outcome: 'ACCEPT', limit_amount: 70_001 }))).toMatchObject({
      reason: 'OVERRIDE_REQUIRED',
      details: { limit_max: 70_000 },
    });
    expect(await refusal(decide(review_id, { outcome: 'ACCEPT', reason: ' ' }))).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await decide(review_id, { outcome: 'REJECT' });
    expect(await refusal(decide(review_id, { outcome: 'ACCEPT' }))).toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
    });
    expect(await refusal(decide('nonsense', { outcome: 'ACCEPT' }))).toMatchObject({ code: 'NOT_FOUND' });
    const other = { ...world, platform: (await world.addPlatform()).platform };
    expect(await refusal(decide(review_id, { outcome: 'ACCEPT' }, operatorOf(other, 'eve')))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('leaves every ledger explaining its facility', async () => {
    expect(await auditCredit(world)).toEqual([]);
  });
});
