import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { SubscriptionParams, WebhookHistoryEntry } from '../subscription.schemas.ts';
import { listSubscriptionTransitions } from '../subscription-history.queries.ts';

export const listWebhookHistory = operation({
  id: 'listWebhookHistory',
  summary: 'List the history of a subscription',
  description:
    'Every change of its url, its secret and its status, the latest first, with who made it; also of subscriptions to the type ' +
    'that were deleted.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  params: SubscriptionParams,
  query: closed(paging),
  status: 200,
  response: listOf(WebhookHistoryEntry, 'WebhookHistory'),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { type: 'BUYER' } },
  async run({ db, platformId, caller }, { params, query }) {
    assertPlatformWide(caller);
    const page = pageOf(query);
    const { rows, total } = await listSubscriptionTransitions(db, platformId, params.type, page);
    if (total === 0) throw notFound();
    const items = rows.map(({ platform_id: _, subscription_id: __, version, ...row }) => ({
      sequence: version,
      ...row,
    }));
    return { body: listPage(items, total, page) };
  },
});
