/** The model of reviews. */
import * as facilities from './facility.ts';
import { confirm, decline, settleWaiting } from './order.ts';
import {
  type Action,
  type Answer,
  done,
  illegal,
  isRefused,
  type Model,
  openReview,
  type Review,
  refused,
  type Verdict,
} from './state.ts';

const ALLOWED: Record<Review['status'], readonly string[]> = {
  OPEN: ['decide', 'propose_override', 'withdraw'],
  AWAITING_APPROVAL: ['approve_override', 'refuse_override', 'withdraw'],
  ENDED: [],
};

/** One person's decision; null grants the maximum that one person may grant. */
export function decideReviewNumber(
  model: Model,
  about: Review,
  verdict: Verdict,
  limit: number | null,
  at = model.now,
): Answer {
  if (about.status !== 'OPEN') return illegal(ALLOWED[about.status]);
  const granted = limit ?? about.aloneMax;
  if (verdict === 'REJECT') return conclude(model, about, verdict, 0, at);
  if (granted === null || about.aloneMax === null || granted > about.aloneMax)
    return refused(422, 'OVERRIDE_REQUIRED');
  return conclude(model, about, verdict, granted, at);
}

/** A decision of a person who knows the company that gets credit. A sandbox script counts as one. */
export function decideAsPerson(
  model: Model,
  about: Review,
  verdict: Verdict,
  limit: number | null,
  at = model.now,
): Answer {
  const answer = decideReviewNumber(model, about, verdict, limit, at);
  return knownByPerson(model, about, verdict, answer, at);
}

function knownByPerson(model: Model, about: Review, verdict: Verdict, answer: Answer, at: number): Answer {
  if (!isRefused(answer) && verdict === 'ACCEPT' && !about.order) model.company.grantedByPersonAt = at;
  return answer;
}

function conclude(model: Model, about: Review, verdict: Verdict, limit: number, at: number): Answer {
  const isSettling = !about.order && settlesOrders(model, about, verdict);
  const answer = about.order
    ? verdict === 'ACCEPT'
      ? confirm(model, about.order, at)
      : decline(model, about.order)
    : facilities.concludeFacilityReview(model, about, verdict, limit, at);
  if (isRefused(answer)) return answer;
  about.status = 'ENDED';
  if (isSettling) settleWaiting(model, about.about as Action, at);
  return done();
}

/** Orders wait for the first limit and for increases. A rejection that nothing waits for has no effect. */
function settlesOrders({ facility }: Model, { about, number }: Review, verdict: Verdict): boolean {
  if (verdict === 'REJECT' && facility?.actions.get(about as Action) !== number) return false;
  return facility?.status === 'PENDING' || about === 'INCREASE';
}

/** A simulator's decision on an order's review. */
export function simulateDecision(
  model: Model,
  about: Action,
  verdict: Verdict,
  total: number | null,
): Answer {
  const isSettling = model.facility?.status === 'PENDING' || about === 'INCREASE';
  const answer = facilities.simulateDecision(model, about, verdict, total);
  if (isSettling && !isRefused(answer)) settleWaiting(model, about, model.now);
  return answer;
}

export function proposeOverride(about: Review, limit: number): Answer {
  if (about.status !== 'OPEN') return illegal(ALLOWED[about.status]);
  about.status = 'AWAITING_APPROVAL';
  about.proposed = limit;
  return done();
}

export function approveOverride(model: Model, about: Review, isSamePerson: boolean): Answer {
  if (about.status !== 'AWAITING_APPROVAL') return illegal(ALLOWED[about.status]);
  if (isSamePerson) return refused(422, 'SECOND_PERSON_REQUIRED');
  const answer = conclude(model, about, 'ACCEPT', about.proposed ?? 0, model.now);
  return knownByPerson(model, about, 'ACCEPT', answer, model.now);
}

/** Opens the review again; a script that was due in between is due now. */
export function refuseOverride(model: Model, about: Review): Answer {
  if (about.status !== 'AWAITING_APPROVAL') return illegal(ALLOWED[about.status]);
  about.status = 'OPEN';
  about.proposed = null;
  if (about.scripted) about.scripted.at = Math.max(about.scripted.at, model.now);
  return done();
}

/** Proposes an override of the policy's last rejection. */
export function overrideRejection(model: Model, limit: number): Answer {
  const { refusal } = model;
  if (!refusal) return refused(404);
  const { about, requested } = refusal;
  refusal.review ??= openReview(model, { about, order: null, requested, aloneMax: null, scripted: null });
  const proposed = proposeOverride(refusal.review, limit);
  return isRefused(proposed) ? proposed : done(201);
}
