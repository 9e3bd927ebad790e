/**
 * Which deliveries are attempted next. A claim walks what is due, the longest due first, and shares the worker's slots:
 * a receiver, an origin or a platform that fills its own leaves those of the others free.
 */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { plansByIndex } from '#infra/database/planning.queries';
import { inTransaction } from '#infra/database/transaction';
import { unnestRows } from '#infra/database/unnest-rows';
import { transitionOf } from '#kernel/lifecycle';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const ACTIVE = transitionOf(subscriptionLifecycle, null, 'subscribe').to;

export interface ClaimedDelivery {
  platform_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  delivery_id: number;
  subscription_id: string;
  event_id: string;
  /** From 1: each time that the delivery is made again. */
  round: number;
  /** Attempts of the round made before this one. */
  attempts: number;
  /** Since the round began. */
  age_seconds: number;
  url: string;
  body: string;
  secret_sealed: Buffer;
  /** Only while its grace period lasts. */
  previous_secret_sealed: Buffer | null;
}

/** How many attempts run at once, on all platforms and of all workers. */
export interface DeliverySlots {
  /** Of one subscription whose last attempt was answered. One that has not been answered yet, or timed out, has one slot. */
  perSubscription: number;
  /** Of subscriptions with the same scheme, host and port. */
  perOrigin: number;
  perPlatform: number;
  /** Of all subscriptions whose last attempt failed; and as many of those without an attempt. */
  unproven: number;
  unprovenPerPlatform: number;
}

/** A worker has 256 slots: receivers that fail and receivers that are new take a quarter of them each, at most. */
export const DELIVERY_SLOTS: DeliverySlots = {
  perSubscription: 4,
  perOrigin: 64,
  perPlatform: 128,
  unproven: 64,
  unprovenPerPlatform: 16,
};

export interface SubscriptionKey {
  platformId: number;
  subscriptionId: string;
}

export interface ClaimOptions {
  batchSizeMax: number;
  leaseSeconds: number;
  slots?: DeliverySlots;
  /** Subscriptions of which attempts have ended: their next deliveries may be held. */
  finished?: readonly SubscriptionKey[];
  /** Whether the claim before said that more is due: it is not looked for first. */
  isMoreKnown?: boolean;
}

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Whether more is due than one claim looks at. */
  hasMore: boolean;
}

/** Due deliveries that one claim looks at, however few it takes: a platform that is due later has its turn as well. */
const EXAMINED_MAX = 256;
/** From so many on, what has no slot for long is held: it costs less than looking at it in each claim. */
const HELD_FROM = 64;
/**
 * A claim is short, so that workers take turns and the first of a burst is sent before the last is claimed. But it looks at as many
 * rows for few as for many.
 */
const CLAIMED_MAX = 128;
/** A worker that stands still in its turn holds the others up no longer. */
const TURN_MS_MAX = '2000';

type Limits = Required<Pick<ClaimOptions, 'batchSizeMax' | 'slots' | 'finished'>>;

const unnestSubscriptions = unnestRows<SubscriptionKey>('f', {
  platform_id: ['int', 'platformId'],
  subscription_id: ['uuid', 'subscriptionId'],
});

/** A subscription of which nothing is known, or that hangs, has one slot. What it recovers leaves one for a live event. */
const slotsOf = ({ perSubscription }: DeliverySlots) =>
  sql`case when last_outcome in ('DELIVERED', 'FAILED') then greatest(${sql.lit(perSubscription)} - is_recovered::int, 1) else 1 end`;

/** Leases that have ended count as well, until they are deleted. */
const isFree = sql`(platform_id, delivery_id) not in (select platform_id, delivery_id from webhook_leases)`;

const candidate = sql`ctid as row_location, platform_id, delivery_id, subscription_id, next_attempt_at, is_recovered`;

/** What is due, and the next of what is held for subscriptions with a free slot. */
const candidates = ({ finished, slots: { perSubscription } }: Limits) => sql`
  examined as materialized (
    select ${candidate} from webhook_deliveries
    where status = 'PENDING' and not is_held and next_attempt_at <= now() and ${isFree}
    order by next_attempt_at limit ${sql.lit(EXAMINED_MAX)}
  ), next_held as (
    select d.*
    from ${unnestSubscriptions(finished)} cross join lateral (
      select ${candidate} from webhook_deliveries
      where platform_id = f.platform_id and subscription_id = f.subscription_id and status = 'PENDING' and is_held
        and ${isFree}
      order by next_attempt_at limit ${sql.lit(perSubscription)}
    ) d
  )`;

/** The slots that a row and those before it take. */
const counted = (window: string) => sql`sum(weight) over (${sql.raw(window)} rows unbounded preceding)`;

/**
 * `chosen`: those for which there is a slot. At each gate the attempts under way come first, one row for those of a subscription,
 * so that their slots are taken; what one gate leaves out takes no slot at the next.
 */
const choice = ({ batchSizeMax, slots }: Limits) => sql`
  queued as (
    select w.*, s.status, s.origin, s.last_outcome
    from (
      select *, 1 as weight, false as is_running from examined
      union all select *, 1, false from next_held
      union all select null, platform_id, null, subscription_id, '-infinity', false, count(*)::int, true
        from webhook_leases group by platform_id, subscription_id
    ) w
    cross join lateral (
      select status, origin, last_outcome from webhook_subscriptions
      where platform_id = w.platform_id and subscription_id = w.subscription_id offset 0
    ) s
  ), by_subscription as (
    select *, ${counted('partition by platform_id, subscription_id order by is_recovered, next_attempt_at')} as nth from queued
  ), by_origin as (
    select row_location, platform_id, delivery_id, subscription_id, next_attempt_at, weight, is_running,
      case when last_outcome is null then 'NEW' when last_outcome <> 'DELIVERED' then 'FAILING' end as unproven,
      ${counted('partition by origin order by next_attempt_at')} as nth_of_origin
    from by_subscription where is_running or (status = ${sql.lit(ACTIVE)} and nth <= ${slotsOf(slots)})
  ), by_unproven_platform as (
    select *, ${counted('partition by unproven, platform_id order by next_attempt_at')} as nth_unproven
    from by_origin where unproven is not null and (is_running or nth_of_origin <= ${sql.lit(slots.perOrigin)})
  ), by_unproven as (
    select *, ${counted('partition by unproven order by is_running desc, nth_unproven, next_attempt_at')} as nth_of_all
    from by_unproven_platform where is_running or nth_unproven <= ${sql.lit(slots.unprovenPerPlatform)}
  ), by_platform as (
    select *, ${counted('partition by platform_id order by next_attempt_at')} as nth_of_platform
    from (
      select row_location, platform_id, delivery_id, subscription_id, next_attempt_at, weight, is_running from by_origin
      where unproven is null and (is_running or nth_of_origin <= ${sql.lit(slots.perOrigin)})
      union all
      select row_location, platform_id, delivery_id, subscription_id, next_attempt_at, weight, is_running from by_unproven
      where is_running or nth_of_all <= ${sql.lit(slots.unproven)}
    ) w
  ), chosen as materialized (
    select row_location, platform_id, delivery_id, subscription_id from by_platform
    where not is_running and nth_of_platform <= ${sql.lit(slots.perPlatform)}
    order by nth_of_platform, next_attempt_at limit ${batchSizeMax}
  )`;

/**
 * What has no slot is held, where what has one is not enough for the claim: it costs the next claims nothing. Where more is due
 * than one claim looks at, all of it is; from `HELD_FROM` on, what waits for an attempt of its own subscription, or for a
 * receiver that fails.
 */
const holding = ({ batchSizeMax, slots }: Limits) => sql`
  without_slot as (
    select row_location from by_subscription
    where (select count(*) from examined) >= ${sql.lit(HELD_FROM)} and not is_running
      and row_location <> all(array(select row_location from chosen))
      and case when (select count(*) from examined) = ${sql.lit(EXAMINED_MAX)}
        then status <> ${sql.lit(ACTIVE)} or (select count(*) from chosen) < ${batchSizeMax}
          or (nth > ${slotsOf(slots)} and (select count(*) from by_origin where not is_running) < ${batchSizeMax})
        else (select count(*) from chosen) < ${batchSizeMax}
          and (status <> ${sql.lit(ACTIVE)} or nth > ${slotsOf(slots)} or last_outcome in ('FAILED', 'TIMEOUT')) end
  ), waiting as materialized (
    select w.ctid as row_location from webhook_deliveries w
    where w.ctid = any(array(select row_location from without_slot))
      and w.status = 'PENDING' and not w.is_held and w.next_attempt_at <= now()
    for update skip locked
  ), held as (
    update webhook_deliveries w set is_held = true where w.ctid = any(array(select row_location from waiting))
  )`;

/**
 * Claims due deliveries of all platforms for `leaseSeconds`: of platforms with few attempts under way before those of others,
 * and of one platform the longest due first. Workers take turns, so that none chooses what another has chosen. An expired
 * lease makes a delivery due again.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const { slots = DELIVERY_SLOTS, leaseSeconds } = options;
  const finished = onceEach(options.finished ?? []);
  if (!options.isMoreKnown && !(await isAnyDue(db, finished))) return { deliveries: [], hasMore: false };
  const batchSizeMax = Math.min(options.batchSizeMax, CLAIMED_MAX);
  const limits = { batchSizeMax, slots, finished };
  const rows = await inTransaction(db, async (transaction) => {
    await takeTurn(transaction);
    const claim = await sql<ClaimedDelivery & { has_more: boolean }>`
      with ${candidates(limits)}, ${choice(limits)}, claimed as (
        insert into webhook_leases (platform_id, delivery_id, subscription_id, leased_until)
        select platform_id, delivery_id, subscription_id, now() + make_interval(secs => ${leaseSeconds}) from chosen
      ), ${holding(limits)}
      select found.has_more, c.*
      from (
        select (select count(*) from examined) = ${sql.lit(EXAMINED_MAX)}
          or (select count(*) from chosen) = ${sql.lit(CLAIMED_MAX)} as has_more
      ) found
      left join (
        select c.platform_id, p.code as platform_code, p.data_key_wrapped, c.delivery_id, c.subscription_id, d.event_id, d.round,
          d.attempts, extract(epoch from now() - d.waiting_since)::float8 as age_seconds, s.url, e.body, s.secret_sealed,
          case when s.previous_secret_until > now() then s.previous_secret_sealed end as previous_secret_sealed
        from chosen c
        cross join lateral (
          select event_id, round, attempts, waiting_since from webhook_deliveries where ctid = c.row_location offset 0
        ) d
        cross join lateral (select code, data_key_wrapped from platforms where platform_id = c.platform_id offset 0) p
        cross join lateral (
          select url, secret_sealed, previous_secret_sealed, previous_secret_until from webhook_subscriptions
          where platform_id = c.platform_id and subscription_id = c.subscription_id offset 0
        ) s
        cross join lateral (select body from events where platform_id = c.platform_id and event_id = d.event_id offset 0) e
      ) c on true`.execute(transaction);
    return claim.rows;
  });
  return {
    deliveries: rows.filter(({ delivery_id }) => delivery_id !== null),
    hasMore: rows.some(({ has_more }) => has_more),
  };
}

/** Several attempts of a subscription may have ended. */
function onceEach(keys: readonly SubscriptionKey[]): SubscriptionKey[] {
  return [...new Map(keys.map((key) => [`${key.platformId} ${key.subscriptionId}`, key])).values()];
}

/** Whether a claim finds anything: most commits make nothing due, and each makes a worker look. */
async function isAnyDue(db: Db, finished: readonly SubscriptionKey[]): Promise<boolean> {
  const { rows } = await sql`
    (
      select from webhook_deliveries
      where status = 'PENDING' and not is_held and next_attempt_at <= now() and ${isFree}
      order by next_attempt_at limit 1
    ) union all (
      select from ${unnestSubscriptions(finished)} cross join lateral (
        select from webhook_deliveries
        where platform_id = f.platform_id and subscription_id = f.subscription_id and status = 'PENDING' and is_held
          and ${isFree}
        order by next_attempt_at limit 1
      ) d limit 1
    ) limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Waits for the claims of other workers: what they have claimed is seen by the next statement. A lease that is lost with the
 * database needs no write to the disk: its delivery is due again.
 */
async function takeTurn(transaction: Db): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('tradeline/webhook-claims', 0)), ${plansByIndex},
      set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', ${TURN_MS_MAX}, true)`.execute(
    transaction,
  );
}
