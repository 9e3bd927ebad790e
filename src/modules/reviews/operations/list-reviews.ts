import { closed, externalId, oneOf } from '#kernel/fields';
import { listReviewRows, REVIEW_SUBJECTS, reviewLifecycle } from '#modules/underwriting';
import { cursorListOf, cursorPageOf, cursorPaging, filterByList } from '#operation/list';
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
    ...cursorPaging,
    status: filterByList(oneOf(reviewLifecycle.states), 'Only these statuses'),
    subject: filterByList(oneOf(REVIEW_SUBJECTS), 'Only these subjects'),
    buyer_external_id: filterByList(externalId('A buyer'), 'Only reviews of these buyers'),
    order_external_id: filterByList(externalId('An order'), 'Only reviews of these orders'),
    service_external_id: filterByList(externalId('A service'), 'Only reviews of these services'),
  }),
  status: 200,
  response: cursorListOf(Review, 'ReviewList'),
  problems: [],
  async run(context, { query }) {
    const { rows, listed } = await listReviewRows(context, query, cursorPageOf(query));
    return { body: { items: rows.map(toReview), ...listed } };
  },
});
