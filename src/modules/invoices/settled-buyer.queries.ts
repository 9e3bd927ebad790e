/** Whether a buyer owes anything. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { unnestRows } from '#infra/database/unnest-rows';

interface BuyerOfPlatform {
  platformId: number;
  buyerExternalId: string;
}

const unnestBuyers = unnestRows<BuyerOfPlatform>(
  'k',
  { platform_id: ['int', 'platformId'], buyer_external_id: ['text', 'buyerExternalId'] },
  { withNth: true },
);

async function areSettled(db: Db, keys: BuyerOfPlatform[]): Promise<boolean[]> {
  const { rows } = await sql<{ is_settled: boolean }>`
    select not exists (
      select from invoices i
      where i.platform_id = k.platform_id and i.buyer_external_id = k.buyer_external_id
        and (i.outstanding_amount > 0 or exists (
          select from late_charges l
          where l.platform_id = k.platform_id and l.invoice_external_id = i.external_id and l.outstanding_amount > 0
        ))
    ) as is_settled
    from ${unnestBuyers(keys)}
    order by k.nth`.execute(db);
  return rows.map(({ is_settled }) => is_settled);
}

/** Whether nothing of any invoice of the buyer is outstanding, late charges included. */
export const isBuyerSettled = gathered(areSettled, byPlatform);
