/** What the model says of what persons decide, and of what time does. */
import { askPolicy, concludeFacilityCase, expireFacility } from './facility.ts';
import { confirm, decline, expireOrder } from './order.ts';
import {
  type Answer,
  type Case,
  done,
  illegal,
  isRefused,
  type Model,
  openCase,
  refused,
  type Verdict,
} from './state.ts';

const ALLOWED: Record<Case['status'], readonly string[]> = {
  OPEN: ['decide', 'propose_override', 'withdraw'],
  AWAITING_APPROVAL: ['approve_override', 'refuse_override', 'withdraw'],
  ENDED: [],
};

/** One person's decision; null for all that one person may grant. */
export function decideCase(
  model: Model,
  about: Case,
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

function conclude(model: Model, about: Case, verdict: Verdict, limit: number, at: number): Answer {
  const answer = about.order
    ? verdict === 'ACCEPT'
      ? confirm(model, about.order, at)
      : decline(model, about.order)
    : concludeFacilityCase(model, about, verdict, limit, at);
  if (isRefused(answer)) return answer;
  about.status = 'ENDED';
  return done();
}

export function proposeOverride(about: Case, limit: number): Answer {
  if (about.status !== 'OPEN') return illegal(ALLOWED[about.status]);
  about.status = 'AWAITING_APPROVAL';
  about.proposed = limit;
  return done();
}

export function approveOverride(model: Model, about: Case, isSamePerson: boolean): Answer {
  if (about.status !== 'AWAITING_APPROVAL') return illegal(ALLOWED[about.status]);
  if (isSamePerson) return refused(422, 'SECOND_PERSON_REQUIRED');
  return conclude(model, about, 'ACCEPT', about.proposed ?? 0, model.now);
}

/** Open again; a script that was due meanwhile is due now. */
export function refuseOverride(model: Model, about: Case): Answer {
  if (about.status !== 'AWAITING_APPROVAL') return illegal(ALLOWED[about.status]);
  about.status = 'OPEN';
  about.proposed = null;
  if (about.scripted) about.scripted.at = Math.max(about.scripted.at, model.now);
  return done();
}

/** Against what the policy has just refused. */
export function overrideRejection(model: Model, limit: number): Answer {
  const { refusal } = model;
  if (!refusal) return refused(404);
  const { about, requested } = refusal;
  refusal.case ??= openCase(model, { about, order: null, requested, aloneMax: null, scripted: null });
  const proposed = proposeOverride(refusal.case, limit);
  return isRefused(proposed) ? proposed : done(201);
}

/** Something that time makes happen. */
export interface Due {
  at: number;
  /** Of what falls due at the same instant, the lower happens first. */
  rank: number;
  resource: 'review' | 'facility' | 'order';
  trigger: string;
  /** Of an order; of a case its number. */
  id: string;
}

/** What is due by now, in no order. */
export function dueOf({ facility, orders, cases, now }: Model): Due[] {
  const found: Due[] = [];
  for (const { number, status, scripted } of cases)
    if (status === 'OPEN' && scripted)
      found.push({ at: scripted.at, rank: 0, resource: 'review', trigger: 'decide', id: String(number) });
  if (facility?.status === 'ACTIVE' && facility.renewalDueAt !== null)
    found.push({ at: facility.renewalDueAt, rank: 1, resource: 'facility', trigger: 'renew', id: 'buyer' });
  if ((facility?.status === 'ACTIVE' || facility?.status === 'FROZEN') && facility.expiresAt !== null)
    found.push({ at: facility.expiresAt, rank: 2, resource: 'facility', trigger: 'expire', id: 'buyer' });
  for (const { id, expiresAt } of orders)
    if (expiresAt !== null) found.push({ at: expiresAt, rank: 3, resource: 'order', trigger: 'expire', id });
  return found.filter(({ at }) => at <= now);
}

/** Makes it happen as of its own instant. */
export function make(model: Model, { at, resource, trigger, id }: Due): void {
  if (resource === 'order') expireOrder(model, model.orders.find((order) => order.id === id) as never);
  else if (resource === 'review') decideByScript(model, model.cases[Number(id) - 1] as Case, at);
  else if (trigger === 'expire') expireFacility(model, at);
  else askPolicy(model, 'RENEWAL', null, at);
}

/** What cannot be accepted any more is rejected: what is due must end. */
function decideByScript(model: Model, about: Case, at: number): void {
  const verdict = about.scripted?.verdict ?? 'REJECT';
  if (isRefused(decideCase(model, about, verdict, null, at))) decideCase(model, about, 'REJECT', null, at);
}
