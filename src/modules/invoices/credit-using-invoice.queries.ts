/** The invoices that use a buyer's credit. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { statesHoldingCredit } from '#kernel/lifecycle';
import { invoiceLifecycle } from './invoice.lifecycle.ts';

const STATUSES = statesHoldingCredit(invoiceLifecycle);

export interface CreditUsingInvoice {
  external_id: string;
  invoice_number: string | null;
  currency: Currency;
  credit_used: number;
}

/** Earliest due first, at most `countMax`, with the count and the sum (minor units) of all of them. */
export async function listCreditUsingInvoices(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  countMax: number,
): Promise<{ items: CreditUsingInvoice[]; count: number; sumMinor: number }> {
  const { rows } = await sql<CreditUsingInvoice & { count: number; sum: number }>`
    select external_id, invoice_number, currency, credit_used, (count(*) over ())::int as count,
      (sum(credit_used) over ())::bigint as sum
    from invoices
    where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and status = any(${STATUSES}::text[])
      and credit_used > 0
    order by due_at, external_id limit ${countMax}`.execute(db);
  return { items: rows, count: rows[0]?.count ?? 0, sumMinor: rows[0]?.sum ?? 0 };
}
