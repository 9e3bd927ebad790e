/** Actions of operators on the insolvency of a buyer. */
import { approveOverride, decideReview, listReviews, proposeOverride } from '#modules/reviews';
import { recordInsolvency } from '../../src/modules/dunning/insolvency.ts';
import { act, facilityOf } from './credit.ts';
import { operate } from './operator.ts';
import type { World } from './world.ts';

const reason = 'The court has opened it.';

/** The commands of operators. A review is decided by one of them, or by two. */
export function useInsolvency(world: () => World) {
  return {
    reason,
    record: (buyerExternalId: string) =>
      act(world(), (context) => recordInsolvency(context, { buyerExternalId, reason })),
    reject: (review_id: string) =>
      operate(world(), decideReview, { params: { review_id }, body: { outcome: 'REJECT', reason } }),
    propose: (review_id: string, more: object = {}) =>
      operate(world(), proposeOverride, { params: { review_id }, body: { reason, ...more } }),
    approve: (review_id: string, by = 'jan') =>
      operate(world(), approveOverride, { params: { review_id }, body: { reason } }, by),
    reviewsOf: async (buyer: string) =>
      (await operate(world(), listReviews, { query: { buyer_external_id: [buyer] } })).items,
    statusOf: async (buyer: string) => (await facilityOf(world(), buyer)).status,
  };
}
