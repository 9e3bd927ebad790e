/** What may be posted: entries of at least two lines that sum to zero. */
import type { Currency } from '#kernel/currency';
import { ACCOUNTS, type LedgerLine } from './account.rules.ts';
import type { PostingCause } from './cause.rules.ts';

/** What an entry is about. Entries are found by invoice and by payment. */
export interface PostingDocuments {
  orderExternalId?: string | null;
  invoiceExternalId?: string | null;
  paymentId?: string | null;
  creditNoteExternalId?: string | null;
  serviceExternalId?: string | null;
  payoutExternalId?: string | null;
}

/** An entry to be posted. */
export interface Posting {
  cause: PostingCause;
  currency: Currency;
  /** Unix seconds, by the platform's clock: when the cause happened. In a closed period the entry counts from its end. */
  effectiveAt: number;
  actor: string;
  approvedBy?: string | null;
  documents?: PostingDocuments;
  /** The entry of which this one is the reversal. */
  reversesEntry?: string | null;
  /** Lines of 0 are left out. */
  lines: readonly LedgerLine[];
}

const PARTY = /^[a-zA-Z0-9_-]{1,100}$/;

/** The lines that are written. Throws an error if they are no entry, which is a defect of the caller. */
export function linesOf({ cause, lines }: Pick<Posting, 'cause' | 'lines'>): LedgerLine[] {
  const written = lines.filter(({ amountMinor }) => amountMinor !== 0);
  if (written.length < 2) throw new Error(`The entry ${cause} has fewer than two lines.`);
  for (const { account, party, amountMinor } of written) {
    if (!Number.isSafeInteger(amountMinor))
      throw new Error(`The entry ${cause} has ${amountMinor} on ${account}, which is no whole amount.`);
    if (ACCOUNTS[account].party === null ? party !== '' : !PARTY.test(party))
      throw new Error(`The entry ${cause} names '${party}' as the party of ${account}.`);
  }
  const total = written.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n);
  if (total !== 0n) throw new Error(`The lines of the entry ${cause} sum to ${total} and not to zero.`);
  return written;
}
