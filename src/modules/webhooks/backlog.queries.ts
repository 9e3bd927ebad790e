/** The number of deliveries and events that wait, for operators. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface DeliveryBacklog {
  pending: number;
  due: number;
  /** The age of the oldest pending delivery; 0 if there is none. */
  oldest_seconds: number;
  disabled: number;
  recoveries: number;
  /** Events without a position. */
  unnumbered: number;
}

/** Counts all platforms. Leaves out deliveries for subscriptions that are not active: no worker attempts them. */
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

/** The deliveries and events of a platform that are on their way to receivers. */
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
 * Whether a delivery `t` of a relocating platform was written by anything but a worker. In both databases, a worker holds the due
 * deliveries of a disabled subscription.
 */
export const isDeliveryWritten = sql<boolean>`not t.is_held`;
