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
import { creditRefusal, refusalWhilePending, type Standing } from './credit.rules.ts';
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

/** `refuse` makes what an order that asks for the term is refused with: a page with twenty terms needs none of them. */
export type TermAnswer = { offer: TermOffer } | { unavailable: UnavailableReason; refuse: () => Problem };

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
  const judgement = isOnCredit(term) ? judge(standing, purchase, now) : UNJUDGED;
  return answerOf(term, standing, maxPaymentTermDays, purchase, judgement);
}

/**
 * The same for a buyer whose facility a person still decides about: at the price that it has at most, since nobody knows
 * the class yet.
 */
export function termAtMost(
  term: PaymentTerm,
  standing: Standing,
  maxPaymentTermDays: number,
  purchase: Purchase,
  now: number,
): TermAnswer {
  const judgement = isOnCredit(term) ? judgeAtMost(standing, purchase, now) : UNJUDGED;
  return answerOf(term, standing, maxPaymentTermDays, purchase, judgement);
}

/** How every term on credit is judged: what refuses the buyer any, and the class that its price is of. */
export interface Judgement {
  problem: Problem | null;
  priceClass: PriceClass;
}

/** Prepayment is no credit, and passes whatever is said of that. */
const UNJUDGED: Judgement = { problem: null, priceClass: 'D' };

export function judge(standing: Standing, purchase: Purchase, now: number): Judgement {
  return {
    problem: creditRefusal(standing, purchase, now),
    priceClass: (standing.facility?.price_class ?? DEAREST_CLASS) as PriceClass,
  };
}

function judgeAtMost(standing: Standing, purchase: Purchase, now: number): Judgement {
  return { problem: refusalWhilePending(standing, purchase, now), priceClass: DEAREST_CLASS };
}

function answerOf(
  term: PaymentTerm,
  standing: Standing,
  maxPaymentTermDays: number,
  purchase: Purchase,
  judgement: Judgement,
): TermAnswer {
  const fee = isOnCredit(term) ? creditFee(term, standing, maxPaymentTermDays, purchase, judgement) : NO_FEE;
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

export interface UnavailableTerm {
  term: PaymentTerm;
  reason: UnavailableReason;
}

/** Every term in their order: those that are offered, and why each other one is not. */
export function sortedTerms(
  standing: Standing,
  maxPaymentTermDays: number,
  purchase: Purchase,
  judgement: Judgement,
): { offers: TermOffer[]; unavailable: UnavailableTerm[] } {
  const answers = PAYMENT_TERMS.map((term) => ({
    term,
    answer: answerOf(term, standing, maxPaymentTermDays, purchase, judgement),
  }));
  return {
    offers: answers.flatMap(({ answer }) => ('offer' in answer ? [answer.offer] : [])),
    unavailable: answers.flatMap(({ term, answer }) =>
      'unavailable' in answer ? [{ term, reason: answer.unavailable }] : [],
    ),
  };
}

export interface OfferedTerm extends TermOffer {
  /** The fee is what the term costs at most: a person still decides about the facility. */
  isUpTo: boolean;
}

/** What a checkout offers: also what is only certain once the facility is granted. `now` is in unix seconds. */
export function offeredTerms(
  standing: Standing,
  maxPaymentTermDays: number,
  purchase: Purchase,
  now: number,
): { offers: OfferedTerm[]; unavailable: UnavailableTerm[] } {
  const isPending = standing.facility?.status === 'PENDING';
  const judgement = (isPending ? judgeAtMost : judge)(standing, purchase, now);
  const { offers, unavailable } = sortedTerms(standing, maxPaymentTermDays, purchase, judgement);
  return {
    offers: offers.map((offer) => ({ ...offer, isUpTo: isPending && isOnCredit(offer.payment_term) })),
    unavailable,
  };
}

const NO_FEE = { net: 0, tax: 0, gross: 0 };
/** Also for a facility whose decision named none. */
const DEAREST_CLASS: PriceClass = 'D';

function creditFee(
  term: PaymentTerm,
  standing: Standing,
  maxPaymentTermDays: number,
  { grossMinor }: Purchase,
  { problem, priceClass }: Judgement,
): TermOffer['fee'] | Extract<TermAnswer, { unavailable: unknown }> {
  if (daysOf(term) > maxPaymentTermDays)
    return notOffered(term, 'TERM_TOO_LONG', { max_payment_term: maxPaymentTermDays });
  if (problem) return { unavailable: problem.reason as UnavailableReason, refuse: () => problem };
  const { priceTable } = standing.limitPolicy;
  const basisPoints = priceTable.fee_basis_points[priceClass]?.[term];
  if (basisPoints === undefined) return notOffered(term, 'PRICE_CLASS');
  return feeOf(grossMinor, basisPoints, priceTable.tax_basis_points);
}

function notOffered(term: PaymentTerm, reason: UnavailableReason, more: Record<string, unknown> = {}) {
  const details = { payment_term: term, unavailable_reason: reason, ...more };
  return {
    unavailable: reason,
    refuse: () => refusal('PAYMENT_TERM_NOT_AVAILABLE', `${term} is not offered for this order`, details),
  };
}

/** The longest wait of a term in days; a month counts 30. */
function daysOf(term: PaymentTerm): number {
  const [, count = '0', unit] = /_(\d+)([DM])$/.exec(term) ?? [];
  return Number(count) * (unit === 'M' ? 30 : 1);
}
