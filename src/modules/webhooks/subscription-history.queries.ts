/** What happened to subscriptions. Rows are only inserted. */
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import type { Page } from '#operation/list';
import type { Subscription } from './subscription.schemas.ts';

type SubscriptionState = Subscription['status'] | 'UNSUBSCRIBED';

export const subscriptionTransitionsTable = table('webhook_subscription_transitions', {
  platform_id: 'int',
  subscription_id: 'uuid',
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

/** The transitions of all subscriptions that the type ever had, the latest first. */
export async function listSubscriptionTransitions(
  db: Db,
  platformId: number,
  type: string,
  page: Page,
): Promise<{ rows: RowOf<typeof subscriptionTransitionsTable>[]; total: number }> {
  const ofType = db
    .selectFrom('webhook_subscriptions as s')
    .innerJoin('webhook_subscription_transitions as t', (join) =>
      join.onRef('t.platform_id', '=', 's.platform_id').onRef('t.subscription_id', '=', 's.subscription_id'),
    )
    .where('s.platform_id', '=', platformId)
    .where('s.type', '=', type);
  const [rows, { total }] = await Promise.all([
    ofType
      .selectAll('t')
      .orderBy('s.created_at', 'desc')
      .orderBy('t.transitioned_at', 'desc')
      .orderBy('t.version', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .$castTo<RowOf<typeof subscriptionTransitionsTable>>()
      .execute(),
    ofType.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
