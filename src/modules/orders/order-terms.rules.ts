/** What an order gets with its payment term, however it comes to it: sent in whole, or chosen in the checkout. */
import type { Currency } from '#kernel/currency';
import { isOnCredit, type PaymentMethod, type PaymentTerm } from '#kernel/payment-term';
import { refusal } from '#kernel/problem';
import { needsReview, type Standing, type TermOffer, termOf } from '#modules/facilities';
import type { ReasonCode, Script } from '#modules/underwriting';

export interface TermWish {
  paymentMethod: PaymentMethod;
  paymentTerm: PaymentTerm;
  grossMinor: number;
  currency: Currency;
  /** Unix seconds: from when the term counts. */
  orderedAt: number;
}

export interface AgreedTerm {
  /** Why a person must look at the order first; empty where nobody must. */
  reviewReasons: ReasonCode[];
  columns: {
    ordered_at: number;
    payment_method: PaymentMethod;
    payment_term: PaymentTerm;
    term_offer: TermOffer;
    reserved_amount: number;
  };
}

/** Scripts of the sandbox that send an order to a person. */
const REVIEWED_SCRIPTS: ReadonlySet<Script> = new Set([
  'in-review',
  'review-then-accept',
  'review-then-reject',
]);

/**
 * Throws a 422 where the term is not offered. Prepayment always passes: neither a review nor a script concerns it.
 * @param maxPaymentTermDays The platform's longest term. `now` is in unix seconds.
 */
export function agreeOnTerm(
  wish: TermWish,
  standing: Standing,
  maxPaymentTermDays: number,
  script: Script | null,
  now: number,
): AgreedTerm {
  const term = termOf(wish.paymentTerm, standing, maxPaymentTermDays, wish, now);
  if ('problem' in term) throw term.problem;
  const onCredit = isOnCredit(wish.paymentTerm);
  if (onCredit && script === 'rejected') throw refusedForRisk(wish.paymentTerm);
  return {
    reviewReasons: onCredit ? reviewReasonsOf(standing, script, now) : [],
    columns: {
      ordered_at: wish.orderedAt,
      payment_method: wish.paymentMethod,
      payment_term: wish.paymentTerm,
      term_offer: term.offer,
      reserved_amount: onCredit && standing.limitPolicy.counts === 'ORDERS' ? wish.grossMinor : 0,
    },
  };
}

function reviewReasonsOf(standing: Standing, script: Script | null, now: number): ReasonCode[] {
  const isScripted = script !== null && REVIEWED_SCRIPTS.has(script);
  return [
    ...(needsReview(standing, now) ? (['CURRENTLY_PAST_DUE'] as const) : []),
    ...(isScripted ? (['SANDBOX_SCRIPT'] as const) : []),
  ];
}

function refusedForRisk(term: PaymentTerm) {
  return refusal('PAYMENT_TERM_NOT_AVAILABLE', `${term} is not offered for this order`, {
    payment_term: term,
    unavailable_reason: 'RISK',
  });
}
