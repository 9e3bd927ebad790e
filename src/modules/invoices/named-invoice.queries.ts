/** Invoices by the references and numbers that payers write on transfers. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { namesOf } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { InvoiceColumns } from './invoice.queries.ts';

export interface WrittenNames {
  /** Creditor references, without spaces. */
  references: readonly string[];
  /** Invoice numbers, in the form in which the merchants wrote them. */
  numbers: readonly string[];
}

const NAMED_COLUMNS = [
  'external_id',
  'buyer_external_id',
  'status',
  'currency',
  'outstanding_amount',
  'payment_reference',
  'invoice_number',
] as const;
const OF_I = namesOf(NAMED_COLUMNS.map((column) => `i.${column}`));
/** The columns of an invoice that matching a payment needs. */
export type PayableInvoice = Pick<InvoiceColumns, (typeof NAMED_COLUMNS)[number]>;

/** The names of many payments can fit many invoices. Matches beyond this limit are ambiguous anyway. */
const NAMED_MAX = 5_000;

/** The invoices with one of these references or numbers, in any status. */
export async function findNamedInvoices(
  db: Db,
  platformId: number,
  { references, numbers }: WrittenNames,
): Promise<PayableInvoice[]> {
  const { rows } = await sql<PayableInvoice>`
    select ${OF_I} from invoices i
    where i.platform_id = ${platformId}
      and (i.payment_reference = any(${references}::text[]) or i.invoice_number = any(${numbers}::text[]))
    limit ${NAMED_MAX}`.execute(db);
  return rows;
}

/** Invoices with this gross amount that are not fully paid, oldest first. */
export async function listOwedInvoicesOf(
  db: Db,
  platformId: number,
  { grossMinor, currency, countMax }: { grossMinor: number; currency: Currency; countMax: number },
): Promise<PayableInvoice[]> {
  const { rows } = await sql<PayableInvoice>`
    select ${OF_I} from invoices i
    where i.platform_id = ${platformId} and i.amount_gross = ${grossMinor} and i.currency = ${currency}
      and i.outstanding_amount > 0
    order by i.created_at, i.external_id limit ${countMax}`.execute(db);
  return rows;
}

/** Invoices that are not fully paid, of the buyers of these invoices, oldest first. */
export async function listOwedBeside(
  db: Db,
  platformId: number,
  { invoices, countMax }: { invoices: readonly string[]; countMax: number },
): Promise<PayableInvoice[]> {
  const { rows } = await sql<PayableInvoice>`
    select ${OF_I} from invoices i
    where i.platform_id = ${platformId} and i.outstanding_amount > 0 and i.buyer_external_id in (
      select buyer_external_id from invoices
      where platform_id = ${platformId} and external_id = any(${arrayOf('text', invoices)})
    )
    order by i.created_at, i.external_id limit ${countMax}`.execute(db);
  return rows;
}
