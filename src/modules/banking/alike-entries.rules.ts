/** Alike entries: without a bank reference, and with the same account, amount and day. */
import type { BankDetail, BankEntryRecord, StatementBegin } from './formats/bank-document.ts';

/** A known entry, with the payment text of a statement and of a notification; null if that document reported none. */
export interface AlikeEntry {
  identityMac: Buffer;
  stated: string | null;
  notified: string | null;
}

/**
 * The text that distinguishes the payments of an entry from others of the same amount: their end-to-end id, else their references, else
 * the payer's text, account and name. Null if the bank gives none of these.
 */
export function paymentTextOf({ details }: Pick<BankEntryRecord, 'details'>): string | null {
  const texts = details.map(detailTextOf);
  return texts.some((text) => text !== '') ? JSON.stringify(texts) : null;
}

function detailTextOf({ endToEndId, references, remittance, counterparty }: BankDetail): string {
  const { account, name } = counterparty;
  const text = endToEndId ?? (references.join(' ') || [remittance, account, name].filter(Boolean).join(' '));
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Finds the known entry of each payment of a document; null for a new one. No entry is used twice. A statement contains all entries of
 * its period, so its other payments take any entry that is left. A notification contains only its own entries: two payments with
 * different texts are two.
 */
export function takeAlike(
  payments: readonly (string | null)[],
  known: readonly AlikeEntry[],
  type: StatementBegin['type'],
): (AlikeEntry | null)[] {
  const free = new Set(known);
  const take = (fits: (entry: AlikeEntry) => boolean): AlikeEntry | null => {
    for (const entry of free) {
      if (!fits(entry)) continue;
      free.delete(entry);
      return entry;
    }
    return null;
  };
  const isSame = (payment: string, { stated, notified }: AlikeEntry) =>
    type === 'STATEMENT' ? stated === payment || notified === payment : (notified ?? stated) === payment;
  const same = payments.map((payment) => (payment === null ? null : take((entry) => isSame(payment, entry))));
  return payments.map((payment, index) => {
    const isAny = type === 'STATEMENT' || payment === null;
    return same[index] ?? take(({ notified }) => notified === null) ?? (isAny ? take(() => true) : null);
  });
}
