import { describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { findReview, listReviewTransitions } from '#modules/underwriting';
import { recorded, riskSourceOf } from '#test/credit-applications';
import { anna, OPENED_AT, reviewSetup } from '#test/credit-reviews';
import { decide as decideReview, openReviewOfRejection } from './review.commands.ts';

const setup = reviewSetup();
const opening = () => ({ db: db(), platformId: setup.platformId, actor: 'operator:anna', now: OPENED_AT });
const { db, referred, orderReview, decide, propose, approve, refuse, statusOf, triggersOf } = setup;

describe('one person', () => {
  it('accepts with all that the policy proposed', async () => {
    const reviewId = await referred();
    const { review, decision } = await decide(reviewId);
    expect(review).toMatchObject({
      status: 'DECIDED',
      outcome: 'ACCEPT',
      decided_limit_minor: 3_000_000,
      decided_by: 'operator:anna',
      final_decision_id: decision.decision_id,
      version: 2,
      updated_at: OPENED_AT + 60,
    });
    const [automatic, human] = await setup.decisions();
    expect(human).toEqual(decision);
    expect(human).toMatchObject({
      outcome: 'ACCEPT',
      limit_minor: 3_000_000,
      risk_band: 'B2',
      price_class: 'B',
      reasons: ['DECIDED_BY_PERSON'],
      buyer_reasons: ['LIMIT_GRANTED'],
      overrides: automatic?.decision_id,
      comment: 'Knows them well.',
      actor: 'operator:anna',
      approved_by: null,
      policy_version: null,
      inputs: null,
    });
  });

  it('accepts with less', async () => {
    expect((await decide(await referred(), { limitMinor: 1 })).decision.limit_minor).toBe(1);
  });

  it('rejects', async () => {
    const { decision, review } = await decide(await referred(), { outcome: 'REJECT' });
    expect(review).toMatchObject({ status: 'DECIDED', outcome: 'REJECT', decided_limit_minor: null });
    expect(decision).toMatchObject({
      limit_minor: null,
      risk_band: 'REJECT',
      buyer_reasons: ['NOT_POSSIBLE_NOW'],
    });
  });

  it.each([
    ['a cent more than the policy proposed', () => referred(), 3_000_001, 3_000_000],
    ['a cent more than the order', () => orderReview(`o-${setup.buyer}`), 50_001, 50_000],
    [
      'anything where nothing was proposed or asked for',
      () => orderReview(`o-${setup.buyer}`, null),
      1,
      null,
    ],
    ['anything, of which no amount was said', () => orderReview(`o-${setup.buyer}`, null), null, null],
    [
      'anything after a failure',
      async () => {
        const deps = { riskSource: riskSourceOf(undefined) };
        return (await recorded(setup.world, setup.buyer, { deps })).reviewId as string;
      },
      1,
      null,
    ],
  ])('may not grant %s', async (_what, open, limitMinor, limitMax) => {
    const reviewId = await open();
    await expect(decide(reviewId, { limitMinor })).rejects.toMatchObject({
      status: 422,
      reason: 'OVERRIDE_REQUIRED',
      details: { limit_max: limitMax },
    });
    expect(await statusOf(reviewId)).toBe('OPEN');
    expect(await triggersOf(reviewId)).toEqual(['open']);
  });

  it.each([
    ['', 'TOO_SHORT'],
    [' \u200b ', 'TOO_SHORT'],
    ['x'.repeat(1_001), 'TOO_LONG'],
    ['a\u0000b', 'INVALID_VALUE'],
  ])('must give a reason: %.20j is refused', async (reason, code) => {
    const reviewId = await referred();
    await expect(decide(reviewId, { reason })).rejects.toMatchObject({
      status: 400,
      issues: [{ code, path: 'body.reason' }],
    });
    await expect(propose(reviewId, 1, { reason })).rejects.toMatchObject({ status: 400 });
  });

  it.each([
    [0, 'TOO_SMALL'],
    [-1, 'TOO_SMALL'],
    [1.5, 'INVALID_TYPE'],
    [1_000_000_000_001, 'TOO_BIG'],
  ])('may not grant %s', async (limitMinor, code) => {
    const reviewId = await referred();
    const refusal = { status: 400, issues: [{ code, path: 'body.limit' }] };
    await expect(decide(reviewId, { limitMinor })).rejects.toMatchObject(refusal);
    await expect(propose(reviewId, limitMinor)).rejects.toMatchObject(refusal);
  });

  it('finds no unknown review, and none of another platform', async () => {
    const { platform } = await setup.world.addPlatform();
    const reviewId = await referred();
    for (const wrong of ['nonsense', '00000000-0000-0000-0000-000000000000'])
      await expect(decide(wrong)).rejects.toMatchObject({ status: 404 });
    const elsewhere = decideReview(
      { ...anna, db: db(), platformId: platform.platform_id },
      { reviewId, outcome: 'REJECT', reason: anna.reason },
    );
    await expect(elsewhere).rejects.toMatchObject({ status: 404 });
    expect(await findReview(db(), platform.platform_id, reviewId)).toBeUndefined();
  });
});

describe('two persons', () => {
  it('grant more than the policy proposed', async () => {
    const reviewId = await referred();
    expect(await propose(reviewId)).toMatchObject({
      status: 'AWAITING_APPROVAL',
      proposed_limit_minor: 4_000_000,
      proposed_by: 'operator:anna',
      outcome: null,
    });
    const { review, decision } = await approve(reviewId);
    expect(review).toMatchObject({
      status: 'DECIDED',
      outcome: 'ACCEPT',
      decided_by: 'operator:jan',
      version: 3,
    });
    expect(decision).toMatchObject({
      outcome: 'ACCEPT',
      limit_minor: 4_000_000,
      risk_band: 'B2',
      reasons: ['OVERRIDDEN_BY_PERSONS'],
      actor: 'operator:anna',
      approved_by: 'operator:jan',
      overrides: review.decision_id,
    });
    expect(await listReviewTransitions(db(), setup.platformId, reviewId)).toMatchObject([
      { version: 1, from_status: null, trigger: 'open', actor: 'key-1' },
      {
        version: 2,
        trigger: 'propose_override',
        limit_minor: 4_000_000,
        actor: 'operator:anna',
        reason: 'Knows them well.',
      },
      {
        version: 3,
        to_status: 'DECIDED',
        trigger: 'approve_override',
        actor: 'operator:jan',
        reason: 'Agreed.',
      },
    ]);
  });

  it('are two: the operator who proposed an override cannot approve it', async () => {
    const reviewId = await referred();
    await propose(reviewId);
    await expect(approve(reviewId, { actor: anna.actor })).rejects.toMatchObject({
      status: 422,
      reason: 'SECOND_PERSON_REQUIRED',
    });
    expect(await statusOf(reviewId)).toBe('AWAITING_APPROVAL');
  });

  it.each(['operator:nobody', 'Anna'])('are active: nothing that %s proposed is approved', async (actor) => {
    const reviewId = await referred();
    await propose(reviewId, 4_000_000, { actor });
    await expect(approve(reviewId)).rejects.toThrow(
      `${actor}, who proposed the change, is not an active operator with the role CREDIT: reject the change.`,
    );
    expect(await statusOf(reviewId)).toBe('AWAITING_APPROVAL');
  });

  it.each(['operator:jan', 'operator:anna'])(
    'may drop it: %s refuses, and the review is open again',
    async (actor) => {
      const reviewId = await referred();
      await propose(reviewId);
      expect(await refuse(reviewId, { actor })).toMatchObject({
        status: 'OPEN',
        proposed_limit_minor: null,
        proposed_by: null,
      });
      expect((await decide(reviewId)).decision.limit_minor).toBe(3_000_000);
      expect(await triggersOf(reviewId)).toEqual(['open', 'propose_override', 'refuse_override', 'decide']);
    },
  );

  it('grant what the policy rejected, which one person cannot', async () => {
    const { decisionId } = await recorded(setup.world, setup.buyer, {
      application: { daysPastDueMax: 90, requestedMinor: 500_000 },
    });
    const reviewId = await openReviewOfRejection(opening(), decisionId);
    await expect(decide(reviewId, { limitMinor: 1 })).rejects.toMatchObject({
      reason: 'OVERRIDE_REQUIRED',
      details: { limit_max: null },
    });
    await propose(reviewId, 300_000);
    const { decision } = await approve(reviewId);
    expect(decision).toMatchObject({
      limit_minor: 300_000,
      risk_band: 'D2',
      price_class: 'D',
      overrides: decisionId,
    });
  });

  it('go against rejections of the policy only', async () => {
    const { decisionId } = await recorded(setup.world, setup.buyer);
    const { decision } = await decide(await referred(), { outcome: 'REJECT' });
    for (const id of [decisionId, decision.decision_id, '00000000-0000-0000-0000-000000000000']) {
      await expect(openReviewOfRejection(opening(), id)).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe('several persons at once', () => {
  it('decide once: one succeeds, the others are refused', async () => {
    const reviewId = await referred();
    const requested = ['operator:anna', 'operator:jan', 'operator:eva', 'operator:olu'].map((actor, index) =>
      decide(reviewId, { actor, outcome: index % 2 === 0 ? 'ACCEPT' : 'REJECT' }),
    );
    const ended = await Promise.allSettled(requested);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of ended)
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ status: 409, reason: 'INVALID_STATUS_TRANSITION' });
    expect(await setup.decisions()).toHaveLength(2);
    expect(await triggersOf(reviewId)).toEqual(['open', 'decide']);
  });

  it('approve once, also while another one refuses', async () => {
    const reviewId = await referred();
    await propose(reviewId);
    const ended = await Promise.allSettled([
      approve(reviewId),
      refuse(reviewId),
      approve(reviewId, { actor: 'operator:eva' }),
    ]);
    const transitions = await triggersOf(reviewId);
    expect(transitions.filter((trigger) => trigger === 'approve_override').length).toBeLessThanOrEqual(1);
    expect(transitions).toHaveLength(2 + ended.filter(({ status }) => status === 'fulfilled').length);
  });

  it('leave nothing behind if the transaction ends badly', async () => {
    const reviewId = await referred();
    const failing = inTransaction(db(), async (on) => {
      const input = { reviewId, outcome: 'ACCEPT' as const, reason: anna.reason };
      await decideReview({ ...anna, db: on, platformId: setup.platformId }, input);
      throw new Error('The facility could not be written.');
    });
    await expect(failing).rejects.toThrow('The facility could not be written.');
    expect(await statusOf(reviewId)).toBe('OPEN');
    expect(await setup.decisions()).toHaveLength(1);
  });
});
