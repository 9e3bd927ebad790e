import { describe, expect, it } from 'vitest';
import { reviewSetup } from '#test/credit-reviews';
import { type ReviewStatus, type ReviewTrigger, reviewLifecycle } from './review.lifecycle.ts';
import { listReviewTransitions } from './review.queries.ts';

const setup = reviewSetup();
const { db, orderReview, decide, propose, approve, refuse, withdraw, statusOf } = setup;

describe('the lifecycle of a review', () => {
  /** Brings the review of an order to a status. */
  const BROUGHT: Record<ReviewStatus, (reviewId: string, order: string) => Promise<unknown>> = {
    OPEN: async () => {},
    AWAITING_APPROVAL: (reviewId) => propose(reviewId),
    DECIDED: (reviewId) => decide(reviewId),
    WITHDRAWN: (_reviewId, order) => withdraw([order]),
  };
  const PULLED: Partial<Record<ReviewTrigger, (reviewId: string) => Promise<unknown>>> = {
    decide: (reviewId) => decide(reviewId),
    propose_override: (reviewId) => propose(reviewId),
    approve_override: (reviewId) => approve(reviewId),
    refuse_override: (reviewId) => refuse(reviewId),
  };
  const pairs = reviewLifecycle.states.flatMap((status) =>
    (Object.keys(PULLED) as ReviewTrigger[]).map((trigger) => [status, trigger] as const),
  );

  it.each(pairs)('from %s by %s matches the table', async (status, trigger) => {
    const order = `order-${setup.buyer}`;
    const reviewId = await orderReview(order);
    await BROUGHT[status](reviewId, order);
    const before = await listReviewTransitions(db(), setup.platformId, reviewId);
    const transition = reviewLifecycle.transitions.find(
      (each) => each.from === status && each.trigger === trigger,
    );
    const pulling = PULLED[trigger]?.(reviewId);
    if (transition) {
      await pulling;
      expect(await statusOf(reviewId)).toBe(transition.to);
      const after = await listReviewTransitions(db(), setup.platformId, reviewId);
      expect(after.at(-1)).toMatchObject({ from_status: status, to_status: transition.to, trigger });
      expect(after).toHaveLength(before.length + 1);
      return;
    }
    await expect(pulling).rejects.toMatchObject({
      status: 409,
      reason: 'INVALID_STATUS_TRANSITION',
      details: {
        status,
        trigger,
        allowed: reviewLifecycle.transitions
          .filter((each) => each.from === status)
          .map((each) => each.trigger),
      },
    });
    expect(await statusOf(reviewId)).toBe(status);
    expect(await listReviewTransitions(db(), setup.platformId, reviewId)).toEqual(before);
  });

  it.each(['OPEN', 'AWAITING_APPROVAL'] as const)('ends from %s when the order is gone', async (status) => {
    const [order, other] = [`order-${setup.buyer}`, `other-${setup.buyer}`];
    const reviewId = await orderReview(order);
    const untouched = await orderReview(other);
    await BROUGHT[status](reviewId, order);
    expect((await withdraw([order])).map(({ review_id }) => review_id)).toEqual([reviewId]);
    expect([await statusOf(reviewId), await statusOf(untouched)]).toEqual(['WITHDRAWN', 'OPEN']);
  });

  it.each(['DECIDED', 'WITHDRAWN'] as const)('stays %s when the order is gone later', async (status) => {
    const order = `order-${setup.buyer}`;
    const reviewId = await orderReview(order);
    await BROUGHT[status](reviewId, order);
    expect(await withdraw([order])).toEqual([]);
    expect(await statusOf(reviewId)).toBe(status);
  });
});
