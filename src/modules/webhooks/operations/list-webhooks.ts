import { closed } from '#kernel/fields';
import { assertPlatformWide } from '#operation/caller';
import { filterByList, listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listSubscriptionRows, toSubscription } from '../subscription.queries.ts';
import { Subscription, SubscriptionStatusSchema } from '../subscription.schemas.ts';

export const listWebhooks = operation({
  id: 'listWebhooks',
  summary: 'List subscriptions',
  description: 'Active ones, unless `status` names others.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...paging,
    status: filterByList(SubscriptionStatusSchema, 'Default: ACTIVE'),
  }),
  status: 200,
  response: listOf(Subscription, 'WebhookSubscriptionList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: {},
  async run({ db, platformId, caller }, { query }) {
    assertPlatformWide(caller);
    const page = await listSubscriptionRows(db, platformId, query.status ?? ['ACTIVE'], pageOf(query));
    return { body: { ...page, items: page.items.map(toSubscription) } };
  },
});
