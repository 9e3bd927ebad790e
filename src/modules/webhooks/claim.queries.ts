/** The claim of deliveries: it walks the due ones, the longest due first, and leases those that the rules choose (claim.rules.ts). */
import { type RawBuilder, sql } from 'kysely';
import { type Db, isCluster } from '#infra/database/database';
import { onEachShard } from '#infra/database/each-platform';
import { inlineOnCluster } from '#infra/database/one-node';
import { plansByIndex } from '#infra/database/planning.queries';
import { inTransaction } from '#infra/database/transaction';
import { unnestRows } from '#infra/database/unnest-rows';
import {
  CLAIMED_MAX,
  chooseDeliveries,
  DELIVERY_SLOTS,
  type DeliveryCandidate,
  type DeliveryCandidates,
  type DeliverySlots,
  EXAMINED_MAX,
  type ReceiverUnderWay,
} from './claim.rules.ts';
import { type DeliveryRowKey, isKeyOf, lockedRows, unnestDeliveryKeys } from './row-lookup.queries.ts';

type Due = Pick<
  DeliveryCandidate,
  'platform_id' | 'delivery_id' | 'subscription_id' | 'event_id' | 'round' | 'attempts' | 'age_seconds'
>;

/** The data that an attempt needs. */
export interface ClaimedDelivery extends Due, Leased {}

interface Leased {
  platform_id: number;
  delivery_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  url: string;
  body: string;
  secret_sealed: Buffer;
  /** Null once its grace period has ended. */
  previous_secret_sealed: Buffer | null;
}

export interface SubscriptionKey {
  platformId: number;
  subscriptionId: string;
}

export interface ClaimOptions {
  /** The free places of the worker. */
  batchSizeMax: number;
  leaseSeconds: number;
  slots?: DeliverySlots;
  /** Subscriptions whose attempts have ended: their next deliveries may be held. */
  finished?: readonly SubscriptionKey[];
  /** Whether the previous claim reported more due deliveries: then this one does not check first. */
  isMoreKnown?: boolean;
}

export interface Claim {
  deliveries: ClaimedDelivery[];
  /** Whether more deliveries are due than one claim examines. */
  hasMore: boolean;
}

/** The time after which a stalled worker no longer blocks the turns of others. */
const TURN_MS_MAX = '2000';

const unnestSubscriptions = unnestRows<SubscriptionKey>('f', {
  platform_id: ['int', 'platformId'],
  subscription_id: ['uuid', 'subscriptionId'],
});

const unnestChosen = unnestRows<DeliveryCandidate>('c', {
  platform_id: ['int', 'platform_id'],
  delivery_id: ['bigint', 'delivery_id'],
  subscription_id: ['uuid', 'subscription_id'],
  event_id: ['uuid', 'event_id'],
});

/** The columns of a candidate that come from its delivery. */
export const DELIVERY_COLUMNS = sql`platform_id, delivery_id, subscription_id, event_id, round, attempts, waiting_since,
          next_attempt_at, is_recovered, is_held`;

/**
 * Whether the delivery `d` is not leased. Expired leases count until they are deleted. Here and below, `offset 0` forces a lookup of each
 * row by its key, because the statistics of a table that fills and empties all the time are unreliable.
 */
const isFree = sql`not exists (
        select from webhook_leases where platform_id = d.platform_id and delivery_id = d.delivery_id offset 0
      )`;
const isDue = sql`d.status = 'PENDING' and not d.is_held and d.next_attempt_at <= now() and ${isFree}`;

/** The order in which the held deliveries of a subscription are taken: live events before recovered ones. */
export const heldOrder = sql`is_recovered, next_attempt_at`;

/**
 * The next `countMax` held deliveries of each of these subscriptions, as `s` and `d`. They are joined as rows, because a cluster supports
 * a limit for each row of a table but not of a list.
 */
const nextHeld = (finished: readonly SubscriptionKey[], countMax: number) => sql`
      ${unnestSubscriptions(finished)}
      join webhook_subscriptions s on ${isKeyOf('s', 'f', 'platform_id')} and ${isKeyOf('s', 'f', 'subscription_id')}
      cross join lateral (
        select ${DELIVERY_COLUMNS} from webhook_deliveries d
        where platform_id = s.platform_id and subscription_id = s.subscription_id and status = 'PENDING' and is_held and ${isFree}
        order by ${heldOrder} limit ${sql.lit(countMax)}
      ) d`;

/**
 * Claims due deliveries of all platforms for `leaseSeconds`: platforms with few attempts under way come first, and within a platform
 * the longest due. Workers take turns, so that no two choose the same delivery. An expired lease makes a delivery due again.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const { slots = DELIVERY_SLOTS, leaseSeconds } = options;
  const finished = onceEach(options.finished ?? []);
  if (!options.isMoreKnown && !(await isAnyDue(db, finished))) return { deliveries: [], hasMore: false };
  const batchSizeMax = Math.min(options.batchSizeMax, CLAIMED_MAX);
  return inTransaction(db, async (transaction) => {
    await takeTurn(transaction);
    const candidates = await findDue(transaction, finished, slots);
    const { chosen, withoutSlot, hasMore } = chooseDeliveries(candidates, {
      ...{ batchSizeMax, slots },
      placesFree: options.batchSizeMax,
    });
    const leased = await onEachShard(transaction, chosen, (each) =>
      leaseDeliveries(transaction, each, leaseSeconds),
    );
    await onEachShard(transaction, withoutSlot, (each) => holdDeliveries(transaction, each));
    return { deliveries: claimedOf(chosen, leased), hasMore };
  });
}

/** Removes duplicates: several attempts of a subscription may have ended. */
function onceEach(keys: readonly SubscriptionKey[]): SubscriptionKey[] {
  return [...new Map(keys.map((key) => [`${key.platformId} ${key.subscriptionId}`, key])).values()];
}

/** Whether a claim would find anything: every commit makes a worker check, but most make nothing due. */
async function isAnyDue(db: Db, finished: readonly SubscriptionKey[]): Promise<boolean> {
  const { rows } = await sql`
    (
      select d.platform_id from webhook_deliveries d where ${isDue} order by d.next_attempt_at limit 1
    ) union all (
      select d.platform_id from ${nextHeld(finished, 1)} limit 1
    ) limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Waits for the claims of other workers, so that the next statement sees their leases. Leases commit asynchronously: if the database
 * loses one, its delivery is due again. A cluster plans for the parameter values, because they name the platform.
 */
async function takeTurn(transaction: Db): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('tradeline/webhook-claims', 0)), ${plansByIndex},
      set_config('plan_cache_mode', ${isCluster(transaction) ? 'auto' : 'force_generic_plan'}, true),
      set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', ${TURN_MS_MAX}, true)`.execute(
    transaction,
  );
}

const subscriptionOf = (row: 'd' | 'l') => sql`cross join lateral (
        select status, receiver_origin, last_outcome from webhook_subscriptions
        where platform_id = ${sql.ref(`${row}.platform_id`)} and subscription_id = ${sql.ref(`${row}.subscription_id`)} offset 0
      ) s`;

/** The columns of a delivery `d` and its subscription `s`, for `findDeliveryCandidates`. */
export const candidate = sql`
      d.platform_id, d.delivery_id, d.subscription_id, d.event_id, d.round, d.attempts,
      extract(epoch from now() - d.waiting_since)::float8 as age_seconds,
      extract(epoch from d.next_attempt_at)::float8 as due_at, d.is_recovered, d.is_held,
      0 as under_way, s.status, s.receiver_origin as origin, s.last_outcome`;

/** The attempts under way, one row for each subscription. */
const underWay = sql`
      select l.platform_id, null, l.subscription_id, null, null, null, null, null, null, null, l.under_way, s.status, s.receiver_origin,
        s.last_outcome
      from (
        select platform_id, subscription_id, count(*)::int as under_way from webhook_leases group by platform_id, subscription_id
      ) l ${subscriptionOf('l')}`;

/** Runs a query of `candidate`, which ends with `end`, together with that of the attempts under way. */
export async function findDeliveryCandidates(
  db: Db,
  query: RawBuilder<unknown>,
  end: RawBuilder<unknown> = sql``,
): Promise<DeliveryCandidates> {
  const { rows } = await sql<DeliveryCandidate | (ReceiverUnderWay & { delivery_id: null })>`
    select * from (${query} union all (${underWay})) q ${end}`.execute(db);
  const found = { due: [] as DeliveryCandidate[], underWay: [] as ReceiverUnderWay[] };
  for (const row of rows)
    if (row.delivery_id === null) found.underWay.push(row);
    else found.due.push(row);
  return found;
}

/** The due deliveries, and the next held ones of subscriptions with a free slot. */
const findDue = (db: Db, finished: readonly SubscriptionKey[], { perSubscription }: DeliverySlots) =>
  findDeliveryCandidates(
    db,
    sql`(
      select ${candidate}
      from webhook_deliveries d ${subscriptionOf('d')}
      where ${isDue}
      order by d.next_attempt_at limit ${sql.lit(EXAMINED_MAX)}
    ) union all (
      select ${candidate} from ${nextHeld(finished, perSubscription)}
    )`,
  );

/** Writes leases, and returns the other data that the attempts need. */
async function leaseDeliveries(
  db: Db,
  chosen: readonly DeliveryCandidate[],
  leaseSeconds: number,
): Promise<Leased[]> {
  const { rows } = await sql<Leased>`
    with chosen as ${inlineOnCluster(db)} (
      select * from ${unnestChosen(chosen)}
    ), claimed as (
      insert into webhook_leases (platform_id, delivery_id, subscription_id, leased_until)
      select platform_id, delivery_id, subscription_id, now() + make_interval(secs => ${leaseSeconds}) from chosen
    )
    select c.platform_id, c.delivery_id, p.code as platform_code, p.data_key_wrapped, s.url, e.body, s.secret_sealed,
      case when s.previous_secret_until > now() then s.previous_secret_sealed end as previous_secret_sealed
    from chosen c
    join webhook_subscriptions s on ${isKeyOf('s', 'c', 'platform_id')} and ${isKeyOf('s', 'c', 'subscription_id')}
    join platforms p on ${isKeyOf('p', 'c', 'platform_id')}
    join events e on e.platform_id = s.platform_id and ${isKeyOf('e', 'c', 'event_id')}`.execute(db);
  return rows;
}

/** Skips deliveries that another statement has locked: the next claim examines them again. */
async function holdDeliveries(db: Db, waiting: readonly DeliveryCandidate[]): Promise<[]> {
  await sql`
    with waiting as materialized (
        select w.platform_id, w.delivery_id from ${lockedRows('webhook_deliveries', unnestDeliveryKeys(waiting), sql`status = 'PENDING' and not is_held and next_attempt_at <= now()`)}
    )
    update webhook_deliveries w set is_held = true
    from waiting k where w.platform_id = k.platform_id and w.delivery_id = k.delivery_id`.execute(db);
  return [];
}

/** Returns the order in which they were chosen: a cluster leases platform by platform. */
function claimedOf(chosen: readonly DeliveryCandidate[], leased: readonly Leased[]): ClaimedDelivery[] {
  const keyOf = (row: DeliveryRowKey) => `${row.platform_id} ${row.delivery_id}`;
  const byKey = new Map(leased.map((row) => [keyOf(row), row]));
  return chosen.flatMap((delivery) => {
    const needed = byKey.get(keyOf(delivery));
    return needed ? [{ ...delivery, ...needed }] : [];
  });
}
