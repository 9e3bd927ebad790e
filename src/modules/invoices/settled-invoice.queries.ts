/** Writes settlements in batches: invoices with their history, instalments and allocations. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster } from '#infra/database/one-node';
import { assignmentsOf } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Transition } from '#kernel/lifecycle';
import type { InvoiceStatus, InvoiceTrigger } from './invoice.lifecycle.ts';
import {
  type InstalmentRow,
  type InvoiceColumns,
  installmentsTable,
  invoicesTable,
} from './invoice.queries.ts';
import type { Allocated } from './payment-layout.rules.ts';

export type AllocationCause = 'PAYMENT' | 'APPLICATION' | 'CREDIT_NOTE' | 'REFUND' | 'REVERSAL';

/** The result of a settlement of a locked invoice. */
export interface SettlementToWrite {
  /** The invoice after the settlement, but with the computed amounts from before it. */
  columns: InvoiceColumns;
  /** Null if the status stays. */
  transition: Transition<InvoiceStatus, InvoiceTrigger> | null;
  cause: AllocationCause;
  /** The changes of the allocations. */
  allocations: readonly Allocated[];
  /** The changed instalments, as they are after the settlement. */
  installments: readonly InstalmentRow[];
  /** The payment whose row the caller writes: a new or a reversed one. */
  exceptPaymentId: string | null;
  actor: string;
}

/** The columns of an invoice that a settlement can change. */
const SETTLED = [
  'status',
  'version',
  'updated_at',
  'due_at',
  'due_on',
  'falls_due_at',
  'defaults_at',
  'dunning_at',
  'paid_amount',
  'credited_amount',
  'paid_at',
  'payment_script',
] as const;
const ASSIGNMENTS = assignmentsOf(SETTLED, 'i');

const unnestSettlements = unnestRows<SettlementToWrite>('t', {
  ...invoicesTable.listOf<SettlementToWrite, 'external_id' | (typeof SETTLED)[number]>(
    ({ columns }) => columns,
    'external_id',
    ...SETTLED,
  ),
  from_status: ['text', ({ transition }) => transition?.from ?? null],
  trigger: ['text', ({ transition }) => transition?.trigger ?? null],
  actor: ['text', 'actor'],
});

type WrittenAllocation = Allocated & { of: SettlementToWrite };
const unnestAllocations = unnestRows<WrittenAllocation>(
  'a',
  {
    payment_external_id: ['text', 'paymentId'],
    invoice_external_id: ['text', ({ of }) => of.columns.external_id],
    installment: ['int', 'installment'],
    cause: ['text', ({ of }) => of.cause],
    fee_amount: ['bigint', 'feeMinor'],
    goods_amount: ['bigint', 'goodsMinor'],
    allocated_at: ['bigint', ({ of }) => of.columns.updated_at],
    actor: ['text', ({ of }) => of.actor],
    invoice_version: ['int', ({ of }) => of.columns.version],
    is_payment_written: ['boolean', ({ of, paymentId }) => paymentId !== of.exceptPaymentId],
  },
  { withNth: true },
);
const unnestInstalments = unnestRows<InstalmentRow>(
  's',
  installmentsTable.list('invoice_external_id', 'number', 'paid_amount', 'credited_amount'),
);

/**
 * Writes settlements of locked invoices in one statement: the invoices with their history, the allocations, the instalments they
 * settle, and the allocated amounts of their payments. Returns the settled invoices in the order of the settlements.
 */
export async function writeSettlements(
  db: Db,
  platformId: number,
  settlements: readonly SettlementToWrite[],
): Promise<InvoiceColumns[]> {
  const allocations = settlements.flatMap((of) => of.allocations.map((each) => ({ ...each, of })));
  const installments = settlements.flatMap((each) => each.installments);
  const { rows } = await sql<Pick<InvoiceColumns, 'external_id' | 'outstanding_amount' | 'credit_used'>>`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestSettlements(settlements)}
    ), changed as (
      update invoices v set ${ASSIGNMENTS}
      from input i
      where v.platform_id = ${platformId} and v.external_id = i.external_id
      returning v.external_id, v.outstanding_amount, v.credit_used
    ), history as (
      insert into invoice_transitions (platform_id, invoice_external_id, version, from_status, to_status, trigger,
        transitioned_at, actor)
      select ${platformId}::int, external_id, version, from_status, status, trigger, updated_at, actor
      from input where trigger is not null
    ), money as ${inlineOnCluster(db)} (
      select * from ${unnestAllocations(allocations)}
    ), allocations as (
      insert into payment_allocations (platform_id, payment_external_id, position, invoice_external_id, installment, cause,
        fee_amount, goods_amount, allocated_at, actor, invoice_version)
      select ${platformId}::int, m.payment_external_id,
        row_number() over (partition by m.payment_external_id order by m.nth) + coalesce((
          select max(position) from payment_allocations b
          where b.platform_id = ${platformId} and b.payment_external_id = m.payment_external_id
        ), 0),
        m.invoice_external_id, m.installment, m.cause, m.fee_amount, m.goods_amount, m.allocated_at, m.actor, m.invoice_version
      from money m
    ), payments as (
      -- One version for each invoice, as if they were settled one by one.
      update invoice_payments p set allocated_amount = p.allocated_amount + c.amount, version = p.version + c.invoices,
        updated_at = greatest(p.updated_at, c.allocated_at)
      from (
        select payment_external_id, sum(fee_amount + goods_amount)::bigint as amount, max(allocated_at) as allocated_at,
          count(distinct invoice_external_id)::int as invoices
        from money where is_payment_written group by payment_external_id
      ) c
      where p.platform_id = ${platformId} and p.external_id = c.payment_external_id
    ), installments as (
      update invoice_installments t set paid_amount = s.paid_amount, credited_amount = s.credited_amount
      from ${unnestInstalments(installments)}
      where t.platform_id = ${platformId} and t.invoice_external_id = s.invoice_external_id and t.number = s.number
    )
    select external_id, outstanding_amount, credit_used from changed`.execute(db);
  const computed = new Map(rows.map((row) => [row.external_id, row]));
  return settlements.map(({ columns }) => ({ ...columns, ...computed.get(columns.external_id) }));
}
