/** Carries what a register changed over to the buyers that took it from there. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { nextVersion } from '#kernel/changes';
import { type CompanyRow, hasChangedCompanies, takeChangedCompanies } from '#modules/registry';
import { type ChangedBuyer, recordBuyersUpdated } from './buyer.events.ts';
import { refresh } from './buyer-registry.rules.ts';
import { type LinkedBuyer, lockLinkedBuyers, updateLinkedBuyers } from './linked-buyer.queries.ts';

/** A company has a buyer or two on each platform; whoever has thousands of one is served in as many parts. */
const BUYERS_AT_ONCE_MAX = 500;

/**
 * Compares the buyers of so many changed companies at most with them, and answers how many companies that were: as many
 * as asked for means that there may be more. Buyers, events and what is left to do change in one transaction. `now` in
 * unix seconds.
 */
export async function refreshBuyers(db: Db, now: number, companiesMax: number): Promise<number> {
  if (!(await hasChangedCompanies(db))) return 0;
  return inTransaction(db, async (transaction) => {
    const companies = await takeChangedCompanies(transaction, companiesMax);
    const byId = new Map(companies.map((company) => [company.company_id, company]));
    let last: LinkedBuyer | undefined;
    for (let isMore = companies.length > 0; isMore; ) {
      const buyers = await lockLinkedBuyers(transaction, [...byId.keys()], last, BUYERS_AT_ONCE_MAX);
      await refreshThese(transaction, buyers, byId, now);
      last = buyers.at(-1);
      isMore = buyers.length === BUYERS_AT_ONCE_MAX;
    }
    return companies.length;
  });
}

async function refreshThese(
  db: Db,
  buyers: readonly LinkedBuyer[],
  companies: ReadonlyMap<number, CompanyRow>,
  now: number,
): Promise<void> {
  const changes = buyers.flatMap((buyer): (ChangedBuyer & { buyer: LinkedBuyer })[] => {
    const company = companies.get(buyer.registry_company_id);
    const refreshed = company && refresh(buyer, company);
    if (!refreshed) return [];
    const { facts, link, changedFields } = refreshed;
    return [{ buyer: { ...buyer, ...facts, registry: link, ...nextVersion(buyer, now) }, changedFields }];
  });
  if (changes.length === 0) return;
  await updateLinkedBuyers(
    db,
    changes.map(({ buyer }) => buyer),
  );
  await recordBuyersUpdated(db, changes);
}
