/** The insolvency of a buyer: a review in which it takes two operators to change anything. */
import { beforeEach, describe, expect, it } from 'vitest';
import { freezeFacility } from '#modules/facilities';
import { decideReview, refuseOverride } from '#modules/reviews';
import { takeWaitingReviews } from '#modules/underwriting';
import { act } from '#test/credit';
import { useDunning } from '#test/dunning';
import { useInsolvency } from '#test/insolvency';
import { INVOICING_NOW } from '#test/invoice-setup';
import { operate } from '#test/operator';
import { recordedEvents } from '#test/stored';
import { resumeReminders, stopReminders } from './stop-reminders.ts';

const { debtor, invoice, mailsAbout, show, until, world } = useDunning();
beforeEach(() => world().clock.set(INVOICING_NOW));

const DAY = 86_400;
const { approve, propose, reason, record, reject, reviewsOf, statusOf } = useInsolvency(world);
const resume = (externalId: string) =>
  act(world(), (context) => resumeReminders(context, { scope: 'BUYER', externalId }));
const eventsOf = async (buyer: string) =>
  (await recordedEvents(world(), buyer)).map(({ type }) => type).filter((type) => /FROZEN/.test(type));

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
