/** Differences between invoices, payments, facilities and the ledger. Each query returns the rows whose two sides are not equal. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

/** Two amounts of one party that must be equal, in minor units as text because sums can exceed an exact number. */
export interface UnequalAmounts {
  party: string;
  currency: string;
  /** The amount in the ledger or the facility. */
  booked: string;
  /** The amount in the invoices, payments or orders. */
  owed: string;
}

/**
 * Compares an account of buyers in the ledger, with the sign of its normal side, with the amounts that `owed` has by party and
 * currency.
 */
async function compareWithAccount(
  db: Db,
  platformId: number,
  { account, sign, owed }: { account: string; sign: 1 | -1; owed: ReturnType<typeof sql> },
): Promise<UnequalAmounts[]> {
  const { rows } = await sql<UnequalAmounts>`
    with booked as (
      select party, currency, sum(amount) * ${sign}::int as amount from ledger_lines
      where platform_id = ${platformId} and account = ${account}
      group by party, currency
    ), owed as (${owed})
    select party, currency, coalesce(b.amount, 0)::text as booked, coalesce(o.amount, 0)::text as owed
    from booked b full join owed o using (party, currency)
    where coalesce(b.amount, 0) <> coalesce(o.amount, 0)
    order by party, currency`.execute(db);
  return rows;
}

/** Buyers whose receivable in the ledger differs from what their financed invoices still claim for goods. */
export function listReceivableDifferences(db: Db, platformId: number): Promise<UnequalAmounts[]> {
  return compareWithAccount(db, platformId, {
    account: 'buyer_receivable',
    sign: 1,
    owed: sql`
      select buyer_external_id::text as party, currency,
        sum(greatest(0,
          amount_gross - credited_amount - greatest(0, paid_amount - term_fee_gross) - written_off_amount)) as amount
      from invoices where platform_id = ${platformId} and is_financed and status <> 'CANCELLED'
      group by buyer_external_id, currency`,
  });
}

/** Buyers whose fees in the ledger differ from the fees that their invoices still claim. */
export function listFeeDifferences(db: Db, platformId: number): Promise<UnequalAmounts[]> {
  return compareWithAccount(db, platformId, {
    account: 'term_fee_receivable',
    sign: 1,
    owed: sql`
      select buyer_external_id::text as party, currency, sum(term_fee_gross - least(term_fee_gross, paid_amount)) as amount
      from invoices where platform_id = ${platformId} and status <> 'CANCELLED'
      group by buyer_external_id, currency`,
  });
}

/** Buyers whose late charges in the ledger differ from what is owed of the charges that the platform claims. */
export function listLateChargeDifferences(db: Db, platformId: number): Promise<UnequalAmounts[]> {
  return compareWithAccount(db, platformId, {
    account: 'late_charge_receivable',
    sign: 1,
    owed: sql`
      select buyer_external_id::text as party, currency, sum(outstanding_amount) as amount
      from late_charges where platform_id = ${platformId} and creditor = 'PLATFORM'
      group by buyer_external_id, currency`,
  });
}

/** Late charges whose paid amount differs from what payments settle. */
export async function listPaidChargeDifferences(db: Db, platformId: number): Promise<UnequalAmounts[]> {
  const { rows } = await sql<UnequalAmounts>`
    select c.external_id::text as party, c.currency, c.paid_amount::text as booked, coalesce(sum(a.amount), 0)::text as owed
    from late_charges c
    left join late_charge_allocations a on a.platform_id = ${platformId} and a.late_charge_external_id = c.external_id
    where c.platform_id = ${platformId}
    group by c.external_id, c.currency, c.paid_amount having c.paid_amount <> coalesce(sum(a.amount), 0)
    order by party limit 100`.execute(db);
  return rows;
}

/** Buyers whose unapplied cash in the ledger differs from the unallocated rest of their payments to the platform. */
export function listUnappliedDifferences(db: Db, platformId: number): Promise<UnequalAmounts[]> {
  return compareWithAccount(db, platformId, {
    account: 'unapplied_cash',
    sign: -1,
    owed: sql`
      select buyer_external_id::text as party, currency, sum(amount - allocated_amount) as amount
      from invoice_payments where platform_id = ${platformId} and received_by = 'PLATFORM' and reversed_at is null
      group by buyer_external_id, currency`,
  });
}

/** Facilities whose used amount differs from what their buyers' invoices use, or whose pending amount differs from what orders reserve. */
export async function listCreditDifferences(
  db: Db,
  platformId: number,
): Promise<(UnequalAmounts & { amount: 'used' | 'pending' })[]> {
  const { rows } = await sql<UnequalAmounts & { amount: 'used' | 'pending' }>`
    with used as (
      select buyer_external_id, sum(credit_used) as amount from invoices
      where platform_id = ${platformId} group by buyer_external_id
    ), reserved as (
      select buyer_external_id, sum(reserved_amount) as amount from orders
      where platform_id = ${platformId} group by buyer_external_id
    )
    select f.buyer_external_id::text as party, f.currency, d.amount, d.booked::text as booked, d.owed::text as owed
    from facilities f
    left join used u using (buyer_external_id)
    left join reserved r using (buyer_external_id)
    cross join lateral (values
      ('used', f.used_amount, coalesce(u.amount, 0)),
      ('pending', f.pending_orders_amount, coalesce(r.amount, 0))
    ) d(amount, booked, owed)
    where f.platform_id = ${platformId} and d.booked <> d.owed
    order by party, d.amount`.execute(db);
  return rows;
}
