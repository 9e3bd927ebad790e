/** Looks at webhook deliveries in the database, and lets the time between their attempts pass. */
import { until } from './until.ts';
import type { World } from './world.ts';

export interface StoredDelivery {
  type: string;
  resource: string;
  status: string;
  attempts: number;
  /** Until the next attempt, from now; negative where it is overdue. */
  due_in_seconds: number;
}

/** Newest last. */
export function storedDeliveries(world: World): Promise<StoredDelivery[]> {
  return world.sql(
    `select e.type, e.resource_external_id as resource, d.status, d.attempts,
      extract(epoch from d.next_attempt_at - now())::float8 as due_in_seconds
    from webhook_deliveries d join events e using (platform_id, event_id) order by d.delivery_id`,
  );
}

/** Waits for the attempts under way to be written down, at least one of them to be tried again; that is due at once. */
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

/** Waits until nothing is pending any more, and answers what became of everything. */
export function untilFinished(world: World): Promise<StoredDelivery[]> {
  return until(async () => {
    const deliveries = await storedDeliveries(world);
    return deliveries.every(({ status }) => status !== 'PENDING') ? deliveries : undefined;
  });
}

/** Forgets every event and what became of it, once no attempt is under way. */
export async function forgetEvents(world: World): Promise<void> {
  await until(async () => {
    const underWay = await world.sql('select 1 from webhook_leases');
    return underWay.length === 0;
  });
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'events'])
    await world.sql(`delete from ${table}`);
}
