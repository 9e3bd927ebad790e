/** Reads the form of a dispute, and finds its errors. Amounts are minor units. */
import type { Currency } from '#kernel/currency';
import { isBlank, isPlainText } from '#kernel/text';
import { typedAmount } from '#kernel/typed-amount';
import type { FieldError } from '#modules/checkout';
import { DISPUTE_REASONS, DISPUTE_WORDS_MAX, type Dispute } from '#modules/disputes';

/** The whole amount that is owed and not yet disputed, lines of the invoice, or an amount without a line. */
export const DISPUTE_SCOPES = ['INVOICE', 'LINES', 'AMOUNT'] as const;
export type DisputeScope = (typeof DISPUTE_SCOPES)[number];

/** The fields as typed. */
export interface TypedDispute {
  about: string;
  amount: string;
  /** The numbers of the marked lines. */
  lines: readonly string[];
  /** The amount entered for a line. */
  amountOfLine(number: number): string;
  reason: string;
  comment: string;
}

/** A line of the invoice, by its position from 1. */
export interface DisputableLine {
  number: number;
  name: string;
  /** Its amount with tax; null if the invoice does not state it. */
  grossMinor: number | null;
  isDisputed: boolean;
}

export interface Disputable {
  currency: Currency;
  /** The amount that is owed and not yet disputed. */
  availableMinor: number;
  lines: readonly DisputableLine[];
}

/** One dispute. Line and amount are null for the whole amount that is owed and not yet disputed. */
export interface WantedDispute {
  reason: Dispute['reason'];
  comment: string;
  lineNumber: number | null;
  amountMinor: number | null;
}

export type ReadDispute = { wanted: WantedDispute[] } | { errors: FieldError[] };

export function readDispute(typed: TypedDispute, disputable: Disputable): ReadDispute {
  if (disputable.availableMinor <= 0) return { errors: [{ field: null, error: 'error.nothing_to_dispute' }] };
  const errors: FieldError[] = [];
  const parts = partsOf(typed, disputable, errors);
  const reason = DISPUTE_REASONS.find((each) => each === typed.reason);
  if (reason === undefined) errors.push({ field: 'reason', error: 'error.choose' });
  const comment = typed.comment.replaceAll('\r\n', '\n').trim();
  if ([...comment].length > DISPUTE_WORDS_MAX)
    errors.push({ field: 'comment', error: 'error.too_long', values: { max: DISPUTE_WORDS_MAX } });
  else if (!isPlainText(comment)) errors.push({ field: 'comment', error: 'error.characters' });
  // The reason OTHER needs a comment: without one, nobody could decide.
  else if (reason === 'OTHER' && isBlank(comment)) errors.push({ field: 'comment', error: 'error.required' });
  if (errors.length > 0 || reason === undefined) return { errors };
  return { wanted: parts.map((part) => ({ ...part, reason, comment })) };
}

type Part = Pick<WantedDispute, 'lineNumber' | 'amountMinor'>;

function partsOf(typed: TypedDispute, disputable: Disputable, errors: FieldError[]): Part[] {
  switch (typed.about as DisputeScope) {
    case 'INVOICE':
      return [{ lineNumber: null, amountMinor: null }];
    case 'AMOUNT':
      return [{ lineNumber: null, amountMinor: amountOf('amount', typed.amount, disputable, errors) }];
    case 'LINES':
      return linesOf(typed, disputable, errors);
    default:
      errors.push({ field: 'about', error: 'error.choose' });
      return [];
  }
}

function linesOf(typed: TypedDispute, disputable: Disputable, errors: FieldError[]): Part[] {
  const marked = disputable.lines.filter(({ number }) => typed.lines.includes(String(number)));
  if (marked.length === 0) errors.push({ field: 'lines', error: 'error.choose' });
  const before = errors.length;
  const parts = marked.map(({ number, isDisputed }) => {
    const field = amountFieldOf(number);
    if (isDisputed) errors.push({ field, error: 'error.line_disputed' });
    return {
      lineNumber: number,
      amountMinor: amountOf(field, typed.amountOfLine(number), disputable, errors),
    };
  });
  const sum = parts.reduce((total, { amountMinor }) => total + (amountMinor ?? 0), 0);
  if (errors.length === before && sum > disputable.availableMinor) errors.push(tooMuch('lines', disputable));
  return parts;
}

export function amountFieldOf(lineNumber: number): string {
  return `amount${lineNumber}`;
}

function amountOf(field: string, text: string, disputable: Disputable, errors: FieldError[]): number | null {
  const { currency, availableMinor } = disputable;
  const minor = typedAmount(text, currency);
  if (minor === null) errors.push({ field, error: 'error.amount' });
  else if (minor > availableMinor) errors.push(tooMuch(field, disputable));
  return minor;
}

/** The amount stays a number: the page formats it in the language of its reader. */
function tooMuch(field: string, { availableMinor }: Disputable): FieldError {
  return { field, error: 'error.amount_max', values: { amount: availableMinor } };
}

/**
 * The amount of each line with tax, rounded half up. Lines do not state whether their prices include tax. Their sum does, if it is one of
 * the amounts of the invoice; else the amounts are null.
 */
export function linesWithTax(
  lines: readonly { name: string; price: number; quantity: number }[],
  { net, gross }: { net: number; gross: number },
): { number: number; name: string; grossMinor: number | null }[] {
  const totals = lines.map(({ price, quantity }) => BigInt(price) * BigInt(quantity));
  const sum = totals.reduce((total, each) => total + each, 0n);
  const isOfAmount = sum > 0n && (sum === BigInt(gross) || sum === BigInt(net));
  return lines.map(({ name }, index) => {
    const total = totals[index] as bigint;
    const grossMinor = Number((2n * total * BigInt(gross) + sum) / (2n * (sum || 1n)));
    return { number: index + 1, name, grossMinor: isOfAmount && total > 0n ? grossMinor : null };
  });
}
