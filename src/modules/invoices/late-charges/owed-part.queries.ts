/** The days on which payments and credit notes reduced an invoice. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { InvoiceKey } from '../invoice.queries.ts';

export interface AllocationDay {
  installment: number;
  cause: string;
  /** Minor units with the fee; below 0 if an allocation was taken back. */
  amount: number;
  paid_on: string;
  /** Unix seconds. */
  allocated_at: number;
}

/** The allocations of an invoice with the days of their payments. */
export async function listAllocationDays(
  db: Db,
  { platformId, externalId }: InvoiceKey,
): Promise<AllocationDay[]> {
  const { rows } = await sql<AllocationDay>`
    select a.installment, a.cause, (a.fee_amount + a.goods_amount)::bigint as amount, p.paid_on, a.allocated_at
    from payment_allocations a
    join invoice_payments p on p.platform_id = ${platformId} and p.external_id = a.payment_external_id
    where a.platform_id = ${platformId} and a.invoice_external_id = ${externalId}
    order by a.allocated_at, a.payment_external_id, a.position`.execute(db);
  return rows;
}

/** The credit notes of an invoice in the order in which they were recorded. */
export async function listCreditedAmounts(
  db: Db,
  { platformId, externalId }: InvoiceKey,
): Promise<{ created_at: number; amount_gross: number }[]> {
  const { rows } = await sql<{ created_at: number; amount_gross: number }>`
    select created_at, amount_gross from credit_notes
    where platform_id = ${platformId} and invoice_external_id = ${externalId}
    order by created_at, external_id`.execute(db);
  return rows;
}
