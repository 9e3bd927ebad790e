/** New invoices with their instalments, their parts of orders and their first transitions. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster, storedPlatform } from '#infra/database/one-node';
import { namesOf } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { InvoiceStatus, InvoiceTrigger } from './invoice.lifecycle.ts';
import {
  type InstalmentRow,
  type InvoiceColumns,
  type InvoiceOrderRow,
  type InvoiceRow,
  installmentsTable,
  invoiceOrdersTable,
  invoicesTable,
} from './invoice.queries.ts';

/** Columns that the database fills because all new invoices share the value: nothing is paid or credited, and there is no service. */
const BEGINNING = [
  'version',
  'updated_at',
  'paid_amount',
  'credited_amount',
  'outstanding_amount',
  'credit_used',
  'written_off_amount',
  'disputed_amount',
  'paused_amount',
  'paid_at',
  'defaults_at',
  'defaulted_on',
  'is_financed',
  'active_services',
  'financing_status',
  'collection_status',
  'insurance_status',
] as const;
type Beginning = (typeof BEGINNING)[number];
const BEGINNING_NAMES = namesOf(BEGINNING);

/** A new invoice with its instalments, its parts of orders, and its first transition. */
export interface NewInvoice extends Omit<InvoiceColumns, Beginning> {
  installments: Pick<InstalmentRow, 'due_at' | 'due_on' | 'amount' | 'fee_amount'>[];
  orders: Pick<InvoiceOrderRow, 'order_external_id' | 'amount' | 'credit_amount' | 'fee_net' | 'fee_tax'>[];
  trigger: InvoiceTrigger;
  actor: string;
}

const CREATED = [
  'external_id',
  'status',
  'buyer_external_id',
  'merchant_external_id',
  'created_at',
  'invoiced_at',
  'due_at',
  'due_on',
  'agreed_due_at',
  'falls_due_at',
  'dunning_at',
  'payment_method',
  'payment_reference',
  'invoice_number',
  'currency',
  'amount_net',
  'amount_tax',
  'amount_gross',
  'term_fee_net',
  'term_fee_tax',
  'term_fee_gross',
  'merchant_fee_net',
  'merchant_fee_tax',
  'merchant_fee_gross',
  'credit_amount',
  'payment_script',
  'contact_external_id',
  'line_items',
  'billing_address',
  'delivery_address',
  'custom_data',
] as const;
const CREATED_NAMES = namesOf(CREATED);
const unnestInvoices = unnestRows<NewInvoice>('t', {
  ...invoicesTable.list(...CREATED),
  trigger: ['text', 'trigger'],
  actor: ['text', 'actor'],
});

type NewInstalment = NewInvoice['installments'][number] &
  Pick<InstalmentRow, 'invoice_external_id' | 'number'>;
const unnestInstalments = unnestRows<NewInstalment>(
  't',
  installmentsTable.list('invoice_external_id', 'number', 'due_at', 'due_on', 'amount', 'fee_amount'),
);

type NewPart = NewInvoice['orders'][number] & Pick<InvoiceOrderRow, 'invoice_external_id' | 'position'>;
const unnestParts = unnestRows<NewPart>(
  't',
  invoiceOrdersTable.list(
    'invoice_external_id',
    'order_external_id',
    'position',
    'amount',
    'credit_amount',
    'fee_net',
    'fee_tax',
  ),
);

/**
 * Inserts invoices with their instalments, parts of orders and first transitions, in one statement. Returns the written invoices by
 * external_id. An invoice whose external_id is taken is missing, and nothing of it is written.
 */
export async function insertInvoices(
  db: Db,
  platformId: number,
  invoices: readonly NewInvoice[],
): Promise<Map<string, InvoiceRow>> {
  const instalments = invoices.flatMap(({ external_id, installments }) =>
    installments.map((each, index) => ({ ...each, invoice_external_id: external_id, number: index + 1 })),
  );
  const parts = invoices.flatMap(({ external_id, orders }) =>
    orders.map((each, index) => ({ ...each, invoice_external_id: external_id, position: index + 1 })),
  );
  const ofBuyer = storedPlatform(db, platformId, 'buyers', sql`stored.external_id = w.buyer_external_id`);
  const { rows } = await sql<Written>`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestInvoices(invoices)}
    ), written as (
      insert into invoices (platform_id, ${CREATED_NAMES}, updated_at)
      select ${platformId}::int, ${CREATED_NAMES}, created_at from input
      order by external_id
      on conflict (platform_id, external_id) do nothing
      returning *
    ), transitions as (
      insert into invoice_transitions (platform_id, invoice_external_id, version, from_status, to_status, trigger,
        transitioned_at, actor)
      select ${ofBuyer.platformId}, w.external_id, w.version, null, w.status, i.trigger, i.created_at, i.actor
      from written w join input i on i.external_id = w.external_id ${ofBuyer.join}
    ), installments as (
      insert into invoice_installments (platform_id, invoice_external_id, number, due_at, due_on, amount, fee_amount)
      select ${ofBuyer.platformId}, t.invoice_external_id, t.number, t.due_at, t.due_on, t.amount, t.fee_amount
      from ${unnestInstalments(instalments)} join written w on w.external_id = t.invoice_external_id ${ofBuyer.join}
    ), parts as (
      insert into invoice_orders (platform_id, invoice_external_id, order_external_id, position, amount, credit_amount,
        fee_net, fee_tax)
      select ${ofBuyer.platformId}, t.invoice_external_id, t.order_external_id, t.position, t.amount, t.credit_amount,
        t.fee_net, t.fee_tax
      from ${unnestParts(parts)} join written w on w.external_id = t.invoice_external_id ${ofBuyer.join}
    )
    select w.external_id, ${BEGINNING_NAMES}, b.buyer_legal_name, b.has_active_mandate
    from written w
    cross join lateral (
      select legal_name as buyer_legal_name, has_active_mandate from buyers
      where platform_id = ${platformId} and external_id = w.buyer_external_id offset 0
    ) b`.execute(db);
  const written = new Map(rows.map((row) => [row.external_id, row]));
  return new Map(
    invoices.flatMap((invoice) => {
      const row = written.get(invoice.external_id);
      return row ? [[row.external_id, invoiceRowOf(invoice, row)]] : [];
    }),
  );
}

type Written = Pick<InvoiceRow, 'external_id' | Beginning | 'buyer_legal_name' | 'has_active_mandate'>;

/** A new invoice as `findInvoices` reads it. */
function invoiceRowOf(
  { installments, orders, trigger: _, actor: __, ...columns }: NewInvoice,
  written: Written,
): InvoiceRow {
  const { platform_id, external_id } = columns;
  return {
    ...columns,
    ...written,
    order_external_ids: orders.map(({ order_external_id }) => order_external_id),
    installments: installments.map((each, index) => ({
      ...each,
      ...{ platform_id, invoice_external_id: external_id, number: index + 1 },
      ...{ paid_amount: 0, credited_amount: 0 },
    })),
    credit_notes: { count: 0, net: 0, tax: 0, gross: 0 },
    late_charges: { amount: 0, paid: 0, outstanding: 0 },
    dunning: null,
  };
}

export interface TakenFee {
  order_external_id: string;
  fee_net: number;
  fee_tax: number;
}

/** The parts of the orders' fees that invoices have taken, without cancelled invoices. The orders are locked. */
export async function findTakenFees(
  db: Db,
  platformId: number,
  orderExternalIds: readonly string[],
): Promise<TakenFee[]> {
  const { rows } = await sql<TakenFee>`
    select o.order_external_id, sum(o.fee_net)::bigint as fee_net, sum(o.fee_tax)::bigint as fee_tax
    from invoice_orders o
    join invoices i on i.platform_id = o.platform_id and i.external_id = o.invoice_external_id
    where o.platform_id = ${platformId} and o.order_external_id = any(${arrayOf('text', orderExternalIds)})
      and i.status <> ${CANCELLED}
    group by o.order_external_id`.execute(db);
  return rows;
}

const CANCELLED: InvoiceStatus = 'CANCELLED';
