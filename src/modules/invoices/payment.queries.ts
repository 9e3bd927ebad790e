/** Payments of buyers, and their allocation to the parts of invoices. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { namesOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { PaymentReceiver } from './payment.schemas.ts';
import type { Allocated } from './payment-layout.rules.ts';

export const paymentsTable = table('invoice_payments', {
  platform_id: 'int',
  external_id: 'text',
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  invoice_external_id: 'text',
  order_external_id: 'text',
  currency: text<Currency>(),
  amount: 'bigint',
  paid_at: 'bigint',
  paid_on: 'text',
  received_by: text<PaymentReceiver>(),
  reference: 'text',
  allocated_amount: 'bigint',
  reversed_at: 'bigint',
  reversal_reason: 'text',
  actor: 'text',
});

/** Money that came from a buyer. */
export type PaymentRow = RowOf<typeof paymentsTable>;

/** A payment with the part of it that settles an invoice now. */
export interface AppliedPayment {
  payment: PaymentRow;
  allocated: Allocated[];
}

export interface PaymentKey {
  platformId: number;
  externalId: string;
}

const NEW_PAYMENT = [
  'external_id',
  'created_at',
  'updated_at',
  'buyer_external_id',
  'merchant_external_id',
  'invoice_external_id',
  'order_external_id',
  'currency',
  'amount',
  'paid_at',
  'paid_on',
  'received_by',
  'reference',
  'allocated_amount',
  'actor',
] as const;
/** A payment that is about to be recorded. */
export type NewPayment = Pick<PaymentRow, (typeof NEW_PAYMENT)[number]>;
const NEW_PAYMENT_NAMES = namesOf(NEW_PAYMENT);
const unnestPayments = unnestRows<NewPayment>('t', paymentsTable.list(...NEW_PAYMENT));

/** Inserts payments. Returns them by external_id. A payment whose external_id is taken is missing. */
export async function insertPayments(
  db: Db,
  platformId: number,
  payments: readonly NewPayment[],
): Promise<Map<string, PaymentRow>> {
  if (payments.length === 0) return new Map();
  const { rows } = await sql<PaymentRow>`
    insert into invoice_payments as p (platform_id, ${NEW_PAYMENT_NAMES})
    select ${platformId}::int, ${NEW_PAYMENT_NAMES} from ${unnestPayments(payments)}
    order by external_id
    on conflict (platform_id, external_id) do nothing
    returning ${paymentsTable.of('p')}`.execute(db);
  return new Map(rows.map((row) => [row.external_id, row]));
}

/** Returns those of the external_ids that belong to payments. */
export async function findTakenPaymentIds(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from invoice_payments
    where platform_id = ${platformId} and external_id = any(${arrayOf('text', externalIds)})`.execute(db);
  return new Set(rows.map(({ external_id }) => external_id));
}

/** Returns undefined for an unknown payment. */
export async function findPayment(
  db: Db,
  { platformId, externalId }: PaymentKey,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('invoice_payments')
    .select(paymentsTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<PaymentRow>()
    .executeTakeFirst();
}

/** Locks a payment, after the invoices that it settles. Returns undefined for an unknown one. */
export async function lockPayment(
  db: Db,
  { platformId, externalId }: PaymentKey,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('invoice_payments')
    .select(paymentsTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .$castTo<PaymentRow>()
    .executeTakeFirst();
}

/** Marks a locked payment as reversed: it settles nothing any more. */
export async function updateReversedPayment(
  db: Db,
  { platform_id, external_id, version }: PaymentRow,
  reversal: { at: number; reason: string },
): Promise<PaymentRow> {
  return db
    .updateTable('invoice_payments')
    .set({
      version: version + 1,
      updated_at: reversal.at,
      allocated_amount: 0,
      reversed_at: reversal.at,
      reversal_reason: reversal.reason,
    })
    .where('platform_id', '=', platform_id)
    .where('external_id', '=', external_id)
    .returning(paymentsTable.columns)
    .$castTo<PaymentRow>()
    .executeTakeFirstOrThrow();
}

/**
 * The payments that settle a part of the locked invoices, by the invoice's external_id and in the order in which they were applied. An
 * invoice without payments is missing.
 */
export async function listAppliedPayments(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<Map<string, AppliedPayment[]>> {
  if (invoiceExternalIds.length === 0) return new Map();
  const { rows } = await sql<
    PaymentRow & { settled_invoice: string; allocated: Omit<Allocated, 'paymentId'>[] }
  >`
    with allocations as materialized (
      select invoice_external_id, payment_external_id, invoice_version, installment, fee_amount, goods_amount
      from payment_allocations
      where platform_id = ${platformId} and invoice_external_id = any(${arrayOf('text', invoiceExternalIds)})
    ), changes as (
      select invoice_external_id, payment_external_id, invoice_version, sum(sum(fee_amount + goods_amount))
        over (partition by invoice_external_id, payment_external_id order by invoice_version) as amount
      from allocations
      group by invoice_external_id, payment_external_id, invoice_version
    ),
    -- When the payment began to settle the invoice. A payment that moves to another instalment keeps its place.
    applied as (
      select c.invoice_external_id, c.payment_external_id, min(c.invoice_version) as applied_by
      from changes c
      where not exists (
        select from changes later where later.invoice_external_id = c.invoice_external_id
          and later.payment_external_id = c.payment_external_id
          and later.invoice_version >= c.invoice_version and later.amount = 0
      )
      group by c.invoice_external_id, c.payment_external_id
    )
    select a.invoice_external_id as settled_invoice, ${paymentsTable.of('p')}, (
      select json_agg(json_build_object('installment', installment, 'feeMinor', fee_amount, 'goodsMinor', goods_amount)
        order by installment)
      from (
        select installment, sum(fee_amount)::bigint as fee_amount, sum(goods_amount)::bigint as goods_amount
        from allocations l
        where l.invoice_external_id = a.invoice_external_id and l.payment_external_id = a.payment_external_id
        group by installment
        having sum(fee_amount) <> 0 or sum(goods_amount) <> 0
      ) parts
    ) as allocated
    from applied a
    join invoice_payments p on p.platform_id = ${platformId} and p.external_id = a.payment_external_id
    order by a.invoice_external_id, a.applied_by`.execute(db);
  const applied = rows.map(({ settled_invoice: settledInvoice, allocated, ...payment }) => ({
    settledInvoice,
    payment,
    allocated: allocated.map((each) => ({ ...each, paymentId: payment.external_id })),
  }));
  return Map.groupBy(applied, ({ settledInvoice }) => settledInvoice);
}

/** The invoices that a payment settles now, in the order of their keys. */
export async function listInvoicesOfPayment(
  db: Db,
  { platformId, externalId }: PaymentKey,
): Promise<string[]> {
  const { rows } = await sql<{ invoice_external_id: string }>`
    select invoice_external_id from payment_allocations
    where platform_id = ${platformId} and payment_external_id = ${externalId}
    group by invoice_external_id
    having sum(fee_amount + goods_amount) > 0
    order by invoice_external_id`.execute(db);
  return rows.map(({ invoice_external_id }) => invoice_external_id);
}

/** A part of an invoice that a payment settles now. */
export interface AllocationRow extends Allocated {
  invoiceExternalId: string;
}

/** The current allocations of the payments, in the order of invoices and instalments. */
export async function listAllocations(
  db: Db,
  platformId: number,
  paymentIds: readonly string[],
): Promise<AllocationRow[]> {
  const { rows } = await sql<AllocationRow>`
    select payment_external_id as "paymentId", invoice_external_id as "invoiceExternalId", installment,
      sum(fee_amount)::bigint as "feeMinor", sum(goods_amount)::bigint as "goodsMinor"
    from payment_allocations
    where platform_id = ${platformId} and payment_external_id = any(${arrayOf('text', paymentIds)})
    group by payment_external_id, invoice_external_id, installment
    having sum(fee_amount) <> 0 or sum(goods_amount) <> 0
    order by payment_external_id, invoice_external_id, installment`.execute(db);
  return rows;
}
