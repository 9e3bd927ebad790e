/** Gives the buyers of former facilities the keys of their legal entity, which need the platform's vault. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { PlatformVault } from '#infra/secrets/vault';
import { addEntityKeys, entityKeysOf } from '#modules/buyers';
import { entityNumberOfEntry, entityNumbersOf } from '#modules/registry';
import { type FormerFacility, findFormerFacilities, markKeyed } from './former-facility.queries.ts';

const FACILITIES_AT_ONCE_MAX = 500;

/** Call it outside a transaction, before a decision looks for other buyers. Several processes may run it concurrently. */
export async function keyFormerFacilities(db: Db, vault: PlatformVault, platformId: number): Promise<void> {
  for (;;) {
    const former = await findFormerFacilities(db, platformId, FACILITIES_AT_ONCE_MAX);
    if (former.length === 0) return;
    await inTransaction(db, async (transaction) => {
      await addEntityKeys(
        transaction,
        platformId,
        former.map((each) => ({ externalId: each.external_id, keys: keysOf(vault, each) })),
      );
      await markKeyed(
        transaction,
        platformId,
        former.map((each) => each.external_id),
      );
    });
  }
}

function keysOf(
  vault: PlatformVault,
  { business_identifiers, legal_name, company_id }: FormerFacility,
): Buffer[] {
  const entry = company_id === null ? [] : [entityNumberOfEntry(company_id)];
  return entityKeysOf(vault, [...entry, ...entityNumbersOf(business_identifiers, legal_name)]);
}
