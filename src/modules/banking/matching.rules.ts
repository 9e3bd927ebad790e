/** Decides the purpose of a payment. Only the names in it count: neither a likely amount nor a person's name is enough for a match. */
import type { Currency } from '#kernel/currency';
import { isPaymentReference } from '#modules/invoices';
import type { TransactionDetails } from './bank-details.ts';

/** Why a person must decide, with a sentence for that person. */
export const QUEUE_REASONS = {
  NOTHING_NAMED: 'It names neither a creditor reference nor an invoice number of this platform.',
  SUM_DIFFERS: 'The invoices that it names do not sum to its amount.',
  AMBIGUOUS_NUMBER: 'Several invoices have the number that it names.',
  OTHER_CURRENCY: 'An invoice that it names is in another currency.',
  CANCELLED_INVOICE: 'An invoice that it names is cancelled.',
  BATCH_WITHOUT_DETAILS: 'It is the sum of several payments, and the bank has not sent them.',
  ORIGINAL_UNKNOWN: 'It takes money back, but does not identify the payment.',
  OUTGOING: 'It is an outgoing payment, but does not identify what it pays.',
} as const;
export type QueueReason = keyof typeof QUEUE_REASONS;

/** The fields of an invoice that payments depend on. */
export interface NamedInvoice {
  externalId: string;
  paymentReference: string;
  invoiceNumber: string | null;
  status: string;
  currency: Currency;
  outstandingMinor: number;
  /** The amount owed for its late charges. */
  chargesMinor: number;
  /** A missing amount up to this is written off. */
  residueMinor: number;
}

/** The part of a payment that one invoice gets. */
export interface InvoicePart {
  externalId: string;
  /** The part of the money. */
  amountMinor: number;
  /** The missing amount that is written off. */
  differenceMinor: number;
}

export type MatchDecision = { reason: QueueReason } | { parts: InvoicePart[] };

/** The length of an invoice's own reference: `RF`, two check digits and sixteen characters. */
const REFERENCE_LENGTH = 20;
/** Invoice numbers can contain spaces, and banks break lines within them. */
const WORDS_IN_A_NUMBER_MAX = 3;
const WORDS_MAX = 300;

/** The references and numbers that a payment may name. */
export interface PaymentNames {
  references: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

export const paymentNamesIn = (details: TransactionDetails): PaymentNames => ({
  references: new Set(referencesIn(details)),
  numbers: new Set(numbersIn(details)),
});

/** The creditor references in a payment: from their own field, or from the text, ignoring spaces. */
export function referencesIn({ creditorReferences, remittance }: TransactionDetails): string[] {
  const compact = (text: string) => text.replaceAll(/\s/g, '').toUpperCase();
  const written = compact(remittance);
  const inText = [...written.matchAll(/RF(?=\d\d)/g)].map(({ index }) =>
    written.slice(index, index + REFERENCE_LENGTH),
  );
  return [...new Set([...creditorReferences.map(compact), ...inText])].filter(isPaymentReference);
}

/** The possible invoice numbers in the text: one to three words with a digit, as the payer wrote them. */
export function numbersIn({ remittance }: TransactionDetails): string[] {
  if (!/\d/.test(remittance)) return [];
  const written = remittance
    .split(/[\s,;]+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
  const found = written.flatMap((_, at) =>
    Array.from({ length: WORDS_IN_A_NUMBER_MAX }, (_, more) => written.slice(at, at + more + 1)).flatMap(
      (part) => [part.join(' '), part.join('')],
    ),
  );
  return [...new Set(found)].filter((text) => /\d/.test(text) && text.length >= 3 && text.length <= 100);
}

/**
 * Decides which invoices a payment pays: a creditor reference first, then invoice numbers with the exact sum, or with that sum and all
 * late charges, as reminders request it. A single reference accepts any amount: the invoice handles part payments and overpayments.
 */
export function decideParts(
  { amountMinor, currency }: { amountMinor: number; currency: Currency },
  { references, numbers }: PaymentNames,
  invoices: readonly NamedInvoice[],
): MatchDecision {
  const byReference = invoices.filter(({ paymentReference }) => references.has(paymentReference));
  const byNumber = invoices.filter(
    ({ invoiceNumber }) => invoiceNumber !== null && numbers.has(invoiceNumber),
  );
  const named = [...new Set([...byReference, ...byNumber])];
  const [only, ...others] = byReference;
  const exact = partsOfSum(amountMinor, named) ?? partsWithCharges(amountMinor, named);
  const chosen = only && others.length === 0 && exact === null ? [only] : named;
  if (chosen.length === 0) return { reason: 'NOTHING_NAMED' };
  if (chosen.some(({ status }) => status === 'CANCELLED')) return { reason: 'CANCELLED_INVOICE' };
  if (chosen.some((invoice) => invoice.currency !== currency)) return { reason: 'OTHER_CURRENCY' };
  if (only && chosen.length === 1) return { parts: [partOf(only, amountMinor)] };
  if (hasTwins(byNumber.filter((invoice) => !byReference.includes(invoice))))
    return { reason: 'AMBIGUOUS_NUMBER' };
  return exact ? { parts: exact } : { reason: 'SUM_DIFFERS' };
}

const hasTwins = (invoices: readonly NamedInvoice[]) =>
  new Set(invoices.map(({ invoiceNumber }) => invoiceNumber)).size < invoices.length;

function partOf(
  { externalId, outstandingMinor, residueMinor }: NamedInvoice,
  amountMinor: number,
): InvoicePart {
  const missingMinor = outstandingMinor - amountMinor;
  const isResidue = missingMinor > 0 && missingMinor <= residueMinor;
  return { externalId, amountMinor, differenceMinor: isResidue ? missingMinor : 0 };
}

/** Each invoice gets the amount it owes, the last one less a residue. Null if these do not add up to the amount. */
function partsOfSum(amountMinor: number, invoices: readonly NamedInvoice[]): InvoicePart[] | null {
  const owing = invoices.filter(({ outstandingMinor }) => outstandingMinor > 0);
  const last = owing.at(-1);
  if (!last) return null;
  const sum = owing.reduce((total, { outstandingMinor }) => total + outstandingMinor, 0);
  const missingMinor = sum - amountMinor;
  if (missingMinor < 0 || missingMinor > last.residueMinor || missingMinor >= last.outstandingMinor)
    return null;
  return owing.map(({ externalId, outstandingMinor }) => {
    const differenceMinor = externalId === last.externalId ? missingMinor : 0;
    return { externalId, amountMinor: outstandingMinor - differenceMinor, differenceMinor };
  });
}

/** Each invoice gets the amount it owes, including its late charges. Null if these do not add up to the amount. */
function partsWithCharges(amountMinor: number, invoices: readonly NamedInvoice[]): InvoicePart[] | null {
  const parts = invoices
    .map(({ externalId, outstandingMinor, chargesMinor }) => ({
      ...{ externalId, differenceMinor: 0 },
      amountMinor: outstandingMinor + chargesMinor,
    }))
    .filter((part) => part.amountMinor > 0);
  return parts.reduce((sum, part) => sum + part.amountMinor, 0) === amountMinor ? parts : null;
}
