/** The insolvency of a buyer: a review that only two operators end otherwise than as it is. */
import { beforeEach, describe, expect, it } from 'vitest';
import { freezeFacility, openAssessedFacility } from '#modules/facilities';
import {
  approveOverride,
  decideReview,
  listReviews,
  proposeOverride,
  refuseOverride,
} from '#modules/reviews';
import { takeWaitingReviews } from '#modules/underwriting';
import { act, facilityOf } from '#test/credit';
import { useDunning } from '#test/dunning';
import { addBuyer, addFacility, assessNow } from '#test/facilities';
import { INVOICING_NOW } from '#test/invoice-setup';
import { operate } from '#test/operator';
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { until as waitUntil } from '#test/until';
import { recordInsolvency } from './insolvency.ts';
import { resumeReminders, stopReminders } from './stop-reminders.ts';

const { debtor, invoice, mailsAbout, show, until, world } = useDunning();
beforeEach(() => world().clock.set(INVOICING_NOW));

const DAY = 86_400;
const reason = 'The court has opened it.';
const record = (buyerExternalId: string) =>
  act(world(), (context) => recordInsolvency(context, { buyerExternalId, reason }));
const resume = (externalId: string) =>
  act(world(), (context) => resumeReminders(context, { scope: 'BUYER', externalId }));
const reviewsOf = async (buyer: string) =>
  (await operate(world(), listReviews, { query: { buyer_external_id: [buyer] } })).items;
const statusOf = async (buyer: string) => (await facilityOf(world(), buyer)).status;
const eventsOf = async (buyer: string) =>
  (await recordedEvents(world(), buyer)).map(({ type }) => type).filter((type) => /FROZEN/.test(type));

/** Whether a transaction waits for another one. */
const isAnyWaiting = async () => {
  const waiting = await world().sql(
    `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where a.datname = current_database() and not l.granted`,
  );
  return waiting.length > 0;
};

/** As an operator gives the command: a review that is decided by one, or by two. */
const reject = (review_id: string) =>
  operate(world(), decideReview, { params: { review_id }, body: { outcome: 'REJECT', reason } });
const propose = (review_id: string, more: object = {}) =>
  operate(world(), proposeOverride, { params: { review_id }, body: { reason, ...more } });
const approve = (review_id: string, by = 'jan') =>
  operate(world(), approveOverride, { params: { review_id }, body: { reason } }, by);

async function insolvent() {
  const buyer = await debtor();
  const late = await invoice(buyer);
  await until('2025-12-12');
  const { reviewId, isFrozen } = await record(buyer);
  return { buyer, late, reviewId, isFrozen };
}

describe('an insolvency', () => {
  it('opens a review in the queue of operators, with what they were told', async () => {
    const { buyer, reviewId, isFrozen } = await insolvent();
    expect(isFrozen).toBe(true);
    expect(await reviewsOf(buyer)).toMatchObject([
      {
        ...{ review_id: reviewId, status: 'OPEN', subject: 'INSOLVENCY', reasons: ['BUYER_INSOLVENT'] },
        ...{ currency: 'EUR', requested_amount: null, proposed_amount: null, order_external_id: null },
      },
    ]);
    const [opened] = await world().sql(
      'select actor, reason from credit_review_transitions where review_id = $1',
      [reviewId],
    );
    expect(opened).toEqual({ actor: expect.any(String), reason });
    expect(await world().sql('select 1 from credit_decisions where buyer_external_id = $1', [buyer])).toEqual(
      [],
    );
  });

  it('is told to support like any other review that waits for more than a day', async () => {
    const { reviewId } = await insolvent();
    const later = world().clock.now() + 2 * DAY;
    const waiting = await takeWaitingReviews(world().installation.db, later, DAY, 100);
    expect(waiting.map(({ review_id }) => review_id)).toContain(reviewId);
  });

  it('of a buyer without a facility opens one too', async () => {
    await world().sql("delete from facilities where buyer_external_id = 'stranger'");
    expect(await record('stranger')).toMatchObject({ isFrozen: false });
    expect(await reviewsOf('stranger')).toMatchObject([{ subject: 'INSOLVENCY', currency: 'EUR' }]);
  });

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
      await waitUntil(isAnyWaiting);
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

  it('is recorded once, also by operators who race', async () => {
    const buyer = await debtor();
    const both = await Promise.allSettled([record(buyer), record(buyer)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(record(buyer)).rejects.toThrow(
      /waits for a decision: see tradeline review show --review [\da-f-]{36}/,
    );
    expect(await reviewsOf(buyer)).toHaveLength(1);
    await expect(record('nobody')).rejects.toThrow('There is no buyer nobody.');
  });
});

describe('one operator', () => {
  it('says that it stands: nothing changes, and the review is over', async () => {
    const { buyer, late, reviewId } = await insolvent();
    const sent = (await mailsAbout(late)).length;
    expect(await reject(reviewId)).toMatchObject({
      status: 'DECIDED',
      outcome: 'REJECT',
      decided_amount: null,
    });
    await until('2026-01-30');
    expect((await show(late)).dunning.paused_by).toBe('INSOLVENCY');
    expect(await mailsAbout(late)).toHaveLength(sent);
    expect(await statusOf(buyer)).toBe('FROZEN');
    expect(await world().sql('select 1 from credit_decisions where buyer_external_id = $1', [buyer])).toEqual(
      [],
    );
  });

  it('cannot lift it: by a decision, by an own approval, or by resuming the reminders', async () => {
    const { buyer, reviewId } = await insolvent();
    const accept = { params: { review_id: reviewId }, body: { outcome: 'ACCEPT', reason } };
    await expect(operate(world(), decideReview, accept)).rejects.toMatchObject({
      reason: 'OVERRIDE_REQUIRED',
      message: 'Lifting an insolvency needs a second person',
      details: { limit_max: null },
    });
    await propose(reviewId);
    await expect(approve(reviewId, 'ada')).rejects.toMatchObject({ reason: 'SECOND_PERSON_REQUIRED' });
    await expect(resume(buyer)).rejects.toThrow(`The insolvency of buyer ${buyer} waits for a decision`);
    expect(await statusOf(buyer)).toBe('FROZEN');
  });

  it('names no limit, which there is none of', async () => {
    const { reviewId } = await insolvent();
    const limit = { issues: [{ path: 'body.limit', code: 'INVALID_VALUE' }] };
    await expect(propose(reviewId, { limit_amount: 100 })).rejects.toMatchObject(limit);
    const decided = { outcome: 'REJECT', limit_amount: 100, reason };
    await expect(
      operate(world(), decideReview, { params: { review_id: reviewId }, body: decided }),
    ).rejects.toMatchObject(limit);
  });

  it('resumes the reminders once it was decided that it stands', async () => {
    const { buyer, late, reviewId } = await insolvent();
    await reject(reviewId);
    await resume(buyer);
    await until('2025-12-15');
    expect((await show(late)).dunning.status).toBe('RUNNING');
    expect(await statusOf(buyer)).toBe('FROZEN');
  });
});

describe('two operators', () => {
  it('lift it: the facility is usable, and the reminders go on', async () => {
    const { buyer, late, reviewId } = await insolvent();
    expect(await propose(reviewId)).toMatchObject({ status: 'AWAITING_APPROVAL', override_amount: null });
    expect(await statusOf(buyer)).toBe('FROZEN');
    expect(await approve(reviewId)).toMatchObject({
      ...{ status: 'DECIDED', outcome: 'ACCEPT', decided_amount: null, decided_by: 'operator:jan' },
    });
    expect(await statusOf(buyer)).toBe('ACTIVE');
    expect(await eventsOf(buyer)).toEqual(['FACILITY.FROZEN', 'FACILITY.UNFROZEN']);
    await until('2025-12-15');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', kind: 'REMINDER' });
  });

  it('refuse to lift it: the review is open again', async () => {
    const { buyer, reviewId } = await insolvent();
    await propose(reviewId);
    await operate(world(), refuseOverride, { params: { review_id: reviewId }, body: { reason } }, 'jan');
    expect(await reviewsOf(buyer)).toMatchObject([{ status: 'OPEN' }]);
    expect(await statusOf(buyer)).toBe('FROZEN');
  });

  it('leave a freeze of another reason, and stops of other causes', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    const fraud = { params: { external_id: buyer }, body: { reason: 'Fraud is suspected.' } };
    await operate(world(), freezeFacility, fraud);
    await act(world(), (context) =>
      stopReminders(context, {
        ...{ cause: 'STOP_LIST', scope: { scope: 'INVOICE', externalId: late }, untilOn: null },
        ...{ promisedMinor: null, reason: 'As agreed.' },
      }),
    );
    world().clock.set(INVOICING_NOW + DAY);
    const { reviewId, isFrozen } = await record(buyer);
    expect(isFrozen).toBe(false);
    await propose(reviewId);
    await approve(reviewId);
    expect(await statusOf(buyer)).toBe('FROZEN');
    await until('2026-01-12');
    expect((await show(late)).dunning.paused_by).toBe('STOP_LIST');
  });

  it('record it again after it was lifted', async () => {
    const { buyer, reviewId } = await insolvent();
    await propose(reviewId);
    await approve(reviewId);
    expect(await record(buyer)).toMatchObject({ isFrozen: true });
    expect(await reviewsOf(buyer)).toHaveLength(2);
  });
});
