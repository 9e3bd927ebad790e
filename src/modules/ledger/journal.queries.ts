/** Entries as they were posted, with their lines. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type RowOf, table, text } from '#infra/database/table';
import { isUuid } from '#kernel/uuid';
import type { AccountCode } from './account.rules.ts';
import type { PostingCause } from './cause.rules.ts';

export const ledgerEntriesTable = table('ledger_entries', {
  platform_id: 'int',
  entry_id: 'uuid',
  ordinal: 'bigint',
  cause: text<PostingCause>(),
  currency: 'text',
  effective_at: 'bigint',
  belongs_to_at: 'bigint',
  actor: 'text',
  approved_by: 'text',
  order_external_id: 'text',
  invoice_external_id: 'text',
  payment_id: 'text',
  credit_note_external_id: 'text',
  service_external_id: 'text',
  payout_external_id: 'text',
  reverses_entry: 'uuid',
});

/** A line of an entry as it is stored. */
export interface JournalLine {
  line: number;
  account: AccountCode;
  /** Empty if the account has no party. */
  party: string;
  /** Minor units: debit is positive, credit negative. */
  amount: number;
}

export type JournalEntry = RowOf<typeof ledgerEntriesTable> & {
  /** Microseconds of Unix time, by the database's clock. */
  recorded_us: number;
  /** In their order. */
  lines: JournalLine[];
};

/** The columns of a JournalEntry, for `ledger_entries e` of a platform. */
export const journalEntryOf = (
  platformId: number,
) => sql`${ledgerEntriesTable.of('e')}, (extract(epoch from e.recorded_at) * 1000000)::bigint as recorded_us,
  (
    select coalesce(json_agg(json_build_object('line', l.line, 'account', l.account, 'party', l.party, 'amount', l.amount)
      order by l.line), '[]')
    from ledger_lines l where l.platform_id = ${platformId} and l.entry_id = e.entry_id
  ) as lines`;

/** Finds an entry; undefined for an unknown one. The id can be any text. */
export async function findJournalEntry(
  db: Db,
  platformId: number,
  entryId: string,
): Promise<JournalEntry | undefined> {
  if (!isUuid(entryId)) return undefined;
  const { rows } = await sql<JournalEntry>`
    select ${journalEntryOf(platformId)} from ledger_entries e
    where e.platform_id = ${platformId} and e.entry_id = ${entryId}`.execute(db);
  return rows[0];
}

/** The entries about an invoice, in the order in which they were posted. */
export async function listEntriesOfInvoice(
  db: Db,
  platformId: number,
  invoiceExternalId: string,
): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select ${journalEntryOf(platformId)} from ledger_entries e
    where e.platform_id = ${platformId} and e.invoice_external_id = ${invoiceExternalId}
    order by e.ordinal`.execute(db);
  return rows;
}

/** The entries about a payment, in the order in which they were posted. */
export async function listEntriesOfPayment(
  db: Db,
  platformId: number,
  paymentId: string,
): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select ${journalEntryOf(platformId)} from ledger_entries e
    where e.platform_id = ${platformId} and e.payment_id = ${paymentId}
    order by e.ordinal`.execute(db);
  return rows;
}
