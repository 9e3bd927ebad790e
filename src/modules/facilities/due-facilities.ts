/** What falls due on facilities: the automatic renewal and the end of the period. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Vault } from '#infra/secrets/vault';
import { type Due, type DueSource, oneByOne } from '#infra/time/due-transitions';
import type { CompanyRegistries } from '#kernel/company-registries';
import { Problem } from '#kernel/problem';
import type { Risk } from '#kernel/risk-source';
import { findPlatform } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { type AssessedFacility, applyAssessment, assessFacility } from './decide-facility.ts';
import { EXPIRE, expiringFacilities, postponeRenewal, renewingFacilities } from './due-facility.queries.ts';
import { facilityLifecycle } from './facility.lifecycle.ts';
import { type FacilityKey, type FacilityRow, findFacility, lockFacility } from './facility.queries.ts';
import { facilityTransitionOf } from './freeze.rules.ts';
import { lockEntity } from './lock-entity.ts';
import { transitionFacility } from './transition-facility.ts';

/** What a renewal needs besides the database. */
export interface RenewalDeps {
  vault: Pick<Vault, 'forPlatform'>;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
}

/** How long a renewal waits after a failed decision. */
const POSTPONED_SECONDS = 3_600;

/** Requests renewals 14 days before a period ends. */
export const facilityRenewals: DueSource<RenewalDeps, 'facility'> = {
  ...renewingFacilities,
  ...oneByOne(async (db, platformId, due, deps) => {
    const key = { platformId, buyerExternalId: due.externalId };
    const facility = await findFacility(db, key);
    if (!isDue(facility, due)) return;
    const assessed = await assessedOrPostponed(db, key, facility, due, deps);
    if (assessed === null) return;
    await inTransaction(db, async (transaction) => {
      const context = { db: transaction, platformId, actor: 'service', now: due.dueAt };
      const current = await lockEntity(context, assessed);
      const locked = await lockFacility(transaction, key);
      if (isDue(locked, due)) await applyAssessment(context, locked, current);
    });
  }),
};

function isDue(facility: FacilityRow | undefined, { dueAt }: Due): facility is FacilityRow {
  return facility?.status === 'ACTIVE' && facility.renewal_due_at === dueAt;
}

async function assessedOrPostponed(
  db: Db,
  key: FacilityKey,
  facility: FacilityRow,
  { dueAt }: Due,
  { vault, registries, risk, isSandbox }: RenewalDeps,
): Promise<AssessedFacility | null> {
  const { platformId, buyerExternalId } = key;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw new Error(`The facility of ${buyerExternalId} is on no platform.`);
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  try {
    return await assessFacility(
      { db, platformId, now: dueAt, vault: platformVault, registries, risk, isSandbox },
      { about: 'RENEWAL', buyerExternalId, currency: facility.currency, requestedMinor: null },
    );
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'RISK_DECISION_ERROR') throw error;
    await postponeRenewal(db, key, dueAt, { renewal_due_at: laterThan(dueAt, facility) });
    return null;
  }
}

/** When to try again: an hour later, but no later than the end of the period; null after the attempt at the end. */
function laterThan(dueAt: number, { expires_at: expiresAt }: FacilityRow): number | null {
  const end = expiresAt ?? dueAt;
  return dueAt >= end ? null : Math.min(dueAt + POSTPONED_SECONDS, end);
}

/** Ends periods that were not renewed. */
export const facilityExpiries: DueSource<unknown, 'facility'> = {
  ...expiringFacilities,
  ...oneByOne(async (db, platformId, { externalId, dueAt }) => {
    await inTransaction(db, async (transaction) => {
      const facility = await lockFacility(transaction, { platformId, buyerExternalId: externalId });
      // Renewed or expired since it was found.
      if (facility?.expires_at !== dueAt || !CAN_EXPIRE.has(facility.status)) return;
      await expireFacility({ db: transaction, platformId, actor: 'service', now: dueAt }, facility);
    });
  }),
};

/** Expires a locked facility now. Throws INVALID_STATUS_TRANSITION unless it is in a period. */
export async function expireFacility(
  context: ChangeContext,
  facility: FacilityRow,
  reason: string | null = null,
): Promise<FacilityRow> {
  return transitionFacility(
    context,
    facility,
    {
      transition: facilityTransitionOf(facility, EXPIRE),
      changes: { expires_at: context.now, renewal_due_at: null },
      // The limit is kept; nothing of it is available.
      entry: { cause: 'EXPIRED', totalChange: 0 },
    },
    reason,
  );
}

const CAN_EXPIRE = new Set<string | null>(
  facilityLifecycle.transitions
    .filter((transition) => transition.trigger === EXPIRE)
    .map((transition) => transition.from),
);
