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

/** Posts in its own transaction. */
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

/** Posts a payment of a buyer with an id and an instant of recording that the test knows in advance. */
export async function postNamed(
  { sql }: Pick<World, 'sql'>,
  platformId: number,
  entryId: string,
  buyer: string,
  paymentId = 'payment-1',
): Promise<void> {
  await sql('insert into ledger_books (platform_id) values ($1) on conflict do nothing', [platformId]);
  await sql(
    `with entry as (
      insert into ledger_entries (platform_id, entry_id, cause, currency, effective_at, recorded_at, actor,
        invoice_external_id, payment_id, line_count)
      values ($1, $2, 'PAYMENT_RECORDED', 'EUR', 1763640000, '2025-11-20T12:00:00Z', 'service', 'invoice-1', $4, 2) returning *
    ), lines as (
      insert into ledger_lines (platform_id, entry_id, line, account, party, amount, currency, effective_at, recorded_at, ordinal)
      select platform_id, entry_id, l.line, l.account, l.party, l.amount, currency, effective_at, recorded_at, ordinal
      from entry cross join (values (1, 'bank', 'main', 11900), (2, 'buyer_receivable', $3, -11900)) l(line, account, party, amount)
    )
    insert into ledger_unnumbered (platform_id, ordinal, entry_id) select platform_id, ordinal, entry_id from entry`,
    [platformId, entryId, buyer, paymentId],
  );
}

export const entriesOf = {
  invoice: ({ installation }: World, platformId: number, externalId: string) =>
    listEntriesOfInvoice(installation.db, platformId, externalId),
  payment: ({ installation }: World, platformId: number, paymentId: string) =>
    listEntriesOfPayment(installation.db, platformId, paymentId),
};
