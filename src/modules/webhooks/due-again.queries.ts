/** What makes deliveries due again: the end of a lease, and the release of what was held. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { transitionOf } from '#kernel/lifecycle';
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
        select from webhook_leases where platform_id = held.platform_id and subscription_id = held.subscription_id
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
