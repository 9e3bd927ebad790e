/** Which ways to pay the page offers for an order, at which price, and why no other. */
import { isOnCredit, PAYMENT_TERMS, type PaymentTerm } from '#kernel/payment-term';
import { type Standing, type TermOffer, termOf, type UnavailableReason } from '#modules/facilities';
import type { Script } from '#modules/underwriting';
import type { CreditState } from './checkout.view.ts';

export interface Offered {
  credit: CreditState;
  /** Prepayment first. */
  offers: TermOffer[];
  unavailable: { term: PaymentTerm; reason: UnavailableReason | 'RISK' }[];
}

export interface OfferedGround {
  standing: Standing;
  maxPaymentTermDays: number;
  purchase: Parameters<typeof termOf>[3];
  /** The sandbox's script for the order. */
  script: Script | null;
  now: number;
}

export function offeredFor({ standing, maxPaymentTermDays, purchase, script, now }: OfferedGround): Offered {
  const offers: TermOffer[] = [];
  const unavailable: Offered['unavailable'] = [];
  for (const term of PAYMENT_TERMS) {
    const answer = termOf(term, standing, maxPaymentTermDays, purchase, now);
    if ('unavailable' in answer) unavailable.push({ term, reason: answer.unavailable });
    // What the order would be refused for when it is placed is not offered first.
    else if (isOnCredit(term) && script === 'rejected') unavailable.push({ term, reason: 'RISK' });
    else offers.push(answer.offer);
  }
  return { offers, unavailable, credit: creditOf(standing, offers, unavailable) };
}

function creditOf(
  { facility }: Standing,
  offers: Offered['offers'],
  unavailable: Offered['unavailable'],
): CreditState {
  if (offers.some((offer) => isOnCredit(offer.payment_term)))
    return facility?.status === 'PENDING' ? 'UNDER_REVIEW' : 'OFFERED';
  const isDecided = facility !== null || unavailable.some(({ reason }) => reason === 'RISK');
  return isDecided ? 'REFUSED' : 'OFFERED';
}
