/** The facts that the rule about first orders reads. One statement reads them all, so it reads tables of other modules. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import type { Address } from '#kernel/address';
import { rowsInOrderOfBuyers, unnestBuyerKeys } from '#modules/buyers';
import type { DecisionRow } from '#modules/underwriting';
import type { FacilityKey } from './facility.queries.ts';

/**
 * SQL, for a larger statement, for whether the buyer has no confirmed order that still stands. A prepaid order is confirmed
 * before it is paid, so it counts only once it is closed.
 */
export function isFirstOrderOf(
  platformId: RawBuilder<unknown>,
  buyerExternalId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`not exists (
    select from orders o where o.platform_id = ${platformId} and o.buyer_external_id = ${buyerExternalId}
      and o.status in ('CONFIRMED', 'DISBURSED', 'CLOSED')
      and (o.payment_term <> 'PREPAYMENT' or o.status = 'CLOSED') offset 0
  )`;
}

export interface FirstOrderFacts {
  is_first_order: boolean;
  business_address: Address;
  delivery_address: Address | null;
  is_company_entered: boolean;
  /** The company that the last decision found. Only its id, because the registry is not stored with the platform's rows. */
  registry_company_id: number | null;
  /** The decision that settled the facility. */
  decision: DecisionRow | null;
}

/** The facts in the order of the keys; undefined for a buyer without a facility or a decision about it. */
export async function findFirstOrderFactsOfAll(
  db: Db,
  keys: FacilityKey[],
): Promise<(FirstOrderFacts | undefined)[]> {
  const { rows } = await sql<FirstOrderFacts & { platform_id: number; buyer_external_id: string }>`
    select k.platform_id, k.buyer_external_id, f.is_first_order, f.business_address, f.delivery_address,
      f.is_company_entered, f.registry_company_id, f.decision
    from ${unnestBuyerKeys(keys)}
    cross join lateral (
      select ${isFirstOrderOf(sql.ref('k.platform_id'), sql.ref('k.buyer_external_id'))} as is_first_order,
        b.business_address, b.delivery_address, b.is_company_entered, f.registry_company_id, to_json(d) as decision
      from facilities f
      join buyers b on b.platform_id = f.platform_id and b.external_id = f.buyer_external_id
      join credit_decisions d on d.platform_id = f.platform_id and d.decision_id = f.decision_id
      where f.platform_id = k.platform_id and f.buyer_external_id = k.buyer_external_id offset 0
    ) f`.execute(db);
  return rowsInOrderOfBuyers(keys, rows);
}

export const findFirstOrderFacts = gathered(findFirstOrderFactsOfAll, byPlatform);
