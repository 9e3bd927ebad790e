/** An insolvent buyer gets credit only by the decision of two operators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openAssessedFacility } from '#modules/facilities';
import { decideReview } from '#modules/reviews';
import { act } from '#test/credit';
import { useDunning } from '#test/dunning';
import { addBuyer, addFacility, assessNow } from '#test/facilities';
import { useInsolvency } from '#test/insolvency';
import { INVOICING_NOW } from '#test/invoice-setup';
import { untilAnyWaits } from '#test/lock-waits';
import { operate } from '#test/operator';
import { expectProblem } from '#test/problem';

const { debtor, world } = useDunning();
const { approve, propose, reason, record, reject, reviewsOf, statusOf } = useInsolvency(world);
beforeEach(() => world().clock.set(INVOICING_NOW));

describe('an insolvency', () => {
  it('keeps a facility that has expired from being renewed until it is lifted', async () => {
    const buyer = await debtor();
    await world().post('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger: 'expire' });
    const renew = () => world().post(`/v1/buyers/${buyer}/facility/renew`);
    const { reviewId, isFrozen } = await record(buyer);
    expect(isFrozen).toBe(true);
    expectProblem(await renew(), 'UNPROCESSABLE_ENTITY', 'FACILITY_FROZEN');
    await propose(reviewId);
    await approve(reviewId);
    expect(await statusOf(buyer)).toBe('EXPIRED');
    expect((await renew()).status).toBe(202);
  });

  it('leaves to two persons what the policy would grant, until it is lifted', async () => {
    const apply = () => world().post('/v1/buyers/applicant/facility', {});
    await addBuyer(world(), 'applicant');
    const { reviewId } = await record('applicant');
    const applied = await apply();
    expect(applied).toMatchObject({ status: 202, body: { status: 'PENDING' } });
    const [decision] = await world().sql(
      'select outcome, reasons, buyer_reasons, limit_minor, sources from credit_decisions where buyer_external_id = $1',
      ['applicant'],
    );
    expect(decision).toMatchObject({ outcome: 'REFER', limit_minor: null, buyer_reasons: ['NEEDS_REVIEW'] });
    expect(decision?.reasons).toContain('BUYER_INSOLVENT');
    expect(decision?.sources).toContainEqual({
      ...{ name: 'INSOLVENCY', at: INVOICING_NOW, data: { review_id: reviewId } },
    });
    const opened = (await reviewsOf('applicant')).find(
      (review: { subject: string }) => review.subject === 'FACILITY_CREATION',
    );
    const params = { review_id: opened?.review_id as string };
    const accept = { params, body: { outcome: 'ACCEPT', limit_amount: 100_000, reason } };
    await expect(operate(world(), decideReview, accept)).rejects.toMatchObject({
      reason: 'OVERRIDE_REQUIRED',
    });
    await reject(params.review_id);
    await propose(reviewId);
    await approve(reviewId);
    expect(await apply()).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
  });

  it('that is recorded between the assessment and the grant leaves it to two persons', async () => {
    await addBuyer(world(), 'overtaken');
    const assessed = await assessNow(world(), 'overtaken', 'CREATION');
    expect(assessed.assessment.outcome).toBe('ACCEPT');
    const { reviewId } = await record('overtaken');
    const { facility, assessment } = await act(world(), (context) => openAssessedFacility(context, assessed));
    expect(facility.status).toBe('PENDING');
    expect(assessment).toMatchObject({ outcome: 'REFER', limitMinor: null });
    expect(assessment.sources).toContainEqual(
      expect.objectContaining({ name: 'INSOLVENCY', data: { review_id: reviewId } }),
    );
  });

  it('that is recorded while a grant is about to commit freezes what was granted', async () => {
    await addBuyer(world(), 'granted');
    const assessed = await assessNow(world(), 'granted', 'CREATION');
    const granted = Promise.withResolvers<void>();
    const recording = granted.promise.then(() => record('granted'));
    await act(world(), async (context) => {
      await openAssessedFacility(context, assessed);
      granted.resolve();
      await untilAnyWaits(world());
    });
    expect(await recording).toMatchObject({ isFrozen: true });
    expect(await statusOf('granted')).toBe('FROZEN');
  });

  it('takes back what one person could have granted', async () => {
    const applied = await addFacility(world(), 'known-in-review');
    expect(applied.body.status).toBe('PENDING');
    const [review] = await reviewsOf('known-in-review');
    expect(review?.proposed_amount).toBeGreaterThan(0);
    await record('known-in-review');
    const params = { review_id: review?.review_id as string };
    const accept = { params, body: { outcome: 'ACCEPT', reason } };
    await expect(operate(world(), decideReview, accept)).rejects.toMatchObject({
      reason: 'OVERRIDE_REQUIRED',
      message: 'The buyer is insolvent: this needs a second person',
    });
    expect(await statusOf('known-in-review')).toBe('PENDING');
    await propose(params.review_id, { limit_amount: 100_000 });
    await approve(params.review_id);
    expect(await statusOf('known-in-review')).toBe('ACTIVE');
  });

  it('stands again if it is recorded again in the second in which it was lifted', async () => {
    await addBuyer(world(), 'relapsed');
    const { reviewId } = await record('relapsed');
    await propose(reviewId);
    await approve(reviewId);
    await record('relapsed');
    const applied = await world().post('/v1/buyers/relapsed/facility', {});
    expect(applied).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  });
});
