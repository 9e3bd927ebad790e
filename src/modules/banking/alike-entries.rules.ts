/** Entries to which the bank gives no reference, and which are alike: of one account, amount and day. */
import type { BankDetail, BankEntryRecord, StatementBegin } from './formats/bank-document.ts';

/** An entry that is known, with what a statement and a notification say of it; null for what neither says. */
export interface AlikeEntry {
  identityMac: Buffer;
  stated: string | null;
  notified: string | null;
}

/**
 * What tells the payments of an entry from others of the same amount: their references, else what the payer wrote, and who it
 * is. Null if the bank says nothing of it.
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
 * Which of the known entries each payment of a document is; null for a new one. No entry is taken twice. A statement has every
 * entry of its time, so what remains of it is whatever is known. Notifications each have their own: two payments that they tell
 * apart are two.
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
