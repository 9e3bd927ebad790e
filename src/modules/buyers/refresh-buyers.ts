/** Buyers follow the changes of their companies in the registry. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { nextVersion } from '#kernel/changes';
import { type CompanyRow, hasChangedCompanies, takeChangedCompanies } from '#modules/registry';
import { type ChangedBuyer, recordBuyersUpdated } from './buyer.events.ts';
import { refresh } from './buyer-registry.rules.ts';
import {
  type LinkedBuyer,
  type LinkedBuyerKey,
  listLinkedBuyers,
  lockLinkedBuyers,
  updateLinkedBuyers,
} from './linked-buyer.queries.ts';

/** A company usually has one or two buyers on each platform. */
const BUYERS_AT_ONCE_MAX = 500;

/** Applies changed companies to other rows, in the same transaction. It runs first, because facilities are locked before buyers. */
export type FollowCompanies = (db: Db, companies: readonly CompanyRow[], now: number) => Promise<void>;

/**
 * Updates the buyers of up to `companiesMax` changed companies, with their events, in one transaction. Returns the number
 * of companies; if it equals `companiesMax`, there may be more. `now` in unix seconds.
 */
export async function refreshBuyers(
  db: Db,
  now: number,
  companiesMax: number,
  followCompanies: FollowCompanies,
): Promise<number> {
  if (!(await hasChangedCompanies(db))) return 0;
  return inTransaction(db, async (transaction) => {
    const companies = await takeChangedCompanies(transaction, companiesMax);
    await followCompanies(transaction, companies, now);
    const byId = new Map(companies.map((company) => [company.company_id, company]));
    let last: LinkedBuyerKey | undefined;
    for (let isMore = companies.length > 0; isMore; ) {
      const keys = await listLinkedBuyers(transaction, [...byId.keys()], last, BUYERS_AT_ONCE_MAX);
      await refreshThese(transaction, await lockLinkedBuyers(transaction, keys), byId, now);
      last = keys.at(-1);
      isMore = keys.length === BUYERS_AT_ONCE_MAX;
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
