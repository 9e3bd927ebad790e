/**
 * Which deliveries are attempted next. A claim walks what is due, the longest due first, and shares the worker's slots:
 * a receiver, an origin or a platform that fills its own leaves those of the others free.
 */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { unnestRows } from '#infra/database/unnest-rows';
import { transitionOf } from '#kernel/lifecycle';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const unprepared = sql.raw(UNPREPARED);
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
}

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Whether more is due than one claim looks at. */
  hasMore: boolean;
}

/** Due deliveries that one claim looks at. */
const EXAMINED_MAX = 512;
/** A claim is short, so that workers take turns and the first of a burst is sent before the last is claimed. */
const CLAIMED_MAX = 64;
/** A worker that stands still in its turn holds the others up no longer. */
const TURN_MS_MAX = '2000';

const unnestSubscriptions = unnestRows<SubscriptionKey>('f', {
  platform_id: ['int', 'platformId'],
  subscription_id: ['uuid', 'subscriptionId'],
});

/** A subscription of which nothing is known, or that hangs, has one slot. */
const slotsOf = ({ perSubscription }: DeliverySlots) =>
  sql`case when last_outcome in ('DELIVERED', 'FAILED') then ${perSubscription}::int else 1 end`;

/** What is due, and the next of what is held for subscriptions with a free slot. */
const candidates = (finished: readonly SubscriptionKey[], { perSubscription }: DeliverySlots) => sql`
  examined as materialized (
    select ctid as row_location, platform_id, subscription_id, next_attempt_at from webhook_deliveries
    where status = 'PENDING' and not is_held and next_attempt_at <= now()
    order by next_attempt_at limit ${EXAMINED_MAX}
  ), next_held as (
    select d.*
    from ${unnestSubscriptions(finished)} cross join lateral (
      select ctid as row_location, platform_id, subscription_id, next_attempt_at from webhook_deliveries
      where platform_id = f.platform_id and subscription_id = f.subscription_id and status = 'PENDING' and is_held
      order by next_attempt_at limit ${perSubscription}
    ) d
  )`;

/**
 * `chosen`: those for which there is a slot. At each gate the attempts under way come first, so that their slots are taken;
 * what one gate leaves out takes no slot at the next.
 */
const choice = (batchSizeMax: number, slots: DeliverySlots) => sql`
  queued as (
    select w.*, s.status, s.origin, s.last_outcome,
      case when s.last_outcome is null then 'NEW' when s.last_outcome <> 'DELIVERED' then 'FAILING' end as unproven
    from (
      select *, false as is_running from examined
      union all select *, false from next_held
      union all select ctid, platform_id, subscription_id, '-infinity', true from webhook_deliveries where leased_until > now()
    ) w
    cross join lateral (
      select status, origin, last_outcome from webhook_subscriptions
      where platform_id = w.platform_id and subscription_id = w.subscription_id offset 0
    ) s
  ), by_subscription as (
    select *, row_number() over (partition by platform_id, subscription_id order by next_attempt_at) as nth from queued
  ), by_origin as (
    select *, row_number() over (partition by origin order by next_attempt_at) as nth_of_origin
    from by_subscription where is_running or (status = ${ACTIVE} and nth <= ${slotsOf(slots)})
  ), by_unproven_platform as (
    select *, row_number() over (partition by unproven, platform_id order by next_attempt_at) as nth_unproven
    from by_origin where is_running or nth_of_origin <= ${slots.perOrigin}
  ), by_unproven as (
    select *, row_number() over (partition by unproven order by is_running desc, nth_unproven, next_attempt_at) as nth_of_all
    from by_unproven_platform where is_running or unproven is null or nth_unproven <= ${slots.unprovenPerPlatform}
  ), by_platform as (
    select *, row_number() over (partition by platform_id order by next_attempt_at) as nth_of_platform
    from by_unproven where is_running or unproven is null or nth_of_all <= ${slots.unproven}
  ), chosen as materialized (
    select row_location from by_platform where not is_running and nth_of_platform <= ${slots.perPlatform}
    order by nth_of_platform, next_attempt_at limit ${batchSizeMax}
  )`;

/** Where more is due than one claim looks at, what has no slot is held: it costs the next claims nothing. */
const holding = (batchSizeMax: number, slots: DeliverySlots) => sql`
  without_slot as (
    select row_location from by_subscription
    where (select count(*) from examined) = ${EXAMINED_MAX} and not is_running
      and row_location <> all(array(select row_location from chosen))
      and (status <> ${ACTIVE} or nth > ${slotsOf(slots)} or (select count(*) from chosen) < ${batchSizeMax})
  ), waiting as materialized (
    select w.platform_id, w.delivery_id from webhook_deliveries w
    where w.ctid = any(array(select row_location from without_slot))
      and w.status = 'PENDING' and not w.is_held and w.next_attempt_at <= now()
    for update skip locked
  ), held as (
    update webhook_deliveries w set is_held = true
    from waiting where w.platform_id = waiting.platform_id and w.delivery_id = waiting.delivery_id
  )`;

/**
 * Claims due deliveries of all platforms for `leaseSeconds`: of platforms with few attempts under way before those of others,
 * and of one platform the longest due first. Workers take turns, so that none chooses what another has chosen. An expired
 * lease makes a delivery due again.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const { slots = DELIVERY_SLOTS, finished = [], leaseSeconds } = options;
  const batchSizeMax = Math.min(options.batchSizeMax, CLAIMED_MAX);
  const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`;
  const rows = await inTransaction(db, async (transaction) => {
    await takeTurn(transaction);
    const claim = await sql<ClaimedDelivery & { has_more: boolean }>`
      with ${candidates(finished, slots)}, ${choice(batchSizeMax, slots)}, due as materialized (
        select w.platform_id, w.delivery_id from webhook_deliveries w
        where w.ctid = any(array(select row_location from chosen)) and w.status = 'PENDING' and w.next_attempt_at <= now()
        for update skip locked
      ), claimed as (
        update webhook_deliveries w set leased_until = ${leaseEnd}, next_attempt_at = ${leaseEnd}, is_held = false
        from due where w.platform_id = due.platform_id and w.delivery_id = due.delivery_id
        returning w.*
      ), ${holding(batchSizeMax, slots)}
      select found.has_more, c.*
      from (
        select (select count(*) from examined) = ${EXAMINED_MAX} or (select count(*) from chosen) = ${CLAIMED_MAX} as has_more
      ) found
      left join (
        select c.platform_id, p.code as platform_code, p.data_key_wrapped, c.delivery_id, c.subscription_id, c.event_id, c.round,
          c.attempts, extract(epoch from now() - c.waiting_since)::float8 as age_seconds, s.url, e.body, s.secret_sealed,
          case when s.previous_secret_until > now() then s.previous_secret_sealed end as previous_secret_sealed
        from claimed c
        join platforms p on p.platform_id = c.platform_id
        join webhook_subscriptions s on s.platform_id = c.platform_id and s.subscription_id = c.subscription_id
        cross join lateral (select body from events where platform_id = c.platform_id and event_id = c.event_id offset 0) e
      ) c on true
      ${unprepared}`.execute(transaction);
    return claim.rows;
  });
  return {
    deliveries: rows.filter(({ delivery_id }) => delivery_id !== null),
    hasMore: rows.some(({ has_more }) => has_more),
  };
}

/**
 * Waits for the claims of other workers: what they have claimed is seen by the next statement. Bitmap scans are off, because only
 * an index scan marks entries of claimed rows as dead, which each claim reads again until the next vacuum otherwise.
 */
async function takeTurn(transaction: Db): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('tradeline/webhook-claims', 0)), set_config('enable_bitmapscan', 'off', true),
      set_config('idle_in_transaction_session_timeout', ${TURN_MS_MAX}, true)`.execute(transaction);
}

/**
 * Makes the oldest held delivery of each active subscription due, of all platforms, unless attempts of it are under way: their end
 * claims it. Returns the number.
 */
export async function releaseHeldDeliveries(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    with recursive held as (
      (
        select platform_id, subscription_id from webhook_deliveries where status = 'PENDING' and is_held
        order by platform_id, subscription_id limit 1
      )
      union all
      select n.* from held cross join lateral (
        select platform_id, subscription_id from webhook_deliveries
        where status = 'PENDING' and is_held and (platform_id, subscription_id) > (held.platform_id, held.subscription_id)
        order by platform_id, subscription_id limit 1
      ) n
    ), oldest as (
      select d.row_location
      from held cross join lateral (
        select ctid as row_location, is_held from webhook_deliveries
        where platform_id = held.platform_id and subscription_id = held.subscription_id and status = 'PENDING'
        order by next_attempt_at limit 1
      ) d
      cross join lateral (
        select status from webhook_subscriptions
        where platform_id = held.platform_id and subscription_id = held.subscription_id offset 0
      ) s
      where d.is_held and s.status = ${ACTIVE} and not exists (
        select from webhook_deliveries
        where platform_id = held.platform_id and subscription_id = held.subscription_id and leased_until > now()
      )
    ), released as materialized (
      select w.platform_id, w.delivery_id from webhook_deliveries w
      where w.ctid = any(array(select row_location from oldest)) and w.status = 'PENDING' and w.is_held
      for update skip locked
    )
    update webhook_deliveries w set is_held = false
    from released where w.platform_id = released.platform_id and w.delivery_id = released.delivery_id
    ${unprepared}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
