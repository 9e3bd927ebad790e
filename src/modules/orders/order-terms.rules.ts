/** The terms of an order: payment term, price, reservation and whether it needs a review. */
import type { Currency } from '#kernel/currency';
import { isOnCredit, type PaymentMethod, type PaymentTerm } from '#kernel/payment-term';
import { refusal } from '#kernel/problem';
import {
  type LimitPolicy,
  needsReview,
  placementRefusal,
  type Standing,
  type TermAnswer,
  type TermOffer,
  type TermPlacement,
  type TermRefusal,
  type TermSettings,
  termAtMost,
  termOf,
} from '#modules/facilities';
import type { ReasonCode, Script, SecondVerdict } from '#modules/underwriting';

export interface TermRequest extends TermPlacement {
  paymentTerm: PaymentTerm;
  grossMinor: number;
  currency: Currency;
  /** The policy's verdict on a first order that is delivered to an address other than the company's; null for any other order. */
  judgement?: SecondVerdict | null;
}

export interface AgreedTerm {
  /** Why the order needs a review; empty if it needs none. */
  reviewReasons: ReasonCode[];
  columns: {
    ordered_at: number;
    payment_method: PaymentMethod;
    payment_term: PaymentTerm;
    term_offer: TermOffer;
    reserved_amount: number;
  };
}

/** The sandbox scripts that require a review of an order. */
const REVIEWED_SCRIPTS: ReadonlySet<Script> = new Set([
  'in-review',
  'review-then-accept',
  'review-then-reject',
]);

/**
 * Agrees on a payment term. Throws a 422 if it is not offered. Prepayment is always accepted, without review or script.
 * `now` is in unix seconds.
 */
export function agreeTerm(
  request: TermRequest,
  standing: Standing,
  settings: TermSettings,
  script: Script | null,
  now: number,
): AgreedTerm {
  const term =
    placementRefusal(request.paymentTerm, request, standing.timeZone, now) ??
    termOf(request.paymentTerm, standing, settings, request, now);
  return {
    columns: columnsOf(
      request,
      term,
      script,
      reservedFor(request.paymentTerm, request.grossMinor, standing.limitPolicy),
    ),
    reviewReasons: isOnCredit(request.paymentTerm) ? reviewReasonsOf(request, standing, script, now) : [],
  };
}

/**
 * Agrees on a payment term while the buyer's facility is under review: at the highest price, with no reservation and no review of the
 * order itself. Throws as `agreeTerm` does.
 */
export function agreeAtMost(
  request: TermRequest,
  standing: Standing,
  settings: TermSettings,
  script: Script | null,
  now: number,
): AgreedTerm {
  const term =
    placementRefusal(request.paymentTerm, request, standing.timeZone, now) ??
    termAtMost(request.paymentTerm, standing, settings, request, now);
  return { columns: columnsOf(request, term, script, 0), reviewReasons: [] };
}

/** The amount that an order on this term reserves, in minor units. */
export function reservedFor(
  term: PaymentTerm,
  grossMinor: number,
  { counts }: Pick<LimitPolicy, 'counts'>,
): number {
  return isOnCredit(term) && counts === 'ORDERS' ? grossMinor : 0;
}

function columnsOf(
  request: TermRequest,
  term: TermAnswer | TermRefusal<string>,
  script: Script | null,
  reservedMinor: number,
): AgreedTerm['columns'] {
  if ('refuse' in term) throw term.refuse();
  const isRejected = script === 'rejected' || request.judgement?.outcome === 'REJECT';
  if (isOnCredit(request.paymentTerm) && isRejected) throw refusedForRisk(request.paymentTerm);
  return {
    ordered_at: request.orderedAt,
    payment_method: request.paymentMethod,
    payment_term: request.paymentTerm,
    term_offer: { ...term.offer, payment_method: request.paymentMethod },
    reserved_amount: reservedMinor,
  };
}

function reviewReasonsOf(
  { judgement }: TermRequest,
  standing: Standing,
  script: Script | null,
  now: number,
): ReasonCode[] {
  const isScripted = script !== null && REVIEWED_SCRIPTS.has(script);
  const reasons: ReasonCode[] = [
    ...(judgement?.outcome === 'REFER' ? judgement.reasons : []),
    ...(needsReview(standing, now) ? (['CURRENTLY_PAST_DUE'] as const) : []),
    ...(isScripted ? (['SANDBOX_SCRIPT'] as const) : []),
  ];
  return [...new Set(reasons)];
}

function refusedForRisk(term: PaymentTerm) {
  return refusal('PAYMENT_TERM_NOT_AVAILABLE', `${term} is not offered for this order`, {
    payment_term: term,
    unavailable_reason: 'RISK',
  });
}
