/** Whether a buyer owes anything. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';

interface BuyerOfPlatform {
  platformId: number;
  buyerExternalId: string;
}

async function areSettled(db: Db, keys: BuyerOfPlatform[]): Promise<boolean[]> {
  const { rows } = await sql<{ is_settled: boolean }>`
    select not exists (
      select from invoices i
      where i.platform_id = k.platform_id and i.buyer_external_id = k.buyer_external_id
        and (i.outstanding_amount > 0 or exists (
          select from late_charges l
          where l.platform_id = i.platform_id and l.invoice_external_id = i.external_id and l.outstanding_amount > 0
        ))
    ) as is_settled
    from unnest(${keys.map(({ platformId }) => platformId)}::int[], ${keys.map((key) => key.buyerExternalId)}::text[])
      with ordinality as k(platform_id, buyer_external_id, nth)
    order by k.nth`.execute(db);
  return rows.map(({ is_settled }) => is_settled);
}

/** Whether nothing of any invoice of the buyer is outstanding, late charges included. */
export const isBuyerSettled = gathered(areSettled);
