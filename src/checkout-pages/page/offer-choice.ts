/** Which offers the payment page shows unfolded, and which one it selects for a buyer who has not chosen. */
import type { OfferedTerm } from '#modules/facilities';

/** More offers would hide the choice on a phone. */
const SHOWN_MAX = 3;
/** The most common term between companies. */
const USUAL_TERM = 'DEFER_30D';

/** The longest offer without a fee: nobody pays for a choice that was made for them. */
export function preselectedOf(offers: readonly OfferedTerm[]): OfferedTerm | undefined {
  return offers.findLast(({ fee }) => fee.gross === 0);
}

/**
 * The chosen offer, the preselected one, the usual term and prepayment come first, up to three. The others are folded. Both
 * lists keep the order of the offers.
 */
export function arranged(
  offers: readonly OfferedTerm[],
  chosen: string | null,
): { shown: OfferedTerm[]; folded: OfferedTerm[] } {
  const first = [chosen, preselectedOf(offers)?.payment_term, USUAL_TERM, 'PREPAYMENT'];
  const rankOf = ({ payment_term: term }: OfferedTerm) =>
    first.includes(term) ? first.indexOf(term) : first.length;
  const ranked = [...offers].sort((one, other) => rankOf(one) - rankOf(other));
  const shown = ranked.slice(0, SHOWN_MAX);
  return {
    shown: offers.filter((offer) => shown.includes(offer)),
    folded: offers.filter((offer) => !shown.includes(offer)),
  };
}
