/** The model of a facility: decisions, time and operators. */
import { follow, freezeIfDissolved, type PolicyAnswer, type Proof, policyAnswer } from './company.ts';
import {
  type Action,
  type Answer,
  DAY_SECONDS,
  done,
  type Facility,
  type FacilityStatus,
  illegal,
  isRefused,
  type Model,
  openReview,
  type Review,
  refused,
  scriptedEnd,
  type Verdict,
} from './state.ts';

const CYCLE_DAYS = 90;
const RENEWAL_LEAD_DAYS = 14;
/** Minor units that scripts grant; the latter if the policy grants nothing. */
const LOW_LIMIT = 10_000;
const SCRIPTED_LIMIT = 1_000_000;
/** The limit that a simulator grants without a requested or current limit. */
const SIMULATED_LIMIT = 1_000_000;
const MINOR_UNITS_PER_UNIT = 100;

const ALLOWED: Record<FacilityStatus, readonly string[]> = {
  PENDING: ['grant', 'reject'],
  REJECTED: ['grant', 'refer', 'reject'],
  ACTIVE: [
    ...['renew', 'refer_renewal', 'reject_renewal'],
    ...['increase', 'refer_increase', 'reject_increase'],
    ...['override', 'freeze', 'freeze_dissolved', 'expire'],
  ],
  FROZEN: ['unfreeze', 'renew', 'refer_renewal', 'reject_renewal', 'reject_increase', 'expire'],
  EXPIRED: ['freeze', 'unfreeze', 'renew', 'refer_renewal', 'reject_renewal', 'reject_increase'],
};

/** The trigger of each decision. */
export const TRIGGERS = {
  CREATION: { ACCEPT: 'grant', REFER: 'refer', REJECT: 'reject' },
  RENEWAL: { ACCEPT: 'renew', REFER: 'refer_renewal', REJECT: 'reject_renewal' },
  INCREASE: { ACCEPT: 'increase', REFER: 'refer_increase', REJECT: 'reject_increase' },
} as const;

/** Why the trigger is refused; null if it is not. A freeze that outlasts the period refuses the renewal. */
function refusalOf({ status, frozenAt }: Facility, trigger: string): Answer | null {
  const isFrozen = frozenAt !== null;
  if (status === 'EXPIRED' && trigger === (isFrozen ? 'freeze' : 'unfreeze'))
    return illegal(ALLOWED[status].filter((each) => each !== trigger));
  if (!ALLOWED[status].includes(trigger)) return illegal(ALLOWED[status]);
  return status === 'EXPIRED' && isFrozen && ['renew', 'refer_renewal'].includes(trigger)
    ? refused(422, 'FACILITY_FROZEN')
    : null;
}

type Decision = Exclude<PolicyAnswer, { outcome: 'REJECT' }> | { outcome: 'REJECT' };

/** Applies the buyer's script to the policy's answer. */
function decisionOf(model: Model, about: Action, requested: number | null, proof: Proof): Decision {
  const granted = (limit: number) => Math.min(limit, requested ?? limit);
  const answer = policyAnswer(model, proof);
  const policyLimit = answer.limit ?? SCRIPTED_LIMIT;
  switch (model.script) {
    case 'none':
      return answer.outcome === 'REJECT' ? answer : { ...answer, limit: granted(answer.limit) };
    case 'rejected':
      return { outcome: 'REJECT' };
    case 'in-review':
    case 'review-then-accept':
    case 'review-then-reject':
      return { outcome: 'REFER', limit: granted(policyLimit) };
    case 'low-limit':
      return { outcome: 'ACCEPT', limit: granted(LOW_LIMIT) };
    case 'renewal-lower': {
      const present = model.facility?.total ?? 0;
      if (about !== 'RENEWAL' || present === 0) return { outcome: 'ACCEPT', limit: granted(policyLimit) };
      const units = Math.max(1, Math.floor(Math.ceil(present / MINOR_UNITS_PER_UNIT) / 2));
      return { outcome: 'ACCEPT', limit: granted(units * MINOR_UNITS_PER_UNIT) };
    }
    case 'accepted':
      return { outcome: 'ACCEPT', limit: granted(policyLimit) };
  }
}

/** The policy decides immediately, or refers to a person. */
export function evaluatePolicyFor(
  model: Model,
  about: Action,
  requested: number | null,
  at: number,
  proof: Proof = 'NOT_ASKED',
): void {
  const decision = decisionOf(model, about, requested, proof);
  if (!model.facility) model.facility = noFacility();
  const { facility } = model;
  follow(model, facility);
  model.refusal = decision.outcome === 'REJECT' ? { about, requested, review: null } : null;
  if (decision.outcome !== 'REFER') {
    const judgement = decision.outcome === 'REJECT' ? 'REJECT' : 'REFER';
    const limit = decision.outcome === 'REJECT' ? 0 : decision.limit;
    settle(model, about, decision.outcome, limit, at, model.script === 'none' ? judgement : null);
    return;
  }
  const scripted = scriptedEnd(model.script, at);
  const opened = openReview(model, { about, order: null, requested, aloneMax: decision.limit, scripted });
  facility.actions.set(about, opened.number);
  if (about === 'CREATION') facility.status = 'PENDING';
  if (about === 'RENEWAL') facility.renewalDueAt = null;
}

const noFacility = (): Facility => ({
  status: 'PENDING',
  total: 0,
  expiresAt: null,
  renewalDueAt: null,
  isFollowing: false,
  judgement: null,
  frozenAt: null,
  actions: new Map(),
});

/** Applies a decision that the status allows to the current facility. */
function settle(
  model: Model,
  about: Action,
  verdict: Verdict,
  limit: number,
  at: number,
  judgement: Facility['judgement'] = null,
): void {
  const facility = model.facility as Facility;
  facility.actions.delete(about);
  // An increase that is not granted leaves the previous decision in force.
  if (about !== 'INCREASE' || (verdict === 'ACCEPT' && limit > facility.total))
    facility.judgement = judgement;
  if (about === 'RENEWAL') facility.renewalDueAt = null;
  if (verdict === 'REJECT') {
    if (about === 'CREATION') facility.status = 'REJECTED';
    return;
  }
  // An increase to a limit that is not higher is a rejection.
  if (about === 'INCREASE' && limit <= facility.total) return;
  facility.total = limit;
  if (about === 'INCREASE') return;
  const start = startOfPeriod(facility, at);
  facility.expiresAt = start + CYCLE_DAYS * DAY_SECONDS;
  facility.renewalDueAt = start + (CYCLE_DAYS - RENEWAL_LEAD_DAYS) * DAY_SECONDS;
  if (facility.status !== 'FROZEN') facility.status = 'ACTIVE';
  freezeIfDissolved(model, facility, at);
}

/** In the last 14 days of a period, the next one starts at its end; otherwise it starts at the decision. */
function startOfPeriod({ expiresAt }: Facility, at: number): number {
  const left = (expiresAt ?? 0) - at;
  return expiresAt !== null && left > 0 && left <= RENEWAL_LEAD_DAYS * DAY_SECONDS ? expiresAt : at;
}

/** Applies the decision of persons, a script or a simulator; refused if the status does not allow it. */
function decide(model: Model, about: Action, verdict: Verdict, limit: number, at: number): Answer {
  const facility = model.facility as Facility;
  const isNoIncrease = about === 'INCREASE' && verdict === 'ACCEPT' && limit <= facility.total;
  const refusal = refusalOf(facility, TRIGGERS[about][isNoIncrease ? 'REJECT' : verdict]);
  if (refusal) return refusal;
  settle(model, about, verdict, limit, at);
  return done();
}

/** Concludes a review of the facility. A rejected buyer may have applied again and have another limit. */
export function concludeFacilityReview(
  model: Model,
  concluded: Review,
  verdict: Verdict,
  limit: number,
  at: number,
): Answer {
  const { facility, refusal } = model;
  const { about } = concluded;
  if (!facility || about === 'ORDER') throw new Error('There is no such review.');
  // A review of a rejection, or one overtaken by another decision: the facility is unchanged.
  if (verdict === 'REJECT' && facility.actions.get(about) !== concluded.number) {
    if (refusal?.review === concluded) refusal.review = null;
    return done();
  }
  if (about === 'CREATION' && verdict === 'ACCEPT' && facility.status === 'ACTIVE')
    Object.assign(facility, { total: limit, judgement: null });
  else {
    const awaited = facility.actions.get(about);
    const answer = decide(model, about, verdict, limit, at);
    if (isRefused(answer)) return answer;
    // Such a review would grant the same again.
    for (const each of model.reviews) if (each.number === awaited) each.status = 'ENDED';
  }
  model.refusal = null;
  return done();
}

export function requestFacility(model: Model, requested: number | null): Answer {
  if (model.facility && model.facility.status !== 'REJECTED') return refused(409, 'ACTIVE_FACILITY_EXISTS');
  evaluatePolicyFor(model, 'CREATION', requested, model.now);
  return done(model.facility?.status === 'PENDING' ? 202 : 201);
}

/** A person applies in the checkout. The answer has no status. */
export function applyInCheckout(model: Model, proof: Proof, requested: number | null): Answer {
  if (model.facility && model.facility.status !== 'REJECTED') return refused(409, 'ACTIVE_FACILITY_EXISTS');
  evaluatePolicyFor(model, 'CREATION', requested, model.now, proof);
  return done();
}

export function requestRenewal(model: Model): Answer {
  const { facility } = model;
  if (!facility) return refused(404);
  const refusal = refusalOf(facility, 'refer_renewal');
  if (refusal) return refusal;
  if (facility.actions.has('RENEWAL')) return refused(409, 'PENDING_RENEWAL');
  evaluatePolicyFor(model, 'RENEWAL', null, model.now);
  return done(202);
}

export function requestIncrease(model: Model, requested: number): Answer {
  const { facility } = model;
  if (!facility) return refused(404);
  const refusal = refusalOf(facility, 'refer_increase');
  if (refusal) return refusal;
  if (requested <= facility.total) return refused(422, 'INCREASE_NOT_ABOVE_LIMIT');
  if (facility.actions.has('INCREASE')) return refused(409, 'PENDING_INCREASE');
  evaluatePolicyFor(model, 'INCREASE', requested, model.now);
  return done(202);
}

export function freeze({ facility, now }: Model): Answer {
  if (!facility) return refused(404);
  const refusal = refusalOf(facility, 'freeze');
  if (refusal) return refusal;
  facility.frozenAt = now;
  if (facility.status === 'ACTIVE') facility.status = 'FROZEN';
  return done();
}

/** A renewal that fell due during the freeze is due now. An expired facility stays expired. */
export function unfreeze(model: Model): Answer {
  const { facility, now } = model;
  if (!facility) return refused(404);
  const refusal = refusalOf(facility, 'unfreeze');
  if (refusal) return refusal;
  facility.frozenAt = null;
  if (facility.status === 'FROZEN') facility.status = 'ACTIVE';
  if (facility.renewalDueAt !== null) facility.renewalDueAt = Math.max(facility.renewalDueAt, now);
  freezeIfDissolved(model, facility, now);
  return done();
}

export function expireFacility({ facility }: Model, at: number): Answer {
  if (!facility) return refused(404);
  const refusal = refusalOf(facility, 'expire');
  if (refusal) return refusal;
  Object.assign(facility, { status: 'EXPIRED', expiresAt: at, renewalDueAt: null });
  return done();
}

/** What a simulator grants if the request names no limit. */
export function simulatedLimit(model: Model, about: Action): number {
  const requested = model.reviews.find((each) => each.status !== 'ENDED' && each.about === about)?.requested;
  const present = model.facility?.total ?? 0;
  return requested ?? (present > 0 && about !== 'INCREASE' ? present : SIMULATED_LIMIT);
}

/** A simulator's decision, which ends every review of the same subject. */
export function simulateDecision(
  model: Model,
  about: Action,
  verdict: Verdict,
  total: number | null,
): Answer {
  if (verdict === 'REJECT' && total !== null) return refused(400);
  if (!model.facility && about !== 'CREATION') return refused(404);
  const { facility } = model;
  const refusal = facility && refusalOf(facility, TRIGGERS[about][verdict]);
  if (refusal) return refusal;
  const limit = total ?? simulatedLimit(model, about);
  if (about === 'INCREASE' && verdict === 'ACCEPT' && limit <= (facility?.total ?? 0))
    return refused(422, 'INCREASE_NOT_ABOVE_LIMIT');
  if (!model.facility) model.facility = noFacility();
  settle(model, about, verdict, limit, model.now);
  for (const each of model.reviews) if (each.about === about) each.status = 'ENDED';
  model.refusal = null;
  return done();
}
