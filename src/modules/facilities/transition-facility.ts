/** One transition of a facility: row, ledger entry, history row and event, written together. */
import { isDeepStrictEqual } from 'node:util';
import { nextVersion } from '#kernel/changes';
import type { Transition } from '#kernel/lifecycle';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { type DecisionReference, facilityEvent } from './facility.events.ts';
import type { FacilityStatus, FacilityTrigger } from './facility.lifecycle.ts';
import {
  type FacilityChanges,
  type FacilityRow,
  facilityKeyOf,
  insertFacilityTransition,
  updateFacility,
} from './facility.queries.ts';
import { postEntry } from './facility-ledger.queries.ts';
import { freezeAfter } from './freeze.rules.ts';
import type { LedgerCause } from './ledger-entry.schemas.ts';

export interface FacilityTransition {
  transition: Transition<FacilityStatus, FacilityTrigger>;
  changes?: FacilityChanges;
  /** Set if the transition changes the amounts. */
  entry?: { cause: LedgerCause; totalChange: number };
  /** Set if a decision causes the transition. */
  decision?: DecisionReference;
  /** The limit before, in minor units, for the event. */
  previousTotalMinor?: number;
}

/** Writes the transition. The caller's transaction has locked or just inserted the facility. Returns the changed row. */
export async function transitionFacility(
  { db, actor, now }: ChangeContext,
  facility: FacilityRow,
  { transition, changes, entry, decision, previousTotalMinor }: FacilityTransition,
  reason: string | null = null,
): Promise<FacilityRow> {
  const key = facilityKeyOf(facility);
  const decisionId = decision?.decisionId ?? null;
  const wanted = {
    ...changes,
    status: transition.to,
    frozen_at: freezeAfter(facility, transition, now),
    // A ledger entry raises the version itself, and each version has at most one event.
    ...(entry === undefined && nextVersion(facility, now)),
  };
  // A facility that was just inserted has everything but the entry.
  const isWritten = isDeepStrictEqual({ ...facility, ...wanted }, facility);
  let changed = isWritten ? facility : await updateFacility(db, key, wanted);
  if (entry) changed = await postEntry(db, { ...key, ...entry, decisionId, actor, at: now });
  await insertFacilityTransition(db, {
    platform_id: key.platformId,
    buyer_external_id: key.buyerExternalId,
    version: changed.version,
    from_status: transition.from,
    to_status: transition.to,
    trigger: transition.trigger,
    transitioned_at: changed.updated_at,
    actor,
    reason,
    decision_id: decisionId,
  });
  await recordEvents(db, [facilityEvent(changed, transition, { previousTotalMinor, decision })]);
  return changed;
}
