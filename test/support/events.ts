/** Events and attempts with ids that tests know in advance. */
import { positionEvents } from '#infra/database/outbox.queries';
import type { World } from './world.ts';

/** Records an event with this id, and numbers all events. */
export async function recordNamedEvent(
  { sql, installation }: Pick<World, 'sql' | 'installation'>,
  platformId: number,
  eventId: string,
  resource: string,
  type = 'MERCHANT.ENROLLED',
): Promise<void> {
  const data = { external_id: resource, sequence: 1 };
  const body = { id: eventId, occurred_at: 1_763_640_000, type, data };
  await sql(
    `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
    values ($1, $2, $3, $4, 1763640000, $5)`,
    [platformId, eventId, type, resource, JSON.stringify(body)],
  );
  await positionEvents(installation.db, 1_000);
}

/** Writes an attempt of every delivery, as if it had failed before the receiver answered. */
export async function attemptAll({ sql }: Pick<World, 'sql'>): Promise<void> {
  await sql(
    `insert into webhook_attempts (platform_id, delivery_id, attempt, started_at, duration_ms, failure, url)
    select d.platform_id, d.delivery_id, 1, '2025-11-20T12:00:00Z', 15000, 'TIMEOUT', s.url
    from webhook_deliveries d join webhook_subscriptions s using (platform_id, subscription_id)`,
  );
  await sql(
    `update webhook_deliveries set created_at = '2025-11-20T12:00:00Z', waiting_since = '2025-11-20T12:00:00Z',
      next_attempt_at = '2025-11-20T12:00:25Z'`,
  );
}

/** Requests the recovery of all events for every subscription. */
export async function recoverAll({ sql }: Pick<World, 'sql'>): Promise<void> {
  await sql(
    `insert into webhook_recoveries (platform_id, subscription_id, position_next)
    select platform_id, subscription_id, 1 from webhook_subscriptions`,
  );
}
