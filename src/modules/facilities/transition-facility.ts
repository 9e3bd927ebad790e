/** One move of a facility: the row, what it has, the history and the event, written together. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#infra/database/database';
import { nextVersion } from '#kernel/changes';
import type { Transition } from '#kernel/lifecycle';
import { recordEvents } from '#modules/webhooks';
import { facilityEvent } from './facility.events.ts';
import type { FacilityStatus, FacilityTrigger } from './facility.lifecycle.ts';
import {
  type FacilityChanges,
  type FacilityRow,
  facilityKeyOf,
  insertFacilityTransition,
  updateFacility,
} from './facility.queries.ts';
import { postEntry } from './facility-ledger.queries.ts';
import type { LedgerCause } from './ledger-entry.schemas.ts';

/** Who makes a move, when (unix seconds), and why, where a person has said so. */
export interface Attribution {
  actor: string;
  now: number;
  reason?: string | null;
}

export interface FacilityTransition {
  transition: Transition<FacilityStatus, FacilityTrigger>;
  changes?: FacilityChanges;
  /** Where the move changes what the facility has. */
  entry?: { cause: LedgerCause; totalChange: number };
  decisionId?: string | null;
  /** What the event tells of the limit before. */
  previousTotalMinor?: number;
}

/** In the caller's transaction, which has locked or just inserted the facility. Answers it as it is then. */
export async function transitionFacility(
  db: Db,
  facility: FacilityRow,
  { transition, changes, entry, decisionId = null, previousTotalMinor }: FacilityTransition,
  { actor, now, reason = null }: Attribution,
): Promise<FacilityRow> {
  const key = facilityKeyOf(facility);
  const wanted = {
    ...changes,
    status: transition.to,
    // An entry moves them too: each version has one event at most.
    ...(entry === undefined && nextVersion(facility, now)),
  };
  // One that was just made has all but the entry.
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
  await recordEvents(db, [facilityEvent(changed, transition, previousTotalMinor)]);
  return changed;
}
