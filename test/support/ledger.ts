/** Entries of the ledger for tests, as modules post them. */
import { inTransaction } from '#infra/database/transaction';
import {
  credit,
  debit,
  findJournalEntry,
  listEntriesOfInvoice,
  listEntriesOfPayment,
  type Posting,
  post,
  reversalOf,
} from '#modules/ledger';
import type { World } from './world.ts';

/** A buyer pays 119.00 EUR for a financed invoice. */
export function paymentPosting(changes: Partial<Posting> = {}): Posting {
  return {
    cause: 'PAYMENT_RECORDED',
    currency: 'EUR',
    effectiveAt: 1_763_640_000,
    actor: 'service',
    documents: { invoiceExternalId: 'invoice-1', paymentId: 'payment-1' },
    lines: [debit('bank', 11_900, 'main'), credit('buyer_receivable', 11_900, 'buyer')],
    ...changes,
  };
}

/** Posts in a transaction of its own. */
export function postOn(
  { installation }: Pick<World, 'installation'>,
  platformId: number,
  ...postings: Posting[]
): Promise<string[]> {
  return inTransaction(installation.db, (db) => post(db, platformId, postings));
}

/** The reversal of a posted entry, at the same instant. */
export async function reversingPosting(
  { installation }: Pick<World, 'installation'>,
  platformId: number,
  entryId: string,
  changes: Partial<Posting> = {},
): Promise<Posting> {
  const entry = await findJournalEntry(installation.db, platformId, entryId);
  if (!entry) throw new Error(`There is no entry ${entryId}.`);
  const made = { cause: 'PAYMENT_REVERSED', effectiveAt: entry.effective_at, actor: 'service' } as const;
  return { ...reversalOf(entry, made), ...changes };
}

export const entriesOf = {
  invoice: ({ installation }: World, platformId: number, externalId: string) =>
    listEntriesOfInvoice(installation.db, platformId, externalId),
  payment: ({ installation }: World, platformId: number, paymentId: string) =>
    listEntriesOfPayment(installation.db, platformId, paymentId),
};
