/** How much waits to be delivered, for operators. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface DeliveryBacklog {
  pending: number;
  due: number;
  /** Of the oldest pending delivery; 0 without one. */
  oldest_seconds: number;
  disabled: number;
  recoveries: number;
  /** Events without a position. */
  unnumbered: number;
}

/** Of all platforms. Deliveries for subscriptions that are not active do not count: nobody attempts them. */
export async function findDeliveryBacklog(db: Db): Promise<DeliveryBacklog> {
  const { rows } = await sql<DeliveryBacklog>`
    select * from (
      select count(*)::int as pending, (count(*) filter (where d.next_attempt_at <= now() and l.platform_id is null))::int as due,
        coalesce(extract(epoch from now() - min(d.waiting_since)), 0)::float8 as oldest_seconds
      from webhook_deliveries d
      join webhook_subscriptions s on s.platform_id = d.platform_id and s.subscription_id = d.subscription_id
      left join webhook_leases l on l.platform_id = d.platform_id and l.delivery_id = d.delivery_id
      where d.status = 'PENDING' and s.status = 'ACTIVE'
    ) d
    cross join (select count(*)::int as disabled from webhook_subscriptions where status = 'DISABLED') s
    cross join (select count(*)::int as recoveries from webhook_recoveries) r
    cross join (select count(*)::int as unnumbered from events where position is null) e`.execute(db);
  return rows[0] as DeliveryBacklog;
}

/** What of a platform is under way to receivers. */
export async function findUnderWay(
  db: Db,
  platformId: number,
): Promise<Pick<DeliveryBacklog, 'pending' | 'unnumbered'>> {
  const { rows } = await sql<Pick<DeliveryBacklog, 'pending' | 'unnumbered'>>`
    select (
        select count(*)::int from webhook_deliveries d
        join webhook_subscriptions s on s.platform_id = d.platform_id and s.subscription_id = d.subscription_id
        where d.platform_id = ${platformId} and d.status = 'PENDING' and s.status = 'ACTIVE'
      ) as pending,
      (select count(*)::int from events where platform_id = ${platformId} and position is null) as unnumbered`.execute(
    db,
  );
  return rows[0] as Pick<DeliveryBacklog, 'pending' | 'unnumbered'>;
}

/**
 * Whether a delivery `t` of a platform that moves was written by more than a worker, which holds what falls due to a disabled
 * subscription, here and in the database to which the platform moves.
 */
export const isDeliveryWritten = sql<boolean>`not t.is_held`;
