/** The outcomes of attempts for their deliveries. Retries and leases use the database's time, on which all workers agree. */
import { sql } from 'kysely';
import { type Db, isCluster, UNPREPARED } from '#infra/database/database';
import { isNotRelocating, onEachShard } from '#infra/database/each-platform';
import { byPlatform, gathered } from '#infra/database/gather';
import { unnestRows } from '#infra/database/unnest-rows';
import { DELIVERY_WINDOW_SECONDS } from '#kernel/backoff';
import { transitionOf } from '#kernel/lifecycle';
import { deliveryLifecycle } from './delivery.lifecycle.ts';
import { type DeliveryRowKey, isKeyOf, lockedRows, unnestDeliveryKeys } from './row-lookup.queries.ts';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const unprepared = sql.raw(UNPREPARED);

interface DeliveryKey {
  platformId: number;
  deliveryId: number;
}

const rowKeyOf = ({ platformId, deliveryId }: DeliveryKey): DeliveryRowKey => ({
  platform_id: platformId,
  delivery_id: deliveryId,
});

/**
 * Holds these pending deliveries, or makes them due, as two parts of a `with`. They are not found by their status: before the first statistics
 * PostgreSQL would read a partial index whole for each key.
 */
const holding = (keys: readonly DeliveryRowKey[], isHeld: boolean) => sql`
      switched as materialized (
        select w.platform_id, w.delivery_id from ${lockedRows('webhook_deliveries', unnestDeliveryKeys(keys), sql`finished_at is null and is_held <> ${sql.lit(isHeld)}`)}
      ), held as (
        update webhook_deliveries d set is_held = ${sql.lit(isHeld)}
        from switched s where ${isKeyOf('d', 's', 'platform_id')} and ${isKeyOf('d', 's', 'delivery_id')}
      )`;

/**
 * Restarts the leases of running deliveries, so that leases can be short and receivers slow. Holds the deliveries: they are the longest due,
 * so that each claim would examine them first.
 */
export async function renewLeases(db: Db, keys: readonly DeliveryKey[], leaseSeconds: number): Promise<void> {
  await onEachShard(db, keys.map(rowKeyOf), async (rowKeys) => {
    await sql`
      with running as materialized (
        select w.platform_id, w.delivery_id from ${lockedRows('webhook_leases', unnestDeliveryKeys(rowKeys), sql`true`)}
      ), ${holding(rowKeys, true)}
      update webhook_leases l set leased_until = now() + make_interval(secs => ${leaseSeconds})
      from running r where l.platform_id = r.platform_id and l.delivery_id = r.delivery_id
      ${unprepared}`.execute(db);
    return [];
  });
}

/** Ends the leases of a stopping worker: its deliveries are due immediately. */
export async function releaseLeases(db: Db, keys: readonly DeliveryKey[]): Promise<void> {
  await onEachShard(db, keys.map(rowKeyOf), async (rowKeys) => {
    await sql`
      with ${holding(rowKeys, false)}
      delete from webhook_leases l using ${unnestDeliveryKeys(rowKeys)}
      where l.platform_id = k.platform_id and l.delivery_id = k.delivery_id
      ${unprepared}`.execute(db);
    return [];
  });
}

/** The outcome of one attempt. */
export interface AttemptResult extends DeliveryKey {
  subscriptionId: string;
  /** The URL it was sent to. */
  url: string;
  /** Unix seconds. */
  at: number;
  round: number;
  /** From 1 in each round. */
  attempt: number;
  durationMs: number;
  statusCode: number | null;
  /** Why there was no complete answer; null if there was one. */
  failure: string | null;
  /** One sentence about the failure. */
  failureDetail: string | null;
  /** The IP address that was dialled; null if none was. */
  address: string | null;
  /** The first 4 KB of the answer; null if it is empty. */
  answerSealed: Buffer | null;
  /** The delivery's status after the attempt. */
  status: string;
  /** Seconds until the next attempt; null if there is none. */
  delaySeconds: number | null;
  isLost: boolean;
  isGone: boolean;
}

const unnestResults = unnestRows<AttemptResult>('t', {
  platform_id: ['int', 'platformId'],
  delivery_id: ['bigint', 'deliveryId'],
  subscription_id: ['uuid', 'subscriptionId'],
  url: ['text', 'url'],
  at: ['bigint', 'at'],
  round: ['int', 'round'],
  attempt: ['int', 'attempt'],
  duration_ms: ['int', 'durationMs'],
  status_code: ['int', 'statusCode'],
  failure: ['text', 'failure'],
  failure_detail: ['text', 'failureDetail'],
  address: ['text', 'address'],
  answer_sealed: ['bytea', 'answerSealed'],
  status: ['text', 'status'],
  delay_seconds: ['float8', 'delaySeconds'],
  is_lost: ['boolean', 'isLost'],
  is_gone: ['boolean', 'isGone'],
});

/** Consecutive deliveries given up after which a subscription is disabled. */
const WINDOWS_LOST_MAX = 5;
const { trigger: DISABLE, to: DISABLED } = transitionOf(subscriptionLifecycle, 'ACTIVE', 'disable');
/** The status of a delivery whose 410 came from a URL that has since been replaced: it is due immediately, at the new URL. */
const RETRIED = transitionOf(deliveryLifecycle, 'PENDING', 'retry').to;
const hasDelivered = sql`(delay_seconds is null and not is_lost and not is_gone)`;
/** The minimum time between two notes of a success: with more notes, deliveries would wait for the row of their subscription. */
const SUCCESS_NOTED_SECONDS = 10;
/** An answer that took this long, in milliseconds, is `SLOW`: a success that shares the slots of receivers that fail. */
const SLOW_MS = 2_000;
/** The stored outcome for `o`, the outcomes of some attempts of a subscription. */
const lastOutcome = sql`case when o.is_slow then 'SLOW' when o.has_delivered then 'DELIVERED'
        when o.failure = 'TIMEOUT' then 'TIMEOUT' else 'FAILED' end`;
/** Whether `o`, the outcomes of some attempts, disable `s`, their subscription. */
const isDisabling = sql`(coalesce(o.gone_url = s.url, false)
  or (not o.has_delivered and s.windows_lost + o.lost >= ${WINDOWS_LOST_MAX}))`;
/** Whether `o`, the outcomes of some attempts, change the stored health of `s`, their subscription. */
const isNews = sql`(not o.has_delivered or s.failures_in_row > 0 or s.last_outcome is distinct from ${lastOutcome}
  or coalesce(s.last_success_at < o.noted_before, true))`;

/**
 * Records attempts, the new status of their deliveries, and the effects of the outcomes on the subscriptions. Returns, in the
 * order of `results`, whether the subscription was disabled. A delivery discarded during its attempt stays discarded.
 * A 410 from a URL that has since been replaced does not disable the subscription, and its delivery goes to the new URL.
 */
export async function finishAttempts(db: Db, results: AttemptResult[]): Promise<boolean[]> {
  // The times are computed once, because a cluster calls no function inside `case` and `coalesce`. Subscriptions are locked before their
  // deliveries, as a redelivery does: a single machine begins with the selected rows, and a cluster with the first write.
  const { rows } = await sql<{ subscription_id: string }>`
    with result as materialized (
      select *, now() as ended_at, now() + make_interval(secs => delay_seconds) as next_attempt_at,
        now() - make_interval(secs => ${SUCCESS_NOTED_SECONDS}) as noted_before
      from ${unnestResults(results)}
    ), outcomes as (
      select platform_id, subscription_id, max(at) as at, max(ended_at) as ended_at, max(noted_before) as noted_before,
        max(url) filter (where is_gone) as gone_url, count(*) filter (where is_lost) as lost,
        bool_or(${hasDelivered}) as has_delivered,
        (array_agg(duration_ms order by at desc, duration_ms desc) filter (where ${hasDelivered}))[1] >= ${SLOW_MS} as is_slow,
        count(*) filter (where not ${hasDelivered}) as failed,
        (array_agg(coalesce(failure, 'STATUS ' || status_code) order by at desc) filter (where not ${hasDelivered}))[1] as failure
      from result group by platform_id, subscription_id
    ), changed as (
      update webhook_subscriptions s set
      windows_lost = case when o.has_delivered then 0 else s.windows_lost + o.lost end,
      failures_in_row = case when o.has_delivered then 0 else s.failures_in_row + o.failed end,
      last_success_at = case when o.has_delivered then o.ended_at else s.last_success_at end,
      last_outcome = ${lastOutcome},
      status = case when ${isDisabling} then ${DISABLED} else s.status end,
      version = s.version + case when ${isDisabling} then 1 else 0 end,
      updated_at = case when ${isDisabling} then greatest(o.at, s.updated_at) else s.updated_at end
    from outcomes o
    where ${isKeyOf('s', 'o', 'platform_id')} and ${isKeyOf('s', 'o', 'subscription_id')} and s.status = 'ACTIVE'
      and (${isDisabling} or o.gone_url is not null or ${isNews})
    returning s.*, o.failure
    ), history as (
      insert into webhook_subscription_transitions (platform_id, subscription_id, type, version, from_status, to_status, trigger,
        transitioned_at, actor, url, failure)
      select platform_id, subscription_id, type, version, 'ACTIVE', status, ${DISABLE}, updated_at, 'service', url, failure
      from changed where status = ${DISABLED}
    ), attempts as (
      insert into webhook_attempts (platform_id, delivery_id, round, attempt, started_at, duration_ms, status_code, failure,
        failure_detail, url, address, answer_sealed)
      select platform_id, delivery_id, round, attempt, now() - make_interval(secs => duration_ms / 1000.0), duration_ms, status_code,
        failure, failure_detail, url, address, answer_sealed
      from result on conflict do nothing
    ), deliveries as (
      update webhook_deliveries d set
        status = case when r.is_elsewhere then ${RETRIED} else r.status end, attempts = r.attempt, is_held = false,
        next_attempt_at = coalesce(r.next_attempt_at, d.next_attempt_at),
        finished_at = case when r.delay_seconds is null and not r.is_elsewhere then r.ended_at end
      from (
        select r.*, coalesce(r.is_gone and r.url <> c.url, false) as is_elsewhere
        from result r left join changed c on c.platform_id = r.platform_id and c.subscription_id = r.subscription_id
      ) r
      where ${isKeyOf('d', 'r', 'platform_id')} and ${isKeyOf('d', 'r', 'delivery_id')} and d.round = r.round
        and d.finished_at is null
    ), leases as (
      delete from webhook_leases l using result r where ${isKeyOf('l', 'r', 'platform_id')} and ${isKeyOf('l', 'r', 'delivery_id')}
    )
    select subscription_id from changed where status = ${DISABLED}`.execute(db);
  const disabledIds = new Set(rows.map((row) => row.subscription_id));
  return results.map((result) => disabledIds.has(result.subscriptionId));
}

const finishGathered = gathered(finishAttempts);
/** On a cluster, the attempts of different platforms are on different machines. */
const finishOfPlatform = gathered(finishAttempts, byPlatform);

/** `finishAttempts` for one attempt. If a 410 disabled the subscription, its pending deliveries are discarded. */
export async function finishAttempt(db: Db, result: AttemptResult): Promise<boolean> {
  const isDisabled = await (isCluster(db) ? finishOfPlatform : finishGathered)(db, result);
  // In a separate statement: there may be many, and the outcomes of others do not wait for them.
  if (isDisabled && result.isGone)
    await discardPendingDeliveries(db, result.platformId, result.subscriptionId);
  return isDisabled;
}

/** Discards the pending deliveries of a subscription that has ended. */
export async function discardPendingDeliveries(
  db: Db,
  platformId: number,
  subscriptionId: string,
): Promise<void> {
  await sql`
    update webhook_deliveries set status = ${transitionOf(deliveryLifecycle, 'PENDING', 'discard').to}, finished_at = now()
    where platform_id = ${platformId} and subscription_id = ${subscriptionId} and status = 'PENDING'`.execute(
    db,
  );
}

/**
 * Finishes pending deliveries that no worker will attempt, of all platforms that are not relocating: those recorded while their
 * subscription was being deleted, and those of subscriptions disabled for longer than the delivery window. Returns the number.
 */
export async function finishAbandonedDeliveries(db: Db, batchSizeMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with abandoned as (
      select d.platform_id, d.delivery_id,
        case s.status when 'UNSUBSCRIBED' then ${transitionOf(deliveryLifecycle, 'PENDING', 'discard').to}
          else ${transitionOf(deliveryLifecycle, 'PENDING', 'give_up').to} end as status
      from webhook_subscriptions s
      join webhook_deliveries d on d.platform_id = s.platform_id and d.subscription_id = s.subscription_id
      where d.status = 'PENDING' and (s.status = 'UNSUBSCRIBED'
        or (s.status = 'DISABLED' and d.waiting_since < now() - make_interval(secs => ${DELIVERY_WINDOW_SECONDS})))
        and ${isNotRelocating('s.platform_id')}
      limit ${batchSizeMax}
    )
    update webhook_deliveries d set status = a.status, finished_at = now()
    from abandoned a where d.platform_id = a.platform_id and d.delivery_id = a.delivery_id and d.finished_at is null
    ${unprepared}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
