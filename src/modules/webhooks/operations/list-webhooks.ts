import { closed } from '#kernel/fields';
import { assertPlatformWide } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging, filterByList } from '#operation/list';
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
  description: 'Active subscriptions, unless `status` names others, with the health of their receivers.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    status: filterByList(SubscriptionStatusSchema, 'Default: ACTIVE'),
  }),
  status: 200,
  response: cursorListOf(SubscriptionWithHealth, 'WebhookSubscriptionList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: {},
  async run(context, { query }) {
    assertPlatformWide(context.caller);
    const { db, platformId } = context;
    const { rows, listed } = await listSubscriptionRows(
      context,
      query.status ?? ['ACTIVE'],
      cursorPageOf(query),
    );
    const ids = rows.map(({ subscription_id }) => subscription_id);
    const waiting = await findOldestWaiting(db, platformId, ids);
    const recoveries = await findRecoveries(db, platformId, ids);
    const items = rows.map((row) => ({
      ...toSubscription(row),
      health: {
        last_success_at: toUnixSeconds(row.last_success_at),
        oldest_waiting_since: waiting.get(row.subscription_id) ?? null,
        failures_in_row: row.failures_in_row,
        recovery: recoveries.get(row.subscription_id) ?? null,
      },
    }));
    return { body: { items, ...listed } };
  },
});
