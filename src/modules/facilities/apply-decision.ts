/** Applies a decision to a facility, whether the policy, persons or a sandbox made it. */
import type { Insertable } from 'kysely';
import type { Facilities } from '#infra/database/schema';
import { DAY_SECONDS } from '#kernel/day';
import { transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import type { ChangeContext } from '#operation/operation';
import type { DecisionReference } from './facility.events.ts';
import {
  FACILITY_CYCLE_DAYS,
  type FacilityTrigger,
  facilityLifecycle,
  RENEWAL_LEAD_DAYS,
} from './facility.lifecycle.ts';
import {
  deletePendingAction,
  type FacilityChanges,
  type FacilityRow,
  facilityKeyOf,
  insertFacility,
  insertPendingAction,
} from './facility.queries.ts';
import type { FacilityAction } from './facility.schemas.ts';
import { facilityTransitionOf } from './freeze.rules.ts';
import type { LedgerCause } from './ledger-entry.schemas.ts';
import { type FacilityTransition, transitionFacility } from './transition-facility.ts';

interface Granted {
  outcome: 'ACCEPT';
  /** Minor units of the facility's currency; above 0. */
  limitMinor: number;
  /** Null leaves the risk band and the price class unchanged. */
  riskBand: string | null;
  priceClass: string | null;
}

interface Referred {
  outcome: 'REFER';
  /** The review that a person decides. */
  reviewId: string;
  requestedMinor: number | null;
}

/** A decision about a facility, with the reference to its record. */
export type FacilityDecision = {
  about: FacilityAction;
  /** The registry company that an assessment found; null or absent keeps the stored one. */
  registryCompanyId?: number | null;
} & DecisionReference &
  (Granted | Referred | { outcome: 'REJECT' });

const TRIGGERS: Record<FacilityAction, Record<FacilityDecision['outcome'], FacilityTrigger>> = {
  CREATION: { ACCEPT: 'grant', REFER: 'refer', REJECT: 'reject' },
  RENEWAL: { ACCEPT: 'renew', REFER: 'refer_renewal', REJECT: 'reject_renewal' },
  INCREASE: { ACCEPT: 'increase', REFER: 'refer_increase', REJECT: 'reject_increase' },
};

const CAUSES: Record<FacilityAction, LedgerCause> = {
  CREATION: 'LIMIT_GRANTED',
  RENEWAL: 'RENEWED',
  INCREASE: 'LIMIT_CHANGED',
};

const RISK_BAND_REFUSED = 'REJECT';

/** Triggers that change neither what the buyer may owe nor until when. Migration 0012 lists the other triggers of a decision. */
const WITHOUT_EFFECT: ReadonlySet<FacilityTrigger> = new Set([
  'refer_renewal',
  'refer_increase',
  'reject_increase',
]);

/** The trigger that would apply a decision with this outcome, for checks before the decision is made. */
export function triggerOf(about: FacilityAction, outcome: FacilityDecision['outcome']): FacilityTrigger {
  return TRIGGERS[about][outcome];
}

/**
 * Applies a decision to a facility that the caller's transaction has locked. Throws INVALID_STATUS_TRANSITION if the
 * status has no such transition, FACILITY_FROZEN for the renewal of an EXPIRED facility whose freeze stands, and
 * PENDING_RENEWAL or PENDING_INCREASE if a review is already open.
 */
export async function applyDecision(
  context: ChangeContext,
  facility: FacilityRow,
  decision: FacilityDecision,
  reason: string | null = null,
): Promise<FacilityRow> {
  const { about } = decision;
  const transition = facilityTransitionOf(facility, triggerFor(facility, decision));
  if (decision.outcome === 'REFER') await waitForPerson(context, facility, about, decision);
  else await deletePendingAction(context.db, facilityKeyOf(facility), about);
  const consequences = consequencesOf(facility, decision, transition.trigger, context.now);
  const reference = referenceOf(decision, transition.trigger);
  return transitionFacility(context, facility, { transition, decision: reference, ...consequences }, reason);
}

/**
 * Creates the facility with a buyer's first decision. Returns undefined if the buyer already has a facility: lock that one
 * and check again.
 */
export async function openFacility(
  context: ChangeContext,
  buyerExternalId: string,
  columns: Pick<Insertable<Facilities>, 'currency' | 'has_entity_keys'>,
  decision: FacilityDecision & { about: 'CREATION' },
  reason: string | null = null,
): Promise<FacilityRow | undefined> {
  const { db, platformId, now } = context;
  const { about } = decision;
  const transition = transitionOf(facilityLifecycle, null, TRIGGERS.CREATION[decision.outcome]);
  const none = { total_amount: 0, expires_at: null };
  const consequences = consequencesOf(none, decision, transition.trigger, now);
  const made = await insertFacility(db, {
    ...consequences.changes,
    platform_id: platformId,
    buyer_external_id: buyerExternalId,
    status: transition.to,
    // The transition below makes it version 1.
    version: 0,
    created_at: now,
    updated_at: now,
    ...columns,
  });
  if (!made) return undefined;
  if (decision.outcome === 'REFER') await waitForPerson(context, made, about, decision);
  const reference = referenceOf(decision, transition.trigger);
  return transitionFacility(context, made, { transition, decision: reference, ...consequences }, reason);
}

/** Sets the limit that two persons granted, in minor units, outside creation, renewal and increase. */
export async function overrideLimit(
  context: ChangeContext,
  facility: FacilityRow,
  { limitMinor, decisionId, buyerReasons }: { limitMinor: number } & DecisionReference,
  reason: string | null = null,
): Promise<FacilityRow> {
  return transitionFacility(
    context,
    facility,
    {
      transition: facilityTransitionOf(facility, 'override'),
      changes: { reviewed_at: context.now, decision_id: decisionId },
      entry: { cause: 'LIMIT_CHANGED', totalChange: limitMinor - facility.total_amount },
      previousTotalMinor: facility.total_amount,
      decision: { decisionId, buyerReasons },
    },
    reason,
  );
}

/** An accepted increase to a limit that is not higher counts as a rejection: the limit is unchanged. */
function triggerFor(facility: FacilityRow, decision: FacilityDecision): FacilityTrigger {
  const isNone =
    decision.about === 'INCREASE' &&
    decision.outcome === 'ACCEPT' &&
    decision.limitMinor <= facility.total_amount;
  return TRIGGERS[decision.about][isNone ? 'REJECT' : decision.outcome];
}

/** The reference to the decision. An accepted increase that raises nothing gets the reasons of a rejection. */
function referenceOf(
  { outcome, decisionId, buyerReasons }: FacilityDecision,
  trigger: FacilityTrigger,
): DecisionReference {
  const isNone = outcome === 'ACCEPT' && trigger === 'reject_increase';
  return { decisionId, buyerReasons: isNone ? ['NOT_POSSIBLE_NOW'] : buyerReasons };
}

function consequencesOf(
  facility: Pick<FacilityRow, 'total_amount' | 'expires_at'>,
  decision: FacilityDecision,
  trigger: FacilityTrigger,
  now: number,
): Pick<FacilityTransition, 'changes' | 'entry' | 'previousTotalMinor'> {
  const { registryCompanyId } = decision;
  const decided: FacilityChanges = {
    ...(registryCompanyId != null && { registry_company_id: registryCompanyId }),
    ...(!WITHOUT_EFFECT.has(trigger) && { decision_id: decision.decisionId }),
    // No renewal is due automatically while one is pending or after one was rejected.
    ...(decision.about === 'RENEWAL' && { renewal_due_at: null }),
  };
  if (decision.outcome === 'REFER') return { changes: decided };
  const reviewed: FacilityChanges = { ...decided, reviewed_at: now };
  if (decision.outcome === 'REJECT' || trigger === 'reject_increase')
    return {
      changes: decision.about === 'CREATION' ? { ...reviewed, risk_band: RISK_BAND_REFUSED } : reviewed,
    };
  return {
    changes: {
      ...reviewed,
      ...(decision.riskBand !== null && { risk_band: decision.riskBand }),
      ...(decision.priceClass !== null && { price_class: decision.priceClass }),
      ...(decision.about !== 'INCREASE' && periodFrom(startOfPeriod(facility, now))),
    },
    entry: { cause: CAUSES[decision.about], totalChange: decision.limitMinor - facility.total_amount },
    ...(decision.about !== 'CREATION' && { previousTotalMinor: facility.total_amount }),
  };
}

/**
 * A renewal decided in the last days of a period starts the new one where that one ends, so that the automatic cycle is the
 * whole period. Any other decision starts it immediately, so that early renewals never add up.
 */
function startOfPeriod({ expires_at: endsAt }: Pick<FacilityRow, 'expires_at'>, now: number): number {
  const isEnding = endsAt !== null && endsAt > now && endsAt - now <= RENEWAL_LEAD_DAYS * DAY_SECONDS;
  return isEnding ? endsAt : now;
}

function periodFrom(start: number): FacilityChanges {
  return {
    expires_at: start + FACILITY_CYCLE_DAYS * DAY_SECONDS,
    renewal_due_at: start + (FACILITY_CYCLE_DAYS - RENEWAL_LEAD_DAYS) * DAY_SECONDS,
  };
}

async function waitForPerson(
  { db, now }: ChangeContext,
  facility: FacilityRow,
  about: FacilityAction,
  { reviewId, requestedMinor }: Referred,
): Promise<void> {
  const isFirst = await insertPendingAction(db, {
    platform_id: facility.platform_id,
    buyer_external_id: facility.buyer_external_id,
    type: about,
    created_at: now,
    requested_amount: requestedMinor,
    review_id: reviewId,
  });
  if (!isFirst) throw underReview(about, facility);
}

/** The problem for a second request while the first one is pending. */
export function underReview(about: FacilityAction, { status }: Pick<FacilityRow, 'status'>) {
  switch (about) {
    case 'CREATION':
      return refusal('ACTIVE_FACILITY_EXISTS', 'The buyer already has a facility', { status });
    case 'RENEWAL':
      return refusal('PENDING_RENEWAL', 'A renewal of the facility is already pending');
    case 'INCREASE':
      return refusal('PENDING_INCREASE', 'An increase of the facility is already pending');
  }
}
