import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { DB, WebhookSubscriptions } from '#infra/database/schema';
import { listPage, type Page } from '#operation/list';
import type { Subscription } from './subscription.schemas.ts';

const unprepared = sql.raw(UNPREPARED);

export type SubscriptionRow = Selectable<WebhookSubscriptions>;

/** The subscription of the type that is not unsubscribed; undefined if there is none. */
export async function findSubscription(
  db: Db,
  platformId: number,
  type: string,
): Promise<SubscriptionRow | undefined> {
  return subscriptionOf(db, platformId, type).executeTakeFirst();
}

/** Locks it as well. */
export async function lockSubscription(
  db: Db,
  platformId: number,
  type: string,
): Promise<SubscriptionRow | undefined> {
  return subscriptionOf(db, platformId, type).forNoKeyUpdate().executeTakeFirst();
}

function subscriptionOf(db: Db, platformId: number, type: string) {
  return db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('type', '=', type)
    .where('status', '<>', 'UNSUBSCRIBED');
}

/** Returns undefined if the type is subscribed already. */
export async function insertSubscription(
  db: Db,
  subscription: Insertable<WebhookSubscriptions>,
): Promise<SubscriptionRow | undefined> {
  return db
    .insertInto('webhook_subscriptions')
    .values(subscription)
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateSubscription(
  db: Db,
  platformId: number,
  subscriptionId: string,
  changes: UpdateObject<DB, 'webhook_subscriptions'>,
): Promise<SubscriptionRow> {
  return db
    .updateTable('webhook_subscriptions')
    .set(changes)
    .where('platform_id', '=', platformId)
    .where('subscription_id', '=', subscriptionId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Replaces the secret. During the grace period, the previous one signs as well. */
export async function rotateSecret(
  db: Db,
  subscription: SubscriptionRow,
  secretSealed: Buffer,
  graceSeconds: number,
  now: number,
): Promise<SubscriptionRow> {
  return updateSubscription(db, subscription.platform_id, subscription.subscription_id, {
    secret_sealed: secretSealed,
    previous_secret_sealed: graceSeconds > 0 ? subscription.secret_sealed : null,
    previous_secret_until:
      graceSeconds > 0 ? sql<Date>`now() + make_interval(secs => ${graceSeconds})` : null,
    version: subscription.version + 1,
    updated_at: Math.max(now, subscription.updated_at),
  });
}

/** A page of the subscriptions with one of these statuses, ordered by type. */
export async function listSubscriptionRows(
  db: Db,
  platformId: number,
  statuses: Subscription['status'][],
  page: Page,
) {
  const matching = db
    .selectFrom('webhook_subscriptions')
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`status = any(${statuses})`);
  const [rows, { total }] = await Promise.all([
    matching.selectAll().orderBy('type').limit(page.limit).offset(page.offset).execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return listPage(rows, total, page);
}

/** Marks disabled subscriptions of all platforms as reported to support, at most `batchSizeMax`, and returns them. */
export async function takeDisabledSubscriptions(db: Db, batchSizeMax: number): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    with due as materialized (
      select platform_id, subscription_id from webhook_subscriptions
      where status = 'DISABLED' and not is_support_notified
      order by platform_id, subscription_id limit ${batchSizeMax}
      for update skip locked
    )
    update webhook_subscriptions s set is_support_notified = true
    from due where s.platform_id = due.platform_id and s.subscription_id = due.subscription_id
    returning s.*
    ${unprepared}`.execute(db);
  return rows;
}

export function toSubscription(row: SubscriptionRow): Subscription {
  const until = row.previous_secret_until;
  return {
    ...row,
    status: row.status as Subscription['status'],
    previous_secret_until: until && Math.floor(until.getTime() / 1000),
  };
}
