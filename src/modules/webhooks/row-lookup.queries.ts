/** How statements find rows by their keys, and lock them. */
import { type RawBuilder, sql } from 'kysely';
import { unnestRows } from '#infra/database/unnest-rows';

export interface DeliveryRowKey {
  platform_id: number;
  delivery_id: number;
}

/** `k(platform_id, delivery_id)` */
export const unnestDeliveryKeys = unnestRows<DeliveryRowKey>('k', {
  platform_id: ['int', 'platform_id'],
  delivery_id: ['bigint', 'delivery_id'],
});

/**
 * Locks the rows `w` of the keys `k(platform_id, delivery_id)` that meet `condition`. It skips rows that another statement has locked:
 * waiting for them while holding locks could deadlock. A cluster misreads rows that are locked in a join, but not in a sub-select of the
 * join.
 */
export const lockedRows = (
  table: 'webhook_deliveries' | 'webhook_leases',
  keys: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`${keys} cross join lateral (
        select platform_id, delivery_id from ${sql.table(table)}
        where platform_id = k.platform_id and delivery_id = k.delivery_id and ${condition}
        for update skip locked
      ) w`;

/**
 * Whether the row `target` has the key `column` of the row `of`. Unlike an equality, the comparison with an array permits only a join
 * that looks each row up by an index. The statement can therefore be prepared: its plan for an empty database also suits a full one.
 * Planning it for each batch of outcomes took longer than running it.
 */
export const isKeyOf = (target: string, of: string, column: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${target}.${column}`)} = any(array[${sql.ref(`${of}.${column}`)}])`;
