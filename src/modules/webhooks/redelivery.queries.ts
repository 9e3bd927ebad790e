/** Deliveries that are made again. */
import { type RawBuilder, sql } from 'kysely';
import { type Db, isCluster } from '#infra/database/database';
import { arrayOf } from '#infra/database/unnest-rows';
import { transitionOf } from '#kernel/lifecycle';
import { deliveryLifecycle } from './delivery.lifecycle.ts';
import { coversType } from './event.queries.ts';

const { states } = deliveryLifecycle;
const PENDING = transitionOf(deliveryLifecycle, null, 'record').to;
/** Literals: on a cluster, the parameters of an upsert are not those of its `select`. */
const REDELIVERABLE = sql.join(
  states
    .filter((status) =>
      deliveryLifecycle.transitions.some(({ from, trigger }) => from === status && trigger === 'redeliver'),
    )
    .map((status) => sql.lit(status)),
);

/** The columns of a new round of a delivery. Its times are those of a delivery made now: a cluster calls no function here. */
export const NEW_ROUND = sql`
  status = ${sql.lit(PENDING)}, round = d.round + 1, attempts = 0, waiting_since = excluded.waiting_since,
  next_attempt_at = excluded.next_attempt_at, finished_at = null`;

/**
 * Delivers an event to active subscriptions that cover its type, or to the one of them with `subscriptionType`: again if it was
 * delivered or given up, else for the first time. A PENDING delivery continues. Returns the types of the subscriptions.
 */
export async function startDeliveries(
  db: Db,
  platformId: number,
  event: { id: string; type: string },
  subscriptionType: string | null,
): Promise<string[]> {
  const covering = sql<{ subscription_id: string; type: string }>`
    select subscription_id, type from webhook_subscriptions s
    where platform_id = ${platformId} and status = 'ACTIVE'
      and ${coversType('type', event.type)}
      and (${subscriptionType}::text is null or type = ${subscriptionType})
    order by type for no key update`;
  const deliverTo = (subscriptions: RawBuilder<unknown>) => sql`
    insert into webhook_deliveries as d (platform_id, subscription_id, event_id, status)
    select ${platformId}::int, c.subscription_id, ${event.id}::uuid, ${PENDING} from ${subscriptions}
    on conflict (platform_id, event_id, subscription_id) do update set ${NEW_ROUND}, is_held = false, is_recovered = false
    where d.status in (${REDELIVERABLE})`;
  if (isCluster(db)) {
    const { rows } = await covering.execute(db);
    const ids = rows.map((row) => row.subscription_id);
    // As values: see one-node.ts.
    await deliverTo(sql`unnest(${arrayOf('uuid', ids)}) c(subscription_id)`).execute(db);
    return rows.map(({ type }) => type);
  }
  const { rows } = await sql<{ type: string }>`
    with covering as (${covering}), made as (${deliverTo(sql`covering c`)})
    select type from covering order by type`.execute(db);
  return rows.map(({ type }) => type);
}
