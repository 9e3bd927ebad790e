/** Which payment terms a buyer is offered for a purchase, at which price, and why other terms are not offered. */
import type { Currency } from '#kernel/currency';
import {
  type Instalment,
  instalmentsOf,
  isOnCredit,
  PAYMENT_TERMS,
  type PaymentMethod,
  type PaymentTerm,
} from '#kernel/payment-term';
import { type Problem, refusal } from '#kernel/problem';
import type { PlatformRow } from '#modules/platforms';
import type { PriceClass } from '#modules/underwriting';
import { creditRefusal, isFacilityAwaited, refusalWhilePending, type Standing } from './credit.rules.ts';
import { feeOf } from './price-table.rules.ts';

export interface Purchase {
  grossMinor: number;
  currency: Currency;
  /** Unix seconds: the day from which terms count. */
  orderedAt: number;
}

export interface TermFee {
  net: number;
  tax: number;
  gross: number;
}

/** A platform's settings of terms: the longest one in days (a SPLIT month counts 30), and who pays their fees. */
export type TermSettings = Pick<PlatformRow, 'max_payment_term' | 'term_fee_payer'>;

export interface TermOffer {
  payment_method: PaymentMethod;
  payment_term: PaymentTerm;
  /** The fee of the term that the buyer pays, in minor units of the purchase's currency. */
  fee: TermFee;
  /** The fee that the merchant pays instead, by the platform's setting; absent in offers agreed before the setting existed. */
  merchant_fee?: TermFee;
  installments: { due_at: number; amount: { value: number; currency: Currency } }[];
}

/** The payments of an offer: its instalments, with the fee added to the first one. */
export function paymentsOf({ fee, installments }: Pick<TermOffer, 'fee' | 'installments'>): Instalment[] {
  return installments.map(({ due_at, amount }, index) => ({
    dueAt: due_at,
    amountMinor: index === 0 ? amount.value + fee.gross : amount.value,
  }));
}

/** Why a term is not offered: the refusal of the order, or a rule for this term. */
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

/** Why a term is not offered. `refuse` creates the problem for an order with the term, lazily. */
export interface TermRefusal<Reason extends string = UnavailableReason> {
  unavailable: Reason;
  refuse: () => Problem;
}

/** An offer, or why the term is not offered. */
export type TermAnswer = { offer: TermOffer } | TermRefusal;

/** The method that the service can reconcile automatically; a prepaid order may name another one. */
export const METHOD_OFFERED: PaymentMethod = 'TRANSFER';

/** The offer of one term, or why it is not offered. `now` is in unix seconds. */
export function termOf(
  term: PaymentTerm,
  standing: Standing,
  settings: TermSettings,
  purchase: Purchase,
  now: number,
): TermAnswer {
  const judgement = isOnCredit(term) ? judge(standing, purchase, now) : UNJUDGED;
  return answerOf(term, standing, settings, purchase, judgement);
}

/**
 * Like `termOf`, while the facility is under review: at the highest price, because the price class is not decided yet.
 */
export function termAtMost(
  term: PaymentTerm,
  standing: Standing,
  settings: TermSettings,
  purchase: Purchase,
  now: number,
): TermAnswer {
  const judgement = isOnCredit(term) ? judgeAtMost(standing, purchase, now) : UNJUDGED;
  return answerOf(term, standing, settings, purchase, judgement);
}

/** What applies to every term on credit: the problem that refuses them all, and the price class. */
export interface Judgement {
  problem: Problem | null;
  priceClass: PriceClass;
}

/** Prepayment is not credit and is never refused. */
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

/** The answer for one term, under a judgement that applies to every term on credit. */
export function answerOf(
  term: PaymentTerm,
  standing: Standing,
  settings: TermSettings,
  purchase: Purchase,
  judgement: Judgement,
): TermAnswer {
  const fee = isOnCredit(term) ? creditFee(term, standing, settings, purchase, judgement) : NO_FEE;
  if ('unavailable' in fee) return fee;
  return {
    offer: {
      payment_method: METHOD_OFFERED,
      payment_term: term,
      ...paidBy(settings.term_fee_payer, fee),
      installments: instalmentsOf(term, purchase.grossMinor, purchase.orderedAt, standing.timeZone).map(
        ({ dueAt, amountMinor }) => ({
          due_at: dueAt,
          amount: { value: amountMinor, currency: purchase.currency },
        }),
      ),
    },
  };
}

export interface UnavailableTerm<Reason extends string = UnavailableReason> {
  term: PaymentTerm;
  reason: Reason;
}

/** All terms in their order: the offered ones, and the others with the reason why not. */
export function sortedTerms<Reason extends string>(
  answerFor: (term: PaymentTerm) => { offer: TermOffer } | TermRefusal<Reason>,
): { offers: TermOffer[]; unavailable: UnavailableTerm<Reason>[] } {
  const answers = PAYMENT_TERMS.map((term) => ({ term, answer: answerFor(term) }));
  return {
    offers: answers.flatMap(({ answer }) => ('offer' in answer ? [answer.offer] : [])),
    unavailable: answers.flatMap(({ term, answer }) =>
      'unavailable' in answer ? [{ term, reason: answer.unavailable }] : [],
    ),
  };
}

export interface OfferedTerm extends TermOffer {
  /** Whether the fee is the highest possible one, because the facility is under review. */
  isUpTo: boolean;
}

/** The terms of a checkout, including those that depend on a pending decision. `now` is in unix seconds. */
export function offeredTerms(
  standing: Standing,
  settings: TermSettings,
  purchase: Purchase,
  now: number,
): { offers: OfferedTerm[]; unavailable: UnavailableTerm[] } {
  const isPending = isFacilityAwaited(standing, purchase, now);
  const judgement = (isPending ? judgeAtMost : judge)(standing, purchase, now);
  const { offers, unavailable } = sortedTerms((term) =>
    answerOf(term, standing, settings, purchase, judgement),
  );
  return {
    offers: offers.map((offer) => ({ ...offer, isUpTo: isPending && isOnCredit(offer.payment_term) })),
    unavailable,
  };
}

const NO_FEE: TermFee = { net: 0, tax: 0, gross: 0 };

/** The buyer sees no fee that the merchant pays. */
const paidBy = (payer: string, fee: TermFee): Pick<TermOffer, 'fee' | 'merchant_fee'> =>
  payer === 'MERCHANT' ? { fee: NO_FEE, merchant_fee: fee } : { fee, merchant_fee: NO_FEE };

/** The fee that the merchant agreed to pay. */
export function merchantFeeOf({ merchant_fee = NO_FEE }: Pick<TermOffer, 'merchant_fee'>): TermFee {
  return merchant_fee;
}

/** The agreed offer, at the granted price if that is lower. The fee stays with the party that agreed to pay it. */
export function noDearer(agreed: TermOffer, granted: TermOffer): TermOffer {
  const paidByMerchant = merchantFeeOf(agreed).gross;
  const fee = granted.fee.gross > 0 ? granted.fee : merchantFeeOf(granted);
  if (fee.gross >= agreed.fee.gross + paidByMerchant) return agreed;
  return { ...agreed, ...paidBy(paidByMerchant > 0 ? 'MERCHANT' : 'BUYER', fee) };
}

/** The class with the highest price, and that of a facility whose decision named none. */
const DEAREST_CLASS: PriceClass = 'D';

function creditFee(
  term: PaymentTerm,
  standing: Standing,
  settings: TermSettings,
  { grossMinor }: Purchase,
  { problem, priceClass }: Judgement,
): TermFee | TermRefusal {
  if (daysOf(term) > settings.max_payment_term)
    return termNotOffered(term, 'TERM_TOO_LONG', { max_payment_term: settings.max_payment_term });
  if (problem) return { unavailable: problem.reason as UnavailableReason, refuse: () => problem };
  const { priceTable } = standing.limitPolicy;
  const basisPoints = priceTable.fee_basis_points[priceClass]?.[term];
  if (basisPoints === undefined) return termNotOffered(term, 'PRICE_CLASS');
  return feeOf(grossMinor, basisPoints, priceTable.tax_basis_points);
}

/** A refusal by a rule for this term. `more` is added to the details of the problem. */
export function termNotOffered<Reason extends string>(
  term: PaymentTerm,
  reason: Reason,
  more: Record<string, unknown> = {},
): TermRefusal<Reason> {
  const details = { payment_term: term, unavailable_reason: reason, ...more };
  return {
    unavailable: reason,
    refuse: () => refusal('PAYMENT_TERM_NOT_AVAILABLE', `${term} is not offered for this order`, details),
  };
}

/** The length of a term in days; a month counts 30. */
function daysOf(term: PaymentTerm): number {
  const [, count = '0', unit] = /_(\d+)([DM])$/.exec(term) ?? [];
  return Number(count) * (unit === 'M' ? 30 : 1);
}
