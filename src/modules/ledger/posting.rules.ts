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
  /** When the cause happened, in Unix seconds by the platform's clock. In a closed period the entry counts from its end. */
  effectiveAt: number;
  actor: string;
  approvedBy?: string | null;
  documents?: PostingDocuments;
  /** The entry that this one reverses. */
  reversesEntry?: string | null;
  /** The lines of the entry. Lines of 0 are omitted. */
  lines: readonly LedgerLine[];
}

const PARTY = /^[a-zA-Z0-9_-]{1,100}$/;

/** The lines to write. Throws an error if they do not make an entry, which is a defect of the caller. */
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
