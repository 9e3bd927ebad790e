/** Which payment terms a buyer is offered for a purchase, at which price, and why another one is not. */
import type { Currency } from '#kernel/currency';
import {
  instalmentsOf,
  isOnCredit,
  PAYMENT_TERMS,
  type PaymentMethod,
  type PaymentTerm,
} from '#kernel/payment-term';
import { type Problem, refusal } from '#kernel/problem';
import type { PriceClass } from '#modules/underwriting';
import { creditRefusal, type Standing } from './credit.rules.ts';
import { feeOf } from './price-table.rules.ts';

export interface Purchase {
  grossMinor: number;
  currency: Currency;
  /** Unix seconds: the day from which terms count. */
  orderedAt: number;
}

export interface TermOffer {
  payment_method: PaymentMethod;
  payment_term: PaymentTerm;
  /** What the term costs, in minor units of the purchase's currency. */
  fee: { net: number; tax: number; gross: number };
  installments: { due_at: number; amount: { value: number; currency: Currency } }[];
}

/** Why a term is not offered: what refuses the order, or a rule about this term alone. */
export const UNAVAILABLE_REASONS = [
  'NO_ACTIVE_FACILITY',
  'FACILITY_EXPIRED',
  'FACILITY_FROZEN',
  'FACILITY_CURRENCY_CONFLICT',
  'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
  'BUYER_OVERDUE',
  'TERM_TOO_LONG',
  'PRICE_CLASS',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

export type TermAnswer = { offer: TermOffer } | { unavailable: UnavailableReason; problem: Problem };

/** The transfer is what the service can reconcile by itself; an order may name another method. */
const METHOD_OFFERED: PaymentMethod = 'TRANSFER';

/** @param maxPaymentTermDays The platform's longest term; a SPLIT month counts 30 days. `now` is in unix seconds. */
export function termOf(
  term: PaymentTerm,
  standing: Standing,
  maxPaymentTermDays: number,
  purchase: Purchase,
  now: number,
): TermAnswer {
  const fee = isOnCredit(term) ? creditFee(term, standing, maxPaymentTermDays, purchase, now) : NO_FEE;
  if ('unavailable' in fee) return fee;
  return {
    offer: {
      payment_method: METHOD_OFFERED,
      payment_term: term,
      fee,
      installments: instalmentsOf(term, purchase.grossMinor, purchase.orderedAt).map(
        ({ dueAt, amountMinor }) => ({
          due_at: dueAt,
          amount: { value: amountMinor, currency: purchase.currency },
        }),
      ),
    },
  };
}

export function allTerms(
  standing: Standing,
  maxPaymentTermDays: number,
  purchase: Purchase,
  now: number,
): Record<PaymentTerm, TermAnswer> {
  return Object.fromEntries(
    PAYMENT_TERMS.map((term) => [term, termOf(term, standing, maxPaymentTermDays, purchase, now)]),
  ) as Record<PaymentTerm, TermAnswer>;
}

const NO_FEE = { net: 0, tax: 0, gross: 0 };
/** The dearest class, for a facility whose decision named none. */
const LAST_CLASS: PriceClass = 'D';

function creditFee(
  term: PaymentTerm,
  standing: Standing,
  maxPaymentTermDays: number,
  { grossMinor, currency }: Purchase,
  now: number,
): TermOffer['fee'] | Extract<TermAnswer, { unavailable: unknown }> {
  if (daysOf(term) > maxPaymentTermDays)
    return notOffered(term, 'TERM_TOO_LONG', { max_payment_term: maxPaymentTermDays });
  const problem = creditRefusal(standing, { grossMinor, currency }, now);
  if (problem) return { unavailable: problem.reason as UnavailableReason, problem };
  const { priceTable } = standing.limitPolicy;
  const priceClass = (standing.facility?.price_class ?? LAST_CLASS) as PriceClass;
  const basisPoints = priceTable.fee_basis_points[priceClass]?.[term];
  if (basisPoints === undefined) return notOffered(term, 'PRICE_CLASS');
  return feeOf(grossMinor, basisPoints, priceTable.tax_basis_points);
}

function notOffered(term: PaymentTerm, reason: UnavailableReason, more: Record<string, unknown> = {}) {
  const details = { payment_term: term, unavailable_reason: reason, ...more };
  return {
    unavailable: reason,
    problem: refusal('PAYMENT_TERM_NOT_AVAILABLE', `${term} is not offered for this order`, details),
  };
}

/** The longest wait of a term in days; a month counts 30. */
function daysOf(term: PaymentTerm): number {
  const [, count = '0', unit] = /_(\d+)([DM])$/.exec(term) ?? [];
  return Number(count) * (unit === 'M' ? 30 : 1);
}
