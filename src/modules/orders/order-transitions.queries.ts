/** Transitions of existing orders: locks, writes, and orders that are due to expire. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { OrderTransitions } from '#infra/database/schema';
import { assignmentsOf } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Transition } from '#kernel/lifecycle';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import { type OrderStatus, type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
import { type OrderKey, type OrderRow, ordersTable } from './order.queries.ts';

/** Locks the facility of the order's buyer, if it has one. The buyer of an order never changes. */
export async function lockFacilityOfOrder(db: Db, { platformId, externalId }: OrderKey): Promise<void> {
  await sql`
    select from orders o
    join facilities f on f.platform_id = o.platform_id and f.buyer_external_id = o.buyer_external_id
    where o.platform_id = ${platformId} and o.external_id = ${externalId}
    for no key update of f`.execute(db);
}

/** Locks an order. Returns undefined for an unknown one. Lock the buyer's facility before it, never after. */
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
    .$castTo<OrderRow>()
    .executeTakeFirst();
}

/** Locks the orders of a platform in the order of their keys. Unknown ones are missing. Lock their facilities first. */
export async function lockOrders(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.*, b.legal_name as buyer_legal_name
    from orders o
    join buyers b on b.platform_id = o.platform_id and b.external_id = o.buyer_external_id
    where o.platform_id = ${platformId} and o.external_id = any(${arrayOf('text', externalIds)})
    order by o.external_id
    for no key update of o`.execute(db);
  return rows;
}

/** The statuses in which an order can be confirmed. */
const UNCONFIRMED = orderLifecycle.transitions.flatMap(({ from, trigger }) =>
  trigger === 'confirm' ? from : [],
);

/**
 * Locks the buyer's orders that wait for a decision about the facility, oldest first. The caller has locked the facility. An order of a
 * PENDING facility waits only for the facility, because any other order on credit needs a granted one. After that, an order waits for
 * its own review or for an increase, in which case its decision is the one that referred the increase.
 */
export async function lockOrdersToConfirm(
  db: Db,
  { platformId, buyerExternalId }: { platformId: number; buyerExternalId: string },
  about: 'CREATION' | 'RENEWAL' | 'INCREASE',
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.*, b.legal_name as buyer_legal_name
    from orders o
    join buyers b on b.platform_id = o.platform_id and b.external_id = o.buyer_external_id
    where o.platform_id = ${platformId} and o.buyer_external_id = ${buyerExternalId}
      and o.status = any(${UNCONFIRMED}::text[])
      and (${about !== 'INCREASE'} or o.decision_id in (
        select decision_id from credit_decisions
        where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and subject = 'FACILITY_INCREASE'))
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
  /** The decision that caused the transition; null if there was none. */
  decisionId: string | null;
}

/** The columns of an order that a transition can change. */
const CHANGEABLE = [
  'status',
  'version',
  'updated_at',
  'ordered_at',
  'payment_method',
  'payment_term',
  'delivery_address',
  'contact_email_sealed',
  'purchase_order_number',
  'invoice_email_sealed',
  'billing_address',
  'paid_at',
  'cancellation_reason',
  'expires_at',
  'reserved_amount',
  'invoiced_amount',
  'is_closed_short',
  'term_offer',
  'decision_id',
] as const;
const ASSIGNMENTS = assignmentsOf(CHANGEABLE, 'i');

const unnestTransitions = unnestRows<TransitionedOrder>('t', {
  ...ordersTable.listOf<TransitionedOrder, 'platform_id' | 'external_id' | (typeof CHANGEABLE)[number]>(
    ({ order }) => order,
    'platform_id',
    'external_id',
    ...CHANGEABLE,
  ),
  from_status: ['text', ({ transition }) => transition.from],
  trigger: ['text', ({ transition }) => transition.trigger],
  actor: ['text', 'actor'],
  reason: ['text', 'reason'],
  caused_by: ['uuid', 'decisionId'],
});

/** Writes changed orders of a platform with their transitions, in one statement. The caller has locked the orders. */
export async function writeOrderTransitions(db: Db, changed: TransitionedOrder[]): Promise<void> {
  const [first] = changed;
  if (!first) return;
  const { platform_id: platformId } = first.order;
  await sql`
    with input as not materialized (
      select * from ${unnestTransitions(changed)}
    ), written as (
      update orders o set ${ASSIGNMENTS}
      from input i
      where o.platform_id = ${platformId} and o.external_id = i.external_id
    )
    insert into order_transitions (platform_id, order_external_id, version, from_status, to_status, trigger, transitioned_at, actor,
      reason, decision_id)
    select ${platformId}::int, external_id, version, from_status, status, trigger, updated_at, actor, reason, caused_by
    from input`.execute(db);
}

const TRANSITIONS: ListTable<{ order_external_id: string[] }> = {
  table: 'order_transitions',
  key: 'version',
  of: 'order_external_id',
  sort: '-version',
  values: ['order_external_id'],
  ranges: [],
};

/** The transitions of an order, newest first. */
export async function listOrderTransitions(context: ListContext, externalId: string, page: CursorPage) {
  const ofOrder = { order_external_id: [externalId] };
  return listRows<typeof ofOrder, Selectable<OrderTransitions>>(context, TRANSITIONS, ofOrder, page);
}

/** The orders whose time limit has passed. */
export const expiringOrders = dueColumn({
  table: 'orders',
  column: 'expires_at',
  key: 'external_id',
  resource: 'order',
  trigger: 'expire' satisfies OrderTrigger,
});
