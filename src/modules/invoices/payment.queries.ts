/** Payments of buyers, and what of each went to which part of which invoice. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { InstalmentRow } from './invoice.queries.ts';
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

/** A payment with what of it settles an invoice now. */
export interface AppliedPayment {
  payment: PaymentRow;
  allocated: Allocated[];
}

export interface PaymentKey {
  platformId: number;
  externalId: string;
}

/** Undefined if the external_id is taken. */
export async function insertPayment(
  db: Db,
  payment: NewRowOf<typeof paymentsTable>,
): Promise<PaymentRow | undefined> {
  return db
    .insertInto('invoice_payments')
    .values(paymentsTable.insertable(payment))
    .onConflict((oc) => oc.columns(['platform_id', 'external_id']).doNothing())
    .returning(paymentsTable.columns)
    .$castTo<PaymentRow>()
    .executeTakeFirst();
}

/** Undefined for an unknown payment. */
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

/** Locks a payment, after the invoices that it settles. Undefined for an unknown one. */
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

/** Marks a locked payment as reversed: nothing of it settles anything any more. */
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

/** The payments that settle some of an invoice, in the order in which they were applied. The invoice is locked. */
export async function listAppliedPayments(
  db: Db,
  platformId: number,
  invoiceExternalId: string,
): Promise<AppliedPayment[]> {
  const { rows } = await sql<PaymentRow & { allocated: Omit<Allocated, 'paymentId'>[] }>`
    with changes as (
      select payment_external_id, invoice_version, sum(sum(fee_amount + goods_amount))
        over (partition by payment_external_id order by invoice_version) as amount
      from payment_allocations
      where platform_id = ${platformId} and invoice_external_id = ${invoiceExternalId}
      group by payment_external_id, invoice_version
    ),
    -- Since when it settles some of the invoice. Moved to another instalment, a payment keeps its place.
    applied as (
      select c.payment_external_id, min(c.invoice_version) as applied_by
      from changes c
      where not exists (
        select from changes later where later.payment_external_id = c.payment_external_id
          and later.invoice_version >= c.invoice_version and later.amount = 0
      )
      group by c.payment_external_id
    )
    select ${paymentsTable.of('p')}, (
      select json_agg(json_build_object('installment', installment, 'feeMinor', fee_amount, 'goodsMinor', goods_amount)
        order by installment)
      from (
        select installment, sum(fee_amount)::bigint as fee_amount, sum(goods_amount)::bigint as goods_amount
        from payment_allocations
        where platform_id = ${platformId} and payment_external_id = a.payment_external_id
          and invoice_external_id = ${invoiceExternalId}
        group by installment
        having sum(fee_amount) <> 0 or sum(goods_amount) <> 0
      ) parts
    ) as allocated
    from applied a
    join invoice_payments p on p.platform_id = ${platformId} and p.external_id = a.payment_external_id
    order by a.applied_by`.execute(db);
  return rows.map(({ allocated, ...payment }) => ({
    payment,
    allocated: allocated.map((each) => ({ ...each, paymentId: payment.external_id })),
  }));
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

export type AllocationCause = 'PAYMENT' | 'APPLICATION' | 'CREDIT_NOTE' | 'REFUND' | 'REVERSAL';

const unnestAllocations = unnestRows<Allocated>(
  'a',
  {
    payment_external_id: ['text', 'paymentId'],
    installment: ['int', 'installment'],
    fee_amount: ['bigint', 'feeMinor'],
    goods_amount: ['bigint', 'goodsMinor'],
  },
  { withNth: true },
);
const unnestSettled = unnestRows<InstalmentRow>('i', {
  number: ['int', 'number'],
  paid_amount: ['bigint', 'paid_amount'],
  credited_amount: ['bigint', 'credited_amount'],
});

/** What a change of a locked invoice settles or takes back. */
export interface AllocationsToWrite {
  invoice: { platform_id: number; external_id: string; version: number; updated_at: number };
  cause: AllocationCause;
  allocations: readonly Allocated[];
  /** The instalments as they are after it. */
  installments: readonly InstalmentRow[];
  /** The payment whose row the caller writes itself: a new one, or one that is reversed. */
  exceptPaymentId: string | null;
  actor: string;
}

/** Writes allocations, the instalments they settle, and what is allocated of their payments, in one statement. */
export async function writeAllocations(
  db: Db,
  platformId: number,
  { invoice, cause, allocations, installments, exceptPaymentId, actor }: AllocationsToWrite,
): Promise<void> {
  await sql`
    with input as (
      select * from ${unnestAllocations(allocations)}
    ), written as (
      insert into payment_allocations (platform_id, payment_external_id, position, invoice_external_id, installment, cause,
        fee_amount, goods_amount, allocated_at, actor, invoice_version)
      select ${platformId}::int, i.payment_external_id,
        row_number() over (partition by i.payment_external_id order by i.nth) + coalesce((
          select max(position) from payment_allocations b
          where b.platform_id = ${platformId} and b.payment_external_id = i.payment_external_id
        ), 0),
        ${invoice.external_id}, i.installment, ${cause}, i.fee_amount, i.goods_amount, ${invoice.updated_at}::bigint,
        ${actor}, ${invoice.version}::int
      from input i
    ), payments as (
      update invoice_payments p set allocated_amount = p.allocated_amount + c.amount, version = p.version + 1,
        updated_at = greatest(p.updated_at, ${invoice.updated_at}::bigint)
      from (
        select payment_external_id, sum(fee_amount + goods_amount)::bigint as amount from input group by payment_external_id
      ) c
      where p.platform_id = ${platformId} and p.external_id = c.payment_external_id
        and p.external_id is distinct from ${exceptPaymentId}::text
    )
    update invoice_installments t set paid_amount = i.paid_amount, credited_amount = i.credited_amount
    from ${unnestSettled(installments)}
    where t.platform_id = ${platformId} and t.invoice_external_id = ${invoice.external_id} and t.number = i.number`.execute(
    db,
  );
}

/** What a payment settles of an invoice now. */
export interface AllocationRow extends Allocated {
  invoiceExternalId: string;
}

/** What the payments settle now, in the order of invoices and instalments. */
export async function listAllocations(
  db: Db,
  platformId: number,
  paymentIds: readonly string[],
): Promise<AllocationRow[]> {
  const { rows } = await sql<AllocationRow>`
    select payment_external_id as "paymentId", invoice_external_id as "invoiceExternalId", installment,
      sum(fee_amount)::bigint as "feeMinor", sum(goods_amount)::bigint as "goodsMinor"
    from payment_allocations
    where platform_id = ${platformId} and payment_external_id = any(${paymentIds}::text[])
    group by payment_external_id, invoice_external_id, installment
    having sum(fee_amount) <> 0 or sum(goods_amount) <> 0
    order by payment_external_id, invoice_external_id, installment`.execute(db);
  return rows;
}
