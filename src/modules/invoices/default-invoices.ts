/** Invoices that default: more than 90 days past due, with more outstanding than the materiality. */
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { localDayOf } from '#kernel/local-day';
import { findLimitPolicies, recordDefaults } from '#modules/facilities';
import { findTimeZone } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { unpausedOf } from './disputed-amount.rules.ts';
import { defaulting, lockDefaulting, writeJudged } from './due-invoice.queries.ts';

const TOGETHER_MAX = 20;

/**
 * Judges DUE invoices after their 90th day past due. Later ones are judged again whenever the amount owed changes. A default is a fact
 * of paying behaviour, not a transition. It is recorded once; later changes of it are recorded as separate facts.
 */
export const invoiceDefaults: DueSource<unknown, 'invoice'> = {
  ...defaulting,
  togetherMax: TOGETHER_MAX,
  make: (db, platformId, due) =>
    inTransaction(db, (transaction) => judgeTogether(transaction, platformId, due)),
};

/** Returns the invoices that have defaulted. Skips invoices that were paid or cancelled since they were found. */
async function judgeTogether(
  db: ChangeContext['db'],
  platformId: number,
  due: readonly Due<'invoice'>[],
): Promise<Due<'invoice'>[]> {
  const [{ dueAt: at }] = due as [Due];
  const judged = await lockDefaulting(
    db,
    platformId,
    due.map(({ externalId }) => externalId),
    at,
  );
  if (judged.length === 0) return [];
  const policies = await findLimitPolicies(
    db,
    judged.map(({ buyer_external_id: buyerExternalId }) => ({ platformId, buyerExternalId, at })),
  );
  const defaulted = judged.filter(
    (invoice, index) => unpausedOf(invoice) > (policies[index]?.defaultMaterialityAmountMinor ?? 0),
  );
  const defaultedOn = localDayOf(at, await findTimeZone(db, platformId));
  await writeJudged(db, platformId, idsOf(judged), idsOf(defaulted), defaultedOn);
  await recordDefaults(
    db,
    platformId,
    defaulted.map((invoice) => ({
      buyerExternalId: invoice.buyer_external_id,
      invoiceExternalId: invoice.external_id,
      defaultedOn,
      currency: invoice.currency,
      amountMinor: invoice.outstanding_amount,
      at,
    })),
  );
  const made = new Set(idsOf(defaulted));
  return due.filter(({ externalId }) => made.has(externalId));
}

const idsOf = (invoices: readonly { external_id: string }[]) =>
  invoices.map(({ external_id }) => external_id);
