import { closed } from '#kernel/fields';
import { assertPlatformWide } from '#operation/caller';
import { filterByList, listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { findRecoveries } from '../recovery.queries.ts';
import {
  findOldestWaiting,
  listSubscriptionRows,
  toSubscription,
  toUnixSeconds,
} from '../subscription.queries.ts';
import { SubscriptionStatusSchema, SubscriptionWithHealth } from '../subscription.schemas.ts';

export const listWebhooks = operation({
  id: 'listWebhooks',
  summary: 'List subscriptions',
  description: 'Active ones, unless `status` names others, with how well their receivers do.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...paging,
    status: filterByList(SubscriptionStatusSchema, 'Default: ACTIVE'),
  }),
  status: 200,
  response: listOf(SubscriptionWithHealth, 'WebhookSubscriptionList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: {},
  async run({ db, platformId, caller }, { query }) {
    assertPlatformWide(caller);
    const page = await listSubscriptionRows(db, platformId, query.status ?? ['ACTIVE'], pageOf(query));
    const ids = page.items.map(({ subscription_id }) => subscription_id);
    const waiting = await findOldestWaiting(db, platformId, ids);
    const recoveries = await findRecoveries(db, platformId, ids);
    const items = page.items.map((row) => ({
      ...toSubscription(row),
      health: {
        last_success_at: toUnixSeconds(row.last_success_at),
        oldest_waiting_since: waiting.get(row.subscription_id) ?? null,
        failures_in_row: row.failures_in_row,
        recovery: recoveries.get(row.subscription_id) ?? null,
      },
    }));
    return { body: { ...page, items } };
  },
});
