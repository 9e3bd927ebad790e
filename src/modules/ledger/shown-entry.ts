/** Entries as the API and the commands show them. */
import type { PostedLedgerEntry } from './ledger.schemas.ts';
import { partyShown, sidesOf } from './ledger.schemas.ts';
import type { ShownEntry } from './statement.queries.ts';

/** What an entry is about, without its lines. */
export function aboutEntry(entry: ShownEntry) {
  return {
    entry_id: entry.entry_id,
    number: entry.number,
    cause: entry.cause,
    effective_at: entry.effective_at,
    belongs_to_at: entry.belongs_to_at,
    recorded_at: Math.floor(entry.recorded_us / 1_000_000),
    order_external_id: entry.order_external_id,
    invoice_external_id: entry.invoice_external_id,
    payment_id: entry.payment_id,
    credit_note_external_id: entry.credit_note_external_id,
    service_external_id: entry.service_external_id,
    payout_external_id: entry.payout_external_id,
  };
}

export function showEntry(entry: ShownEntry): PostedLedgerEntry {
  return {
    ...aboutEntry(entry),
    currency: entry.currency,
    actor: entry.actor,
    approved_by: entry.approved_by,
    reverses_entry_id: entry.reverses_entry,
    reversed_by_entry_id: entry.reversed_by,
    hash: entry.hash?.toString('hex') ?? null,
    lines: entry.lines.map(({ account, party, amount }) => ({
      account,
      party: partyShown(party),
      ...sidesOf(BigInt(amount)),
    })),
  };
}
