/** Every change of a subscription by a caller: its row and its history. */
import type { UpdateObject } from 'kysely';
import type { DB } from '#infra/database/schema';
import { transitionOf } from '#kernel/lifecycle';
import type { ChangeContext } from '#operation/operation';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';
import { type SubscriptionRow, updateSubscription } from './subscription.queries.ts';
import type { Subscription } from './subscription.schemas.ts';
import { insertSubscriptionTransition } from './subscription-history.queries.ts';

type SubscriptionTrigger = (typeof subscriptionLifecycle.transitions)[number]['trigger'];

/** Changes a locked subscription. Throws INVALID_STATUS_TRANSITION. */
export async function transitionSubscription(
  { db, platformId, actor, now }: ChangeContext,
  row: SubscriptionRow,
  trigger: SubscriptionTrigger,
  changes: UpdateObject<DB, 'webhook_subscriptions'> = {},
): Promise<SubscriptionRow> {
  const { to } = transitionOf(subscriptionLifecycle, row.status as Subscription['status'], trigger);
  const changed = await updateSubscription(db, platformId, row.subscription_id, {
    ...changes,
    status: to,
    version: row.version + 1,
    updated_at: Math.max(now, row.updated_at),
  });
  await insertSubscriptionTransition(db, {
    platform_id: platformId,
    subscription_id: row.subscription_id,
    type: row.type,
    version: changed.version,
    from_status: row.status as Subscription['status'],
    to_status: to,
    trigger,
    transitioned_at: changed.updated_at,
    actor,
    url: changed.url,
  });
  return changed;
}
