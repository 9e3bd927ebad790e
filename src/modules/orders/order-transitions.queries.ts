/** Transitions of existing orders: locks, writes, and orders that are due to expire. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Due } from '#infra/time/due-transitions';
import type { Transition } from '#kernel/lifecycle';
import { type OrderStatus, type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
import type { OrderKey, OrderRow } from './order.queries.ts';

/** Locks an order; undefined for an unknown one. Lock the buyer's facility first, never afterwards. */
export async function lockOrder(db: Db, { platformId, externalId }: OrderKey): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders as o')
    .innerJoin('buyers as b', (join) =>
      join.onRef('b.platform_id', '=', 'o.platform_id').onRef('b.external_id', '=', 'o.buyer_external_id'),
    )
    .selectAll('o')
    .select('b.legal_name as buyer_legal_name')
    .where('o.platform_id', '=', platformId)
    .where('o.external_id', '=', externalId)
    .forNoKeyUpdate('o')
    .executeTakeFirst();
}

/** The statuses in which an order waits for a confirmation. */
const UNCONFIRMED = orderLifecycle.transitions.flatMap(({ from, trigger }) =>
  trigger === 'confirm' ? from : [],
);

/** Locks the buyer's orders that wait for a confirmation, the oldest first. The facility is locked already. */
export async function lockOrdersToConfirm(
  db: Db,
  { platformId, buyerExternalId }: { platformId: number; buyerExternalId: string },
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.*, b.legal_name as buyer_legal_name
    from orders o
    join buyers b on b.platform_id = o.platform_id and b.external_id = o.buyer_external_id
    where o.platform_id = ${platformId} and o.buyer_external_id = ${buyerExternalId}
      and o.status = any(${UNCONFIRMED}::text[])
    order by o.created_at, o.external_id
    for no key update of o`.execute(db);
  return rows;
}

/** An order after a transition, with the transition. */
export interface TransitionedOrder {
  order: OrderRow;
  transition: Transition<OrderStatus, OrderTrigger>;
  actor: string;
  reason: string | null;
}

const unnestTransitions = unnestRows<TransitionedOrder>('t', {
  platform_id: ['int', ({ order }) => order.platform_id],
  external_id: ['text', ({ order }) => order.external_id],
  status: ['text', ({ order }) => order.status],
  version: ['int', ({ order }) => order.version],
  updated_at: ['bigint', ({ order }) => order.updated_at],
  ordered_at: ['bigint', ({ order }) => order.ordered_at],
  payment_method: ['text', ({ order }) => order.payment_method],
  payment_term: ['text', ({ order }) => order.payment_term],
  delivery_address: ['jsonb', ({ order }) => order.delivery_address],
  contact_email_sealed: ['bytea', ({ order }) => order.contact_email_sealed],
  cancellation_reason: ['text', ({ order }) => order.cancellation_reason],
  expires_at: ['bigint', ({ order }) => order.expires_at],
  reserved_amount: ['bigint', ({ order }) => order.reserved_amount],
  invoiced_amount: ['bigint', ({ order }) => order.invoiced_amount],
  is_closed_short: ['boolean', ({ order }) => order.is_closed_short],
  term_offer: ['json', ({ order }) => order.term_offer],
  from_status: ['text', ({ transition }) => transition.from],
  trigger: ['text', ({ transition }) => transition.trigger],
  actor: ['text', 'actor'],
  reason: ['text', 'reason'],
});

/** Writes changed orders with their transitions, in one statement. The orders are locked. */
export async function writeOrderTransitions(db: Db, changed: TransitionedOrder[]): Promise<void> {
  await sql`
    with input as (
      select * from ${unnestTransitions(changed)}
    ), written as (
      update orders o set status = i.status, version = i.version, updated_at = i.updated_at, ordered_at = i.ordered_at,
        payment_method = i.payment_method, payment_term = i.payment_term, delivery_address = i.delivery_address,
        contact_email_sealed = i.contact_email_sealed,
        cancellation_reason = i.cancellation_reason, expires_at = i.expires_at, reserved_amount = i.reserved_amount,
        invoiced_amount = i.invoiced_amount, is_closed_short = i.is_closed_short, term_offer = i.term_offer
      from input i
      where o.platform_id = i.platform_id and o.external_id = i.external_id
    )
    insert into order_transitions (platform_id, order_external_id, version, from_status, to_status, trigger, transitioned_at, actor,
      reason)
    select platform_id, external_id, version, from_status, status, trigger, updated_at, actor, reason from input`.execute(
    db,
  );
}

/**
 * All platforms on which an order's time limit has passed by the platform's clock. `now` is the real time in unix seconds.
 * The lateral join reads one order per platform, whatever the planner estimates.
 */
export async function findPlatformsWithExpiredOrders(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select p.platform_id from platforms p
    cross join lateral (
      select expires_at from orders where platform_id = p.platform_id and expires_at is not null order by expires_at limit 1
    ) first
    where first.expires_at <= ${now}::bigint + p.clock_ahead_seconds
    order by p.platform_id`.execute(db);
  return rows.map((row) => row.platform_id);
}

const EXPIRE: OrderTrigger = 'expire';

/** The order of the platform whose time limit passes first, by `until` (unix seconds). */
export async function findNextOrderExpiry(
  db: Db,
  platformId: number,
  until: number,
): Promise<Due<'order'> | undefined> {
  const row = await db
    .selectFrom('orders')
    .select(['external_id', 'expires_at'])
    .where('platform_id', '=', platformId)
    .where('expires_at', '<=', until)
    .orderBy('expires_at')
    .orderBy('external_id')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      dueAt: row.expires_at as number,
      resource: 'order',
      externalId: row.external_id,
      trigger: EXPIRE,
    }
  );
}
