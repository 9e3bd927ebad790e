/** What the hash of a numbered entry covers. */
import { hash } from 'node:crypto';
import type { Vault } from '#infra/secrets/vault';
import type { JournalEntry } from './journal.queries.ts';

const KEY_BYTES = 32;

/** The key that seals the head of a platform's chain. It is derived from the master key and not stored. */
export function ledgerKeyOf(vault: Pick<Vault, 'derive'>, platformCode: string): Buffer {
  return vault.derive(`ledger/${platformCode}`, KEY_BYTES);
}

/** The SHA-256 over all of the entry, its number, its lines and the hash of the entry before it. */
export function journalHashOf(entry: JournalEntry, number: number, previousHash: Buffer): Buffer {
  const about = [entry.platform_id, number, entry.entry_id, entry.cause, entry.currency];
  const times = [entry.effective_at, entry.belongs_to_at, entry.recorded_us];
  const actors = [entry.actor, entry.approved_by];
  const documents = [
    ...[entry.order_external_id, entry.invoice_external_id, entry.payment_id],
    ...[entry.credit_note_external_id, entry.service_external_id, entry.payout_external_id],
    entry.reverses_entry,
  ];
  const lines = entry.lines.map(({ line, account, party, amount }) => [line, account, party, amount]);
  const content = [...about, ...times, ...actors, ...documents, lines, previousHash.toString('hex')];
  return hash('sha256', JSON.stringify(content), 'buffer');
}
