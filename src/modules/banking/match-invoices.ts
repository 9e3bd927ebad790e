/** Settles invoices with the money that came in on a bank account. */
import { Problem } from '#kernel/problem';
import { type InvoiceRow, type MoneyReceived, recordPayments } from '#modules/invoices';
import { credit, debit, type Posting, post } from '#modules/ledger';
import type { EntryTransaction } from './bank-transaction.queries.ts';
import type { MatchingContext } from './banking-context.ts';
import { writeMatches } from './match-transaction.ts';
import type { InvoicePart } from './matching.rules.ts';
import { bookedAt, clearSuspense } from './suspense.ts';

/** A locked transaction with the invoices that it pays. */
export interface InvoiceMatch {
  transaction: EntryTransaction;
  parts: readonly InvoicePart[];
}

interface Paid {
  match: InvoiceMatch;
  part: InvoicePart;
  invoice: InvoiceRow;
  paymentId: string;
  paidAt: number;
}

/**
 * Settles locked invoices, by external_id, with incoming transactions. No invoice is in two of them. The missing part of an
 * invoice, up to its residue, is written off. Throws the problem of a refused payment.
 */
export async function matchInvoices(
  context: MatchingContext,
  matches: readonly InvoiceMatch[],
  { invoices, reason }: { invoices: ReadonlyMap<string, InvoiceRow>; reason: string | null },
): Promise<void> {
  if (matches.length === 0) return;
  const { db, platformId, actor, now, timeZone } = context;
  for (const { transaction } of matches) await clearSuspense(context, transaction, null);
  const paid = matches.flatMap((match) => paidBy(context, match, invoices));
  const recorded = await recordPayments(
    { db, platformId, timeZone },
    paid.map((each): MoneyReceived => ({ ...moneyOf(each), actor, now })),
  );
  for (const each of recorded) if (each instanceof Problem) throw each;
  await post(
    db,
    platformId,
    paid.flatMap((each) => differencesOf(each, actor)),
  );
  await writeMatches(
    context,
    matches.map((match) => ({
      transaction: match.transaction,
      ledgerEntry: null,
      parts: paid
        .filter((each) => each.match === match)
        .map(({ part, paymentId }) => ({
          ...({ kind: 'PAYMENT', amountMinor: part.amountMinor } as const),
          ...{ invoiceExternalId: part.externalId, paymentExternalId: paymentId },
        })),
    })),
    reason,
  );
}

/** The external_id of a payment contains the transaction and its match, so that a retry counts the money only once. */
function paidBy(
  context: MatchingContext,
  match: InvoiceMatch,
  invoices: ReadonlyMap<string, InvoiceRow>,
): Paid[] {
  const { transaction_id, version } = match.transaction;
  return match.parts.map((part, index) => {
    const invoice = invoices.get(part.externalId);
    if (!invoice) throw new Error(`There is no invoice ${part.externalId}.`);
    const paymentId = `bank-${transaction_id}-${version + 1}-${index + 1}`;
    return { match, part, invoice, paymentId, paidAt: bookedAt(match.transaction, context) };
  });
}

const moneyOf = ({
  match,
  part,
  invoice,
  paymentId,
  paidAt,
}: Paid): Omit<MoneyReceived, 'actor' | 'now'> => ({
  invoice,
  amountMinor: part.amountMinor + part.differenceMinor,
  request: { external_id: paymentId, paid_at: paidAt, received_by: 'PLATFORM' },
  bankAccount: match.transaction.bank_account,
});

/** The bank received less than the payment counts for. The entry belongs to the payment, so that its reversal also reverses the entry. */
function differencesOf({ match, part, paymentId, paidAt }: Paid, actor: string): Posting[] {
  const { bank_account: account, currency } = match.transaction;
  const { differenceMinor } = part;
  if (differenceMinor === 0) return [];
  return [
    {
      ...{ cause: 'DIFFERENCE_WRITTEN_OFF', currency, effectiveAt: paidAt, actor },
      documents: { invoiceExternalId: part.externalId, paymentId },
      lines: [debit('bank_charges', differenceMinor), credit('bank', differenceMinor, account)],
    },
  ];
}
