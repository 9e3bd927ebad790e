/** Reads webhook deliveries in the database, and skips the time between their attempts. */
import { until } from './until.ts';
import type { World } from './world.ts';

export interface StoredDelivery {
  type: string;
  resource: string;
  status: string;
  attempts: number;
  /** Seconds until the next attempt; negative if it is overdue. */
  due_in_seconds: number;
}

/** All stored deliveries, newest last. */
export function storedDeliveries(world: World): Promise<StoredDelivery[]> {
  return world.sql(
    `select e.type, e.resource_external_id as resource, d.status, d.attempts,
      extract(epoch from d.next_attempt_at - now())::float8 as due_in_seconds
    from webhook_deliveries d join events e using (platform_id, event_id) order by d.delivery_id`,
  );
}

/** Waits until running attempts are recorded and at least one delivery must be retried. Makes it due immediately. */
export async function passTimeToNextAttempt(world: World): Promise<void> {
  await until(async () => {
    const due = await world.sql(
      `update webhook_deliveries set next_attempt_at = now()
      where status = 'PENDING' and attempts > 0 and next_attempt_at > now()
        and (select count(*) from webhook_leases) = 0 returning 1`,
    );
    return due.length > 0;
  });
}

/** Waits until nothing is pending, and returns all deliveries with their outcome. */
export function untilFinished(world: World): Promise<StoredDelivery[]> {
  return until(async () => {
    const deliveries = await storedDeliveries(world);
    return deliveries.every(({ status }) => status !== 'PENDING') ? deliveries : undefined;
  });
}

/** Deletes every event and its deliveries once no attempt is running. */
export async function forgetEvents(world: World): Promise<void> {
  await until(async () => {
    const underWay = await world.sql('select 1 from webhook_leases');
    return underWay.length === 0;
  });
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'events'])
    await world.sql(`delete from ${table}`);
}
