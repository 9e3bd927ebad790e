/** Events together with their deliveries. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import {
  deleteOldEvents,
  type EventDependents,
  type EventPruning,
  writeEvents,
} from '#infra/database/outbox.queries';
import { type EventEnvelope, resourceOf } from '#kernel/event';
import { transitionOf } from '#kernel/lifecycle';
import { deliveryLifecycle } from './delivery.lifecycle.ts';

type EventPayload = Pick<EventEnvelope, 'type' | 'data'>;

/** An event to be recorded: the type and data of one of a module's events. */
export type NewEvent<Event extends EventPayload = EventPayload> = Event & {
  platformId: number;
  /** Unix seconds. */
  occurredAt: number;
  /** Delivers to this subscription only, regardless of its type. By default, to every subscription of the type or a prefix. */
  onlySubscriptionId?: string;
};

/** Whether the subscribed type, a column, is the type or a prefix of it. */
export function coversType(subscribed: string, type: unknown): RawBuilder<boolean> {
  const prefix = sql.ref(subscribed);
  return sql<boolean>`(${type} = ${prefix} or starts_with(${type}, ${prefix} || '.'))`;
}

const insertDeliveries = (platformId: number) => sql`
    insert into webhook_deliveries (platform_id, subscription_id, event_id, status)
    select ${platformId}::int, s.subscription_id, i.event_id, ${sql.lit(transitionOf(deliveryLifecycle, null, 'record').to)}
    from input i
    join webhook_subscriptions s on s.platform_id = ${platformId} and s.status = 'ACTIVE'
    where case when i.only_recipient_id is null
      then ${coversType('s.type', sql.ref('i.type'))}
      else s.subscription_id = i.only_recipient_id end`;

/**
 * Records events and a delivery for each active subscription, in one statement. Call it in the transaction of the change.
 * Returns the event ids, in the order of `events`.
 */
export async function recordEvents(db: Db, events: readonly NewEvent[]): Promise<string[]> {
  return writeEvents(
    db,
    events.map(({ onlySubscriptionId, ...event }) => ({
      ...event,
      resourceExternalId: resourceOf(event.data),
      onlyRecipientId: onlySubscriptionId ?? null,
    })),
    insertDeliveries,
  );
}

const deliveriesOfEvents: EventDependents = {
  pending: sql`pending as materialized (
      select f.platform_id, f.position
      from front f join webhook_deliveries d on d.platform_id = f.platform_id and d.event_id = f.event_id
      where d.status = 'PENDING'
    )`,
  deletions: sql`old_deliveries as (
      select d.platform_id, d.delivery_id from webhook_deliveries d join old using (platform_id, event_id)
    ), attempts as (
      delete from webhook_attempts a using old_deliveries d
      where a.platform_id = d.platform_id and a.delivery_id = d.delivery_id
    ), deliveries as (
      delete from webhook_deliveries w using old_deliveries d
      where w.platform_id = d.platform_id and w.delivery_id = d.delivery_id
    )`,
};

/**
 * Deletes events older than the pruning allows, with their deliveries and attempts, of all platforms. Keeps an event with a pending
 * delivery, and all events after it. Returns the number of events.
 */
export async function pruneEvents(db: Db, pruning: EventPruning): Promise<number> {
  return deleteOldEvents(db, pruning, deliveriesOfEvents);
}
