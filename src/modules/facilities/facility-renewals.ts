/** The service asks for a renewal by itself, 14 days before a period ends. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Vault } from '#infra/secrets/vault';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { Problem } from '#kernel/problem';
import type { Risk } from '#kernel/risk-source';
import { findPlatform } from '#modules/platforms';
import { type AssessedFacility, actOnAssessment, assessFacility } from './decide-facility.ts';
import { findNextFacilityRenewal, findPlatformsRenewing, postponeRenewal } from './due-facility.queries.ts';
import { type FacilityKey, type FacilityRow, findFacility, lockFacility } from './facility.queries.ts';

/** What asking for a decision needs beside the database. */
export interface RenewalDeps {
  vault: Pick<Vault, 'forPlatform'>;
  risk: Risk;
  isSandbox: boolean;
}

/** How long to wait where the decision could not be made. */
const POSTPONED_SECONDS = 3_600;

export const facilityRenewals: DueSource<RenewalDeps, 'facility'> = {
  findPlatforms: findPlatformsRenewing,
  async findNext(db, platformId, until) {
    const next = await findNextFacilityRenewal(db, platformId, until);
    return (
      next && { dueAt: next.dueAt, resource: 'facility', externalId: next.buyerExternalId, trigger: 'renew' }
    );
  },
  async make(db, platformId, due, deps) {
    const key = { platformId, buyerExternalId: due.externalId };
    const facility = await findFacility(db, key);
    if (!isDue(facility, due)) return;
    const assessed = await assessedOrPostponed(db, key, facility, due, deps);
    if (assessed === null) return;
    await inTransaction(db, async (transaction) => {
      const locked = await lockFacility(transaction, key);
      if (!isDue(locked, due)) return;
      await actOnAssessment(transaction, locked, assessed, { actor: 'service', now: due.dueAt });
    });
  },
};

function isDue(facility: FacilityRow | undefined, { dueAt }: Due): facility is FacilityRow {
  return facility?.status === 'ACTIVE' && facility.renewal_due_at === dueAt;
}

async function assessedOrPostponed(
  db: Db,
  key: FacilityKey,
  facility: FacilityRow,
  { dueAt }: Due,
  { vault, risk, isSandbox }: RenewalDeps,
): Promise<AssessedFacility | null> {
  const { platformId, buyerExternalId } = key;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw new Error(`The facility of ${buyerExternalId} is on no platform.`);
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  try {
    return await assessFacility(
      { db, platformId, now: dueAt, vault: platformVault, risk, isSandbox },
      { about: 'RENEWAL', buyerExternalId, currency: facility.currency, requestedMinor: null },
    );
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'RISK_DECISION_ERROR') throw error;
    await postponeRenewal(db, key, dueAt, { renewal_due_at: laterThan(dueAt, facility) });
    return null;
  }
}

/** An hour later, at the last when the period ends; after that attempt no more: the facility runs to its end. */
function laterThan(dueAt: number, { expires_at: expiresAt }: FacilityRow): number | null {
  const end = expiresAt ?? dueAt;
  return dueAt >= end ? null : Math.min(dueAt + POSTPONED_SECONDS, end);
}
