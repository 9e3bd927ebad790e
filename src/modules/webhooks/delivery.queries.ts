/** Deliveries under way. Retries and leases use real time, which is the database's: several workers agree on it. */
import { sql } from 'kysely';
import type { Db } from '#infra/database';
import { gathered } from '#infra/gather';
import { moveOf } from '#kernel/lifecycle';
import { deliveryLifecycle } from './delivery.lifecycle.ts';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

export interface ClaimedDelivery {
  platform_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  delivery_id: number;
  subscription_id: string;
  event_id: string;
  /** Attempts made before this one. */
  attempts: number;
  age_seconds: number;
  url: string;
  body: string;
  secret_sealed: Buffer;
  /** Only while its grace period lasts. */
  previous_secret_sealed: Buffer | null;
}

/**
 * Claims deliveries that are due, of all platforms, for `leaseSeconds`: at most `perEndpointMax` under way for one
 * subscription, so that a receiver that never answers delays nobody else. A killed worker's claims come back when their
 * lease ends.
 */
export async function claimDeliveries(
  db: Db,
  options: { batchSizeMax: number; perEndpointMax: number; leaseSeconds: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with endpoints as materialized (
      select s.platform_id, s.subscription_id, ${options.perEndpointMax} - (
        select count(*) from webhook_deliveries d
        where d.platform_id = s.platform_id and d.subscription_id = s.subscription_id and d.leased_until > now()
      ) as free
      from webhook_subscriptions s where s.status = 'ACTIVE'
    ), due as (
      select d.platform_id, d.delivery_id
      from endpoints e cross join lateral (
        select w.platform_id, w.delivery_id from webhook_deliveries w
        where w.platform_id = e.platform_id and w.subscription_id = e.subscription_id
          and w.status = 'PENDING' and w.next_attempt_at <= now()
        order by w.next_attempt_at limit e.free for update skip locked
      ) d
      where e.free > 0
      limit ${options.batchSizeMax}
    ), claimed as (
      update webhook_deliveries w
      set leased_until = now() + make_interval(secs => ${options.leaseSeconds}),
        next_attempt_at = now() + make_interval(secs => ${options.leaseSeconds})
      from due where w.platform_id = due.platform_id and w.delivery_id = due.delivery_id
      returning w.*
    )
    select c.platform_id, p.code as platform_code, p.data_key_wrapped, c.delivery_id, c.subscription_id, c.event_id, c.attempts,
      extract(epoch from now() - c.created_at)::float8 as age_seconds, s.url, e.body, s.secret_sealed,
      case when s.previous_secret_until > now() then s.previous_secret_sealed end as previous_secret_sealed
    from claimed c
    join platforms p on p.platform_id = c.platform_id
    join webhook_subscriptions s on s.platform_id = c.platform_id and s.subscription_id = c.subscription_id
    join events e on e.platform_id = c.platform_id and e.event_id = c.event_id`.execute(db);
  return rows;
}

interface DeliveryKey {
  platformId: number;
  deliveryId: number;
}

/** Of deliveries still under way: the lease starts anew, so that it can be short and yet outlast a slow receiver. */
export async function renewLeases(db: Db, keys: DeliveryKey[], leaseSeconds: number): Promise<void> {
  await sql`
    update webhook_deliveries d
    set leased_until = now() + make_interval(secs => ${leaseSeconds}), next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from unnest(${keys.map((key) => key.platformId)}::int[], ${keys.map((key) => key.deliveryId)}::bigint[]) k(platform_id, delivery_id)
    where d.platform_id = k.platform_id and d.delivery_id = k.delivery_id and d.leased_until is not null`.execute(
    db,
  );
}

/** A stopping worker gives its claims back: they are due at once, for whoever comes next. */
export async function releaseLeases(db: Db, keys: DeliveryKey[]): Promise<void> {
  await sql`
    update webhook_deliveries d set leased_until = null, next_attempt_at = now()
    from unnest(${keys.map((key) => key.platformId)}::int[], ${keys.map((key) => key.deliveryId)}::bigint[]) k(platform_id, delivery_id)
    where d.platform_id = k.platform_id and d.delivery_id = k.delivery_id and d.leased_until is not null`.execute(
    db,
  );
}

export interface AttemptResult extends DeliveryKey {
  subscriptionId: string;
  /** From 1. */
  attempt: number;
  durationMs: number;
  statusCode: number | null;
  failure: string | null;
  /** What the delivery's lifecycle makes of it. */
  status: string;
  /** Seconds to the next attempt, where there is one. */
  delaySeconds: number | null;
  isLost: boolean;
  isGone: boolean;
}

/** Deliveries given up in a row after which a subscription is disabled. */
const WINDOWS_LOST_MAX = 5;
const DISABLED = moveOf(subscriptionLifecycle, 'ACTIVE', 'disable').to;

/**
 * Writes what attempts came to: the attempt, the delivery's new status, and the subscription's luck. Answers, in the
 * order of the results, whether this disabled the subscription. A delivery that was discarded meanwhile stays so.
 */
export async function finishAttempts(db: Db, results: AttemptResult[]): Promise<boolean[]> {
  const column = <K extends keyof AttemptResult>(name: K) => results.map((result) => result[name]);
  const { rows } = await sql<{ subscription_id: string; status: string }>`
    with result as (
      select * from unnest(
        ${column('platformId')}::int[], ${column('deliveryId')}::bigint[], ${column('subscriptionId')}::uuid[], ${column('attempt')}::int[],
        ${column('durationMs')}::int[], ${column('statusCode')}::int[], ${column('failure')}::text[], ${column('status')}::text[],
        ${column('delaySeconds')}::float8[], ${column('isLost')}::bool[], ${column('isGone')}::bool[])
      as t(platform_id, delivery_id, subscription_id, attempt, duration_ms, status_code, failure, status, delay_seconds, is_lost, is_gone)
    ), attempts as (
      insert into webhook_attempts (platform_id, delivery_id, attempt, started_at, duration_ms, status_code, failure)
      select platform_id, delivery_id, attempt, now() - make_interval(secs => duration_ms / 1000.0), duration_ms, status_code, failure
      from result on conflict do nothing
    ), deliveries as (
      update webhook_deliveries d set
        status = r.status, attempts = r.attempt, leased_until = null,
        next_attempt_at = coalesce(now() + make_interval(secs => r.delay_seconds), d.next_attempt_at),
        finished_at = case when r.delay_seconds is null then now() end
      from result r
      where d.platform_id = r.platform_id and d.delivery_id = r.delivery_id and d.status = 'PENDING'
    ), luck as (
      select platform_id, subscription_id, bool_or(is_gone) as is_gone, count(*) filter (where is_lost) as lost,
        bool_or(delay_seconds is null and not is_lost and not is_gone) as has_delivered
      from result group by platform_id, subscription_id
    )
    update webhook_subscriptions s set
      windows_lost = case when l.has_delivered then 0 else s.windows_lost + l.lost end,
      status = case when l.is_gone or (not l.has_delivered and s.windows_lost + l.lost >= ${WINDOWS_LOST_MAX}) then ${DISABLED} else s.status end,
      version = s.version + 1
    from luck l
    where s.platform_id = l.platform_id and s.subscription_id = l.subscription_id and s.status = 'ACTIVE'
      and (l.is_gone or l.lost > 0 or (l.has_delivered and s.windows_lost > 0))
    returning s.subscription_id, s.status`.execute(db);
  const disabled = new Set(rows.filter((row) => row.status === DISABLED).map((row) => row.subscription_id));
  return results.map((result) => disabled.has(result.subscriptionId));
}

export const finishAttempt = gathered(finishAttempts);

/** What is pending of a subscription that is no more. */
export async function discardPendingDeliveries(
  db: Db,
  platformId: number,
  subscriptionId: string,
): Promise<void> {
  await sql`
    update webhook_deliveries set status = ${moveOf(deliveryLifecycle, 'PENDING', 'discard').to}, finished_at = now(), leased_until = null
    where platform_id = ${platformId} and subscription_id = ${subscriptionId} and status = 'PENDING'`.execute(
    db,
  );
}
