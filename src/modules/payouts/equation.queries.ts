/** Differences between payouts and the ledger. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { PayoutStatus } from './payout.lifecycle.ts';

export interface ClearingDifference {
  currency: string;
  /** Minor units as text: sums can exceed an exact number. */
  booked: string;
  owed: string;
}

const ENDED: readonly PayoutStatus[] = ['PAID', 'CANCELLED'];

/** Currencies in which payout_clearing differs from the lines that wait or belong to an unpaid payout. */
export async function listClearingDifferences(db: Db, platformId: number): Promise<ClearingDifference[]> {
  const { rows } = await sql<ClearingDifference>`
    with booked as (
      select currency, -sum(amount) as amount from ledger_lines
      where platform_id = ${platformId} and account = 'payout_clearing' and party = ''
      group by currency
    ), owed as (
      select l.currency, sum(l.amount) as amount from payout_lines l
      left join payouts p on p.platform_id = ${platformId} and p.external_id = l.payout_external_id
      where l.platform_id = ${platformId} and (p.status is null or p.status <> all(${ENDED}::text[]))
      group by l.currency
    )
    select currency, coalesce(b.amount, 0)::text as booked, coalesce(o.amount, 0)::text as owed
    from booked b full join owed o using (currency)
    where coalesce(b.amount, 0) <> coalesce(o.amount, 0)
    order by currency`.execute(db);
  return rows;
}

export interface PayoutDifference {
  external_id: string;
  amount: string;
  of_lines: string;
}

/** Payouts whose amount differs from the sum of their lines. The lines of a cancelled payout wait or belong to another one. */
export async function listPayoutDifferences(db: Db, platformId: number): Promise<PayoutDifference[]> {
  const cancelled: PayoutStatus = 'CANCELLED';
  const { rows } = await sql<PayoutDifference>`
    select p.external_id::text, p.amount::text, coalesce(sum(l.amount), 0)::text as of_lines
    from payouts p
    left join payout_lines l on l.platform_id = ${platformId} and l.payout_external_id = p.external_id
    where p.platform_id = ${platformId} and p.status <> ${cancelled}
    group by p.external_id, p.amount having p.amount <> coalesce(sum(l.amount), 0)
    order by p.external_id limit 100`.execute(db);
  return rows;
}
