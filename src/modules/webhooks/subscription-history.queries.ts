/** The history of subscriptions. Rows are only inserted. */
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { Subscription } from './subscription.schemas.ts';

type SubscriptionState = Subscription['status'] | 'UNSUBSCRIBED';

export const subscriptionTransitionsTable = table('webhook_subscription_transitions', {
  platform_id: 'int',
  subscription_id: 'uuid',
  type: 'text',
  version: 'int',
  from_status: text<SubscriptionState | null>(),
  to_status: text<SubscriptionState>(),
  trigger: 'text',
  transitioned_at: 'bigint',
  actor: 'text',
  url: 'text',
  failure: 'text',
});

export async function insertSubscriptionTransition(
  db: Db,
  transition: NewRowOf<typeof subscriptionTransitionsTable>,
): Promise<void> {
  await db
    .insertInto('webhook_subscription_transitions')
    .values(subscriptionTransitionsTable.insertable(transition))
    .execute();
}

const TRANSITIONS: ListTable<{ type: string[] }> = {
  table: 'webhook_subscription_transitions',
  key: 'ordinal',
  of: 'type',
  sort: '-ordinal',
  values: ['type'],
  ranges: [],
};

type SubscriptionTransition = RowOf<typeof subscriptionTransitionsTable>;

/** The transitions of all subscriptions that the type ever had, the latest first. */
export async function listSubscriptionTransitions(context: ListContext, type: string, page: CursorPage) {
  const ofType = { type: [type] };
  const columns = subscriptionTransitionsTable.of('t');
  return listRows<typeof ofType, SubscriptionTransition>(context, TRANSITIONS, ofType, page, columns);
}

/** Whether the type ever had a subscription. */
export async function wasSubscribed(db: Db, platformId: number, type: string): Promise<boolean> {
  const found = await db
    .selectFrom('webhook_subscription_transitions')
    .select('ordinal')
    .where('platform_id', '=', platformId)
    .where('type', '=', type)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
