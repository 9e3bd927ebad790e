/** What a decision does to a facility, whoever made it: the policy, a person, two persons, or a sandbox. */
import type { Db } from '#infra/database/database';
import { DAY_SECONDS } from '#kernel/day';
import { transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import {
  FACILITY_CYCLE_DAYS,
  type FacilityTrigger,
  facilityLifecycle,
  RENEWAL_LEAD_DAYS,
} from './facility.lifecycle.ts';
import {
  deletePendingAction,
  type FacilityChanges,
  type FacilityKey,
  type FacilityRow,
  facilityKeyOf,
  insertFacility,
  insertPendingAction,
} from './facility.queries.ts';
import type { FacilityAction } from './facility.schemas.ts';
import type { LedgerCause } from './ledger-entry.schemas.ts';
import { type Attribution, type FacilityTransition, transitionFacility } from './transition-facility.ts';

interface Granted {
  outcome: 'ACCEPT';
  /** Minor units of the facility's currency; above 0. */
  limitMinor: number;
  /** Null: they stay what they are. */
  riskBand: string | null;
  priceClass: string | null;
}

interface Referred {
  outcome: 'REFER';
  /** The case that a person decides. */
  reviewId: string;
  requestedMinor: number | null;
}

/** What was decided, with the record that explains it. */
export type FacilityDecision = { about: FacilityAction; decisionId: string } & (
  | Granted
  | Referred
  | { outcome: 'REJECT' }
);

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

/** The trigger of a decision, for whoever asks before it is made whether the facility could take it. */
export function triggerOf(about: FacilityAction, outcome: FacilityDecision['outcome']): FacilityTrigger {
  return TRIGGERS[about][outcome];
}

/**
 * Applies a decision to a facility that the caller's transaction has locked. Throws INVALID_STATUS_TRANSITION where the
 * status has no such move, PENDING_RENEWAL or PENDING_INCREASE where a person is deciding already.
 */
export async function applyDecision(
  db: Db,
  facility: FacilityRow,
  decision: FacilityDecision,
  change: Attribution,
): Promise<FacilityRow> {
  const { about, decisionId } = decision;
  const transition = transitionOf(facilityLifecycle, facility.status, triggerFor(facility, decision));
  if (decision.outcome === 'REFER') await waitForPerson(db, facility, about, decision, change.now);
  else await deletePendingAction(db, facilityKeyOf(facility), about);
  return transitionFacility(
    db,
    facility,
    { transition, decisionId, ...consequencesOf(facility, decision, transition.trigger, change.now) },
    change,
  );
}

/** A buyer's first decision makes the facility. Undefined where there is one by now: lock it, and look again. */
export async function openFacility(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  currency: string,
  decision: FacilityDecision & { about: 'CREATION' },
  change: Attribution,
): Promise<FacilityRow | undefined> {
  const { about, decisionId } = decision;
  const transition = transitionOf(facilityLifecycle, null, TRIGGERS.CREATION[decision.outcome]);
  const consequences = consequencesOf({ total_amount: 0 }, decision, transition.trigger, change.now);
  const made = await insertFacility(db, {
    ...consequences.changes,
    platform_id: platformId,
    buyer_external_id: buyerExternalId,
    status: transition.to,
    // The move that follows makes it the first version.
    version: 0,
    created_at: change.now,
    updated_at: change.now,
    currency,
  });
  if (!made) return undefined;
  if (decision.outcome === 'REFER') await waitForPerson(db, made, about, decision, change.now);
  return transitionFacility(db, made, { transition, decisionId, ...consequences }, change);
}

/** Two persons set another limit than the policy did, outside renewal and increase. */
export async function overrideLimit(
  db: Db,
  facility: FacilityRow,
  { limitMinor, decisionId }: { limitMinor: number; decisionId: string },
  change: Attribution,
): Promise<FacilityRow> {
  return transitionFacility(
    db,
    facility,
    {
      transition: transitionOf(facilityLifecycle, facility.status, 'override'),
      changes: { reviewed_at: change.now },
      entry: { cause: 'LIMIT_CHANGED', totalChange: limitMinor - facility.total_amount },
      previousTotalMinor: facility.total_amount,
      decisionId,
    },
    change,
  );
}

/** A limit that is no higher is no increase, whatever the decision calls it: the old one stays. */
function triggerFor(facility: FacilityRow, decision: FacilityDecision): FacilityTrigger {
  const isNone =
    decision.about === 'INCREASE' &&
    decision.outcome === 'ACCEPT' &&
    decision.limitMinor <= facility.total_amount;
  return TRIGGERS[decision.about][isNone ? 'REJECT' : decision.outcome];
}

function consequencesOf(
  facility: Pick<FacilityRow, 'total_amount'>,
  decision: FacilityDecision,
  trigger: FacilityTrigger,
  now: number,
): Pick<FacilityTransition, 'changes' | 'entry' | 'previousTotalMinor'> {
  // While a renewal is under way, and once one was refused, none is due by itself.
  const noRenewal: FacilityChanges = decision.about === 'RENEWAL' ? { renewal_due_at: null } : {};
  if (decision.outcome === 'REFER') return { changes: noRenewal };
  const reviewed: FacilityChanges = { ...noRenewal, reviewed_at: now };
  if (decision.outcome === 'REJECT' || trigger === 'reject_increase')
    return {
      changes: decision.about === 'CREATION' ? { ...reviewed, risk_band: RISK_BAND_REFUSED } : reviewed,
    };
  return {
    changes: {
      ...reviewed,
      ...(decision.riskBand !== null && { risk_band: decision.riskBand }),
      ...(decision.priceClass !== null && { price_class: decision.priceClass }),
      ...(decision.about !== 'INCREASE' && periodFrom(now)),
    },
    entry: { cause: CAUSES[decision.about], totalChange: decision.limitMinor - facility.total_amount },
    ...(decision.about !== 'CREATION' && { previousTotalMinor: facility.total_amount }),
  };
}

/** The running period, counted from the decision. */
function periodFrom(now: number): FacilityChanges {
  return {
    expires_at: now + FACILITY_CYCLE_DAYS * DAY_SECONDS,
    renewal_due_at: now + (FACILITY_CYCLE_DAYS - RENEWAL_LEAD_DAYS) * DAY_SECONDS,
  };
}

async function waitForPerson(
  db: Db,
  facility: FacilityRow,
  about: FacilityAction,
  { reviewId, requestedMinor }: Referred,
  now: number,
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

/** Why the same cannot be asked for once more. */
export function underReview(about: FacilityAction, { status }: Pick<FacilityRow, 'status'>) {
  switch (about) {
    case 'CREATION':
      return refusal('ACTIVE_FACILITY_EXISTS', 'The buyer has a facility already', { status });
    case 'RENEWAL':
      return refusal('PENDING_RENEWAL', 'A renewal of the facility is under way already');
    case 'INCREASE':
      return refusal('PENDING_INCREASE', 'An increase of the facility is under way already');
  }
}
