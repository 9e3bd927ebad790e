import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { isNotRelocating, onEachPlatform } from '#infra/database/each-platform';
import type { DB, WebhookSubscriptions } from '#infra/database/schema';
import { DELIVERY_WINDOW_SECONDS } from '#kernel/backoff';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { Subscription } from './subscription.schemas.ts';

const unprepared = sql.raw(UNPREPARED);

/** The number of deliveries that are examined to find the oldest one. */
const EXAMINED_MAX = 10_000;

export type SubscriptionRow = Selectable<WebhookSubscriptions>;

/** The current subscription of the type; undefined if there is none, or it is UNSUBSCRIBED. */
export async function findSubscription(
  db: Db,
  platformId: number,
  type: string,
): Promise<SubscriptionRow | undefined> {
  return subscriptionOf(db, platformId, type).executeTakeFirst();
}

/** Finds the current subscription of the type and locks it. */
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

/** Returns undefined if the type already has a subscription. */
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

/** The columns that a new secret changes. During the grace period, requests are also signed with the previous secret. */
export function secretsAfter(
  { secret_sealed }: SubscriptionRow,
  secretSealed: Buffer,
  graceSeconds: number,
): UpdateObject<DB, 'webhook_subscriptions'> {
  const hasGrace = graceSeconds > 0;
  return {
    secret_sealed: secretSealed,
    previous_secret_sealed: hasGrace ? secret_sealed : null,
    previous_secret_until: hasGrace ? sql<Date>`now() + make_interval(secs => ${graceSeconds})` : null,
  };
}

const SUBSCRIPTIONS: ListTable<{ status: string[] }> = {
  table: 'webhook_subscriptions',
  key: 'subscription_id',
  sort: 'type',
  values: ['status'],
  ranges: [],
};

/** A page of the subscriptions with one of these statuses, ordered by type. */
export async function listSubscriptionRows(
  context: ListContext,
  status: Subscription['status'][],
  page: CursorPage,
) {
  return listRows<{ status: string[] }, SubscriptionRow>(context, SUBSCRIPTIONS, { status }, page);
}

type SubscriptionRowKey = Pick<SubscriptionRow, 'platform_id' | 'subscription_id'>;

const idsOf = (subscriptions: readonly SubscriptionRowKey[]) =>
  subscriptions.map(({ subscription_id }) => subscription_id);

/** The columns for the mail about a disabled subscription. */
export type DisabledSubscription = Pick<
  SubscriptionRow,
  'platform_id' | 'subscription_id' | 'version' | 'type' | 'url'
> & {
  /** Why the last attempt failed; null if unknown. */
  failure: string | null;
  /** The position after which a recovery includes everything that was lost since the last success; 0 without a success. */
  recover_after: number;
};

/**
 * Marks disabled subscriptions of all platforms as reported to support, at most `batchSizeMax`, and returns them. Leaves out relocating
 * platforms, whose new database reports theirs.
 */
export async function takeDisabledSubscriptions(
  db: Db,
  batchSizeMax: number,
): Promise<DisabledSubscription[]> {
  const { rows: due } = await sql<SubscriptionRowKey>`
    select platform_id, subscription_id from webhook_subscriptions
    where status = 'DISABLED' and not is_support_notified
      and ${isNotRelocating('platform_id')}
    order by platform_id, subscription_id limit ${batchSizeMax}
    ${unprepared}`.execute(db);
  return onEachPlatform(due, async (platformId, subscriptions) => {
    // Deliveries lost since the last success were waiting at that time, or came later. They wait no longer than a window.
    const { rows } = await sql<DisabledSubscription>`
      with due as materialized (
        select subscription_id from webhook_subscriptions
        where platform_id = ${platformId} and subscription_id = any(${idsOf(subscriptions)}::uuid[])
          and status = 'DISABLED' and not is_support_notified
        for update skip locked
      )
      update webhook_subscriptions s set is_support_notified = true
      from due where s.platform_id = ${platformId} and s.subscription_id = due.subscription_id
      returning s.platform_id, s.subscription_id, s.version, s.type, s.url, (
        select t.failure from webhook_subscription_transitions t
        where t.platform_id = ${platformId} and t.subscription_id = s.subscription_id and t.version = s.version
      ) as failure, coalesce((
        select max(e.position) from events e
        where e.platform_id = ${platformId}
          and e.recorded_at < s.last_success_at - make_interval(secs => ${DELIVERY_WINDOW_SECONDS})
      ), 0) as recover_after
      ${unprepared}`.execute(db);
    return rows;
  });
}

/** The columns for the mail about waiting deliveries. */
export type WaitingSubscription = Pick<
  SubscriptionRow,
  'platform_id' | 'subscription_id' | 'type' | 'url'
> & {
  /** Unix milliseconds. */
  notified_at: number;
};

/** Examines only the longest due: deliveries after a held one are younger than it, or due before the next attempt. */
const PROBED_MAX = 100;

/**
 * Marks failing subscriptions of all platforms as reported to support, at most `batchSizeMax`, and returns them: those with a delivery
 * that has waited for `waitsSeconds` without a success in that time. Each is reported once until the next success.
 */
export async function takeWaitingSubscriptions(
  db: Db,
  waitsSeconds: number,
  batchSizeMax: number,
): Promise<WaitingSubscription[]> {
  const isDue = sql`s.status = 'ACTIVE' and s.last_outcome in ('FAILED', 'TIMEOUT')
        and coalesce(s.last_success_at < now() - make_interval(secs => ${waitsSeconds}::int), true)
        and coalesce(s.backlog_notified_at < s.last_success_at, s.backlog_notified_at is null)`;
  const { rows: due } = await sql<SubscriptionRowKey>`
    select s.platform_id, s.subscription_id from webhook_subscriptions s
    where ${isDue} and exists (
      select from (
        select waiting_since from webhook_deliveries d
        where d.platform_id = s.platform_id and d.subscription_id = s.subscription_id and d.status = 'PENDING'
        order by next_attempt_at limit ${PROBED_MAX}
      ) d where waiting_since < now() - make_interval(secs => ${waitsSeconds}::int)
    )
    order by s.platform_id, s.subscription_id limit ${batchSizeMax}
    ${unprepared}`.execute(db);
  return onEachPlatform(due, async (platformId, subscriptions) => {
    const { rows } = await sql<WaitingSubscription>`
      with due as materialized (
        select s.subscription_id, now() as notified_at, floor(extract(epoch from now()) * 1000)::bigint as notified_at_ms
        from webhook_subscriptions s
        where s.platform_id = ${platformId} and s.subscription_id = any(${idsOf(subscriptions)}::uuid[]) and ${isDue}
        for update skip locked
      )
      update webhook_subscriptions s set backlog_notified_at = due.notified_at
      from due where s.platform_id = ${platformId} and s.subscription_id = due.subscription_id
      returning s.platform_id, s.subscription_id, s.type, s.url, due.notified_at_ms as notified_at
      ${unprepared}`.execute(db);
    return rows;
  });
}

/** Since when the oldest pending delivery of each waits, in unix seconds, among its longest due ones. */
export async function findOldestWaiting(
  db: Db,
  platformId: number,
  subscriptionIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ subscription_id: string; since: number | null }>`
    select s.subscription_id, (
      select floor(extract(epoch from min(d.waiting_since)))::bigint from (
        select waiting_since from webhook_deliveries
        where platform_id = ${platformId} and subscription_id = s.subscription_id and status = 'PENDING'
        order by next_attempt_at limit ${EXAMINED_MAX}
      ) d
    ) as since
    from unnest(${subscriptionIds}::uuid[]) s(subscription_id)`.execute(db);
  return new Map(
    rows.flatMap(({ subscription_id, since }) => (since === null ? [] : [[subscription_id, since]])),
  );
}

export function toSubscription(row: SubscriptionRow): Subscription {
  return {
    ...row,
    status: row.status as Subscription['status'],
    previous_secret_until: toUnixSeconds(row.previous_secret_until),
  };
}

export function toUnixSeconds(instant: Date | null): number | null {
  return instant && Math.floor(instant.getTime() / 1_000);
}
