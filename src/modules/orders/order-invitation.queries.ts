/** Drafts whose buyers are to be invited to the checkout. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { OrderKey } from './order.queries.ts';

/** Drafts whose buyers are still to be invited to the checkout, oldest first, across all platforms that are enabled and not being moved. */
export async function findOrdersToInvite(db: Db, limit: number): Promise<OrderKey[]> {
  const { rows } = await sql<OrderKey>`
    select o.platform_id as "platformId", o.external_id as "externalId"
    from orders o join platforms p on p.platform_id = o.platform_id
    where o.is_invitation_due and p.disabled_at is null and p.relocating_since is null
    order by o.created_at limit ${limit} ${sql.raw(UNPREPARED)}`.execute(db);
  return rows;
}

/**
 * Claims the order's invitation. Returns false if another transaction has claimed it. The order stays locked until the
 * transaction ends, so its status cannot change.
 */
export async function takeInvitation(db: Db, { platformId, externalId }: OrderKey): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with due as materialized (
      select external_id from orders
      where platform_id = ${platformId} and external_id = ${externalId} and is_invitation_due
      for no key update skip locked
    )
    update orders o set is_invitation_due = false
    from due where o.platform_id = ${platformId} and o.external_id = due.external_id`.execute(db);
  return numAffectedRows === 1n;
}
