import { closed, externalId, oneOf } from '#kernel/fields';
import { listReviewRows, reviewLifecycle, SUBJECTS } from '#modules/underwriting';
import { filterByList, listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { Review, toReview } from '../review.schemas.ts';

export const listReviews = operation({
  id: 'listReviews',
  summary: 'List reviews',
  description: 'Open reviews first, then those that wait for a second person; the oldest first.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'read',
  query: closed({
    ...paging,
    status: filterByList(oneOf(reviewLifecycle.states), 'Only these statuses'),
    subject: filterByList(oneOf(SUBJECTS), 'Only these subjects'),
    buyer_external_id: filterByList(externalId('A buyer'), 'Only reviews of these buyers'),
    order_external_id: filterByList(externalId('An order'), 'Only reviews of these orders'),
    service_external_id: filterByList(externalId('A service'), 'Only reviews of these services'),
  }),
  status: 200,
  response: listOf(Review, 'ReviewList'),
  problems: [],
  async run({ db, platformId }, { query }) {
    const { items, ...page } = await listReviewRows(db, platformId, query, pageOf(query));
    return { body: { ...page, items: items.map(toReview) } };
  },
});
