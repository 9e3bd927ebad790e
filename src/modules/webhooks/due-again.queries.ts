/** Makes deliveries due again: the end of a lease, and the release of held ones. */
import { sql } from 'kysely';
import { type Db, isCluster, UNPREPARED } from '#infra/database/database';
import { onEachShard } from '#infra/database/each-platform';
import { transitionOf } from '#kernel/lifecycle';
import { candidate, DELIVERY_COLUMNS, findDeliveryCandidates, heldOrder } from './claim.queries.ts';
import { chooseDeliveries, DELIVERY_SLOTS } from './claim.rules.ts';
import { lockedRows, unnestDeliveryKeys } from './row-lookup.queries.ts';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const unprepared = sql.raw(UNPREPARED);
const ACTIVE = transitionOf(subscriptionLifecycle, null, 'subscribe').to;

/** Deletes the leases of killed workers, of all platforms: their deliveries are due again. Returns the number. */
export async function endExpiredLeases(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_leases where leased_until <= now()
    ${unprepared}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Makes the next held delivery of each active subscription due, on all platforms, if its longest due one is held, there is a slot
 * for it, and no attempt of the subscription is under way, because the end of an attempt claims it. Returns the number.
 */
export async function releaseHeldDeliveries(db: Db): Promise<number> {
  const candidates = await findDeliveryCandidates(
    db,
    sql`(
      select ${candidate}
      from ${isCluster(db) ? sql`webhook_subscriptions s` : subscriptionsWithHeld} cross join lateral (
        select is_held from webhook_deliveries
        where platform_id = s.platform_id and subscription_id = s.subscription_id and status = 'PENDING'
        order by next_attempt_at limit 1
      ) oldest cross join lateral (
        select ${DELIVERY_COLUMNS} from webhook_deliveries
        where platform_id = s.platform_id and subscription_id = s.subscription_id and status = 'PENDING' and is_held
        order by ${heldOrder} limit 1
      ) d
      where s.status = ${ACTIVE} and oldest.is_held and not exists (
        select from webhook_leases where platform_id = s.platform_id and subscription_id = s.subscription_id
      )
    )`,
    unprepared,
  );
  const { chosen: next } = chooseDeliveries(candidates, {
    batchSizeMax: candidates.due.length,
    placesFree: Number.POSITIVE_INFINITY,
    slots: DELIVERY_SLOTS,
  });
  const released = await onEachShard(db, next, async (deliveries) => {
    const { rows } = await sql`
      with released as materialized (
        select w.platform_id, w.delivery_id from ${lockedRows('webhook_deliveries', unnestDeliveryKeys(deliveries), sql`status = 'PENDING' and is_held`)}
      )
      update webhook_deliveries w set is_held = false
      from released r where w.platform_id = r.platform_id and w.delivery_id = r.delivery_id
      returning w.delivery_id
      ${unprepared}`.execute(db);
    return rows;
  });
  return released.length;
}

/**
 * The subscriptions with held deliveries, as `s`. The query steps from one to the next through the index, regardless of the number of
 * held deliveries and of subscriptions without any. A cluster has no such order across its nodes: there it reads all subscriptions.
 */
const subscriptionsWithHeld = sql`(
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
      )
      select held.platform_id, held.subscription_id, s.status, s.receiver_origin, s.last_outcome from held cross join lateral (
        select status, receiver_origin, last_outcome from webhook_subscriptions
        where platform_id = held.platform_id and subscription_id = held.subscription_id offset 0
      ) s
    ) s`;
