/** One transition of a facility: row, ledger entry, history row and event, written together. */
import { isDeepStrictEqual } from 'node:util';
import { nextVersion } from '#kernel/changes';
import type { Transition } from '#kernel/lifecycle';
import { findBuyer } from '#modules/buyers';
import { followCompany } from '#modules/registry';
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
import { facilityTransitionOf, freezeAfter } from './freeze.rules.ts';
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

/**
 * Writes the transition. The caller's transaction has locked or just inserted the facility. Returns the changed row, which
 * is FROZEN if the transition leads to ACTIVE and the company is dissolved.
 */
export async function transitionFacility(
  context: ChangeContext,
  facility: FacilityRow,
  change: FacilityTransition,
  reason: string | null = null,
): Promise<FacilityRow> {
  const changed = await writeTransition(context, facility, change, reason);
  const isUsable = change.transition.to === 'ACTIVE';
  return isUsable && (await isDissolved(context, changed)) ? freezeAsDissolved(context, changed) : changed;
}

/**
 * Whether the registry lists the company as dissolved: the one that the last decision found, else the buyer's. Follows the
 * company and locks it until the transaction ends. So a dissolution is either seen here, or freezes the facility afterwards.
 */
async function isDissolved({ db }: ChangeContext, facility: FacilityRow): Promise<boolean> {
  const { platformId, buyerExternalId: externalId } = facilityKeyOf(facility);
  const companyId =
    facility.registry_company_id ?? (await findBuyer(db, { platformId, externalId }))?.registry_company_id;
  const company = companyId == null ? undefined : await followCompany(db, companyId);
  return company?.is_active === false;
}

const DISSOLVED = 'The registry says that the company is dissolved.';

/** Freezes a locked ACTIVE facility whose company is dissolved, on behalf of the service. */
export function freezeAsDissolved(context: ChangeContext, facility: FacilityRow): Promise<FacilityRow> {
  const transition = facilityTransitionOf(facility, 'freeze_dissolved');
  return writeTransition({ ...context, actor: 'service' }, facility, { transition }, DISSOLVED);
}

async function writeTransition(
  { db, actor, now }: ChangeContext,
  facility: FacilityRow,
  { transition, changes, entry, decision, previousTotalMinor }: FacilityTransition,
  reason: string | null,
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
