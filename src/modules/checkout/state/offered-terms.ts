/** The payment terms offered for an order with their fees, and the reasons for the others. */
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import {
  type OfferedTerm,
  offeredTerms,
  type Purchase,
  type Standing,
  type TermSettings,
  type UnavailableReason,
} from '#modules/facilities';
import type { Script } from '#modules/underwriting';
import type { CreditState } from './checkout.view.ts';

export interface Offered {
  credit: CreditState;
  /** Prepayment first. */
  offers: OfferedTerm[];
  unavailable: { term: PaymentTerm; reason: UnavailableReason | 'RISK' }[];
}

export interface OfferRequest {
  standing: Standing;
  platform: TermSettings;
  purchase: Purchase;
  /** The sandbox's script for the order; null outside a sandbox. */
  script: Script | null;
  now: number;
}

export function offeredFor({ standing, platform, purchase, script, now }: OfferRequest): Offered {
  const terms = offeredTerms(standing, platform, purchase, now);
  // Terms with which the order would be refused are not offered.
  const isRefused = ({ payment_term: term }: OfferedTerm) => script === 'rejected' && isOnCredit(term);
  const offers = terms.offers.filter((offer) => !isRefused(offer));
  const refused = terms.offers
    .filter(isRefused)
    .map(({ payment_term: term }) => ({ term, reason: 'RISK' as const }));
  return {
    credit: creditOf(standing, offers, refused.length > 0),
    offers,
    unavailable: [...terms.unavailable, ...refused],
  };
}

function creditOf({ facility }: Standing, offers: OfferedTerm[], isRefused: boolean): CreditState {
  const onCredit = offers.filter(({ payment_term: term }) => isOnCredit(term));
  if (onCredit.length > 0) return onCredit.some(({ isUpTo }) => isUpTo) ? 'UNDER_REVIEW' : 'OFFERED';
  // Without a facility there is no decision yet: none was requested, or none was possible.
  return facility !== null || isRefused ? 'REFUSED' : 'OFFERED';
}
