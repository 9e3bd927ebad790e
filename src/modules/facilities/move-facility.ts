/** One move of a facility: the row, what it has, the history and the event, written together. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#infra/database';
import { recordEvents } from '#infra/outbox.queries';
import { nextVersion } from '#kernel/changes';
import type { Move } from '#kernel/lifecycle';
import { facilityEvent } from './facility.events.ts';
import type { FacilityStatus, FacilityTrigger } from './facility.lifecycle.ts';
import {
  type FacilityChanges,
  type FacilityRow,
  insertFacilityMove,
  keyOf,
  updateFacility,
} from './facility.queries.ts';
import { postEntry } from './facility-ledger.queries.ts';
import type { LedgerCause } from './ledger-entry.schemas.ts';

/** Who makes a move, when (unix seconds), and why, where a person has said so. */
export interface Acting {
  actor: string;
  now: number;
  reason?: string | null;
}

export interface FacilityMove {
  move: Move<FacilityStatus, FacilityTrigger>;
  changes?: FacilityChanges;
  /** Where the move changes what the facility has. */
  entry?: { cause: LedgerCause; totalChange: number };
  decisionId?: string | null;
  /** What the event tells of the limit before. */
  previousTotalMinor?: number;
}

/** In the caller's transaction, which has locked or just inserted the facility. Answers it as it is then. */
export async function moveFacility(
  db: Db,
  facility: FacilityRow,
  { move, changes, entry, decisionId = null, previousTotalMinor }: FacilityMove,
  { actor, now, reason = null }: Acting,
): Promise<FacilityRow> {
  const key = keyOf(facility);
  const wanted = {
    ...changes,
    status: move.to,
    // An entry moves them too: each version has one event at most.
    ...(entry === undefined && nextVersion(facility, now)),
  };
  // One that was just made has all but the entry.
  const isWritten = isDeepStrictEqual({ ...facility, ...wanted }, facility);
  let moved = isWritten ? facility : await updateFacility(db, key, wanted);
  if (entry) moved = await postEntry(db, { ...key, ...entry, decisionId, actor, at: now });
  await insertFacilityMove(db, {
    platform_id: key.platformId,
    buyer_external_id: key.buyerExternalId,
    version: moved.version,
    from_status: move.from,
    to_status: move.to,
    trigger: move.trigger,
    moved_at: moved.updated_at,
    actor,
    reason,
    decision_id: decisionId,
  });
  await recordEvents(db, [facilityEvent(moved, move, previousTotalMinor)]);
  return moved;
}
