/** The journal as CSV by RFC 4180: one row for each line of an entry. */
import { csvRow } from '#kernel/csv';
import { plainAmount } from '#kernel/currency';
import type { PostedLedgerEntry } from '#modules/ledger';
import { instant } from './table.ts';

const COLUMNS = [
  ...['number', 'entry_id', 'cause', 'effective_at', 'belongs_to_at', 'recorded_at', 'actor', 'approved_by'],
  ...['order_external_id', 'invoice_external_id', 'payment_id', 'credit_note_external_id'],
  ...['service_external_id', 'payout_external_id', 'reverses_entry_id', 'hash'],
  ...['line', 'account', 'party', 'currency', 'debit', 'credit'],
] as const;

/** The header row. Rows end with CR LF, of which the caller prints the LF. */
export const CSV_HEAD = `${csvRow(COLUMNS)}\r`;

/** The rows of an entry. Amounts are in the main unit of the currency, and a side that is 0 is empty. Instants are in UTC. */
export function csvRows(entry: PostedLedgerEntry): string[] {
  const { lines, currency, ...about } = entry;
  const inUtc = (at: number | null) => (at === null ? null : instant(at));
  const shown: Record<string, unknown> = {
    ...about,
    effective_at: inUtc(entry.effective_at),
    belongs_to_at: inUtc(entry.belongs_to_at),
    recorded_at: inUtc(entry.recorded_at),
    currency,
  };
  return lines.map(({ account, party, debit, credit }, index) => {
    const side = (amount: bigint) => (amount === 0n ? null : plainAmount(amount, currency));
    const row = { ...shown, line: index + 1, account, party, debit: side(debit), credit: side(credit) };
    return `${csvRow(COLUMNS.map((column) => row[column as keyof typeof row]))}\r`;
  });
}
