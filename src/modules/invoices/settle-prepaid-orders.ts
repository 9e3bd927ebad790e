/**
 * Money paid in advance for orders settles their invoices when these are created. It becomes payments that the platform received when
 * the order was paid, in total at most the gross amount of the order. A reversed payment counts towards that total, because its money
 * was returned. Unapplied cash from a refund or credit note of an earlier invoice settles the next one.
 */
import { Problem } from '#kernel/problem';
import type { OrderPart } from '#modules/orders';
import { findInvoices, type InvoiceRow } from './invoice.queries.ts';
import type { SettlingPlatform } from './invoice-settlement.ts';
import type { PaymentRow } from './payment.queries.ts';
import { unappliedOf } from './payment-view.ts';
import { lockPrepayments } from './prepayment.queries.ts';
import { recordPayments } from './record-payment.ts';
import { settleInvoices } from './settle-invoices.ts';

/** A new invoice with the parts that it took from its locked orders. */
export interface InvoicedOrders {
  invoiceExternalId: string;
  parts: readonly OrderPart[];
  actor: string;
  /** Unix seconds. */
  now: number;
}

/** Money for an invoice: a part of a prepayment, or unapplied cash from it. */
type Prepaid = Omit<InvoicedOrders, 'parts'> & { amountMinor: number } & (
    | { orderExternalId: string; paidAt: number }
    | { payment: PaymentRow }
  );

/** Settles new invoices that share no order. Returns the invoices of prepaid orders after the settlement, by external_id. */
export async function settlePrepaidOrders(
  platform: SettlingPlatform,
  invoices: readonly InvoicedOrders[],
): Promise<Map<string, InvoiceRow>> {
  const { db, platformId } = platform;
  const orderIds = invoices.flatMap(({ parts }) =>
    parts.filter(isPrepaid).map(({ order }) => order.external_id),
  );
  if (orderIds.length === 0) return new Map();
  const payments = Map.groupBy(
    await lockPrepayments(db, platformId, orderIds),
    ({ order_external_id }) => order_external_id,
  );
  const money = invoices
    .map(({ parts, ...invoice }) =>
      parts
        .filter(isPrepaid)
        .flatMap((part) => moneyFor(part, payments.get(part.order.external_id) ?? []))
        .map((each) => ({ ...invoice, ...each })),
    )
    .filter((each) => each.length > 0);
  const find = (of: readonly Pick<InvoicedOrders, 'invoiceExternalId'>[]) =>
    findInvoices(
      db,
      platformId,
      of.map(({ invoiceExternalId }) => invoiceExternalId),
    );
  // Each round settles an invoice at most once.
  for (let nth = 0; money.some((each) => each.length > nth); nth++) {
    const next = money.flatMap((each) => each[nth] ?? []);
    await settle(platform, next, await find(next));
  }
  return new Map((await find(money.map(([first]) => first as Prepaid))).map((row) => [row.external_id, row]));
}

const isPrepaid = ({ order, amountMinor }: OrderPart) => order.paid_at !== null && amountMinor > 0;

/** The money that pays the part of an order, given the payments that its prepayment has already become. */
function moneyFor({ order, amountMinor }: OrderPart, payments: readonly PaymentRow[]) {
  const recordedMinor = payments.reduce((sum, { amount }) => sum + amount, 0);
  const newMinor = Math.min(amountMinor, order.amount_gross - recordedMinor);
  let owedMinor = amountMinor - newMinor;
  const unapplied = payments.map((payment) => {
    const takenMinor = Math.min(owedMinor, unappliedOf(payment));
    owedMinor -= takenMinor;
    return { payment, amountMinor: takenMinor };
  });
  const paidAt = order.paid_at as number;
  return [{ orderExternalId: order.external_id, paidAt, amountMinor: newMinor }, ...unapplied].filter(
    (each) => each.amountMinor > 0,
  );
}

async function settle(
  platform: SettlingPlatform,
  money: readonly Prepaid[],
  invoices: readonly InvoiceRow[],
): Promise<void> {
  const invoiceOf = new Map(invoices.map((invoice) => [invoice.external_id, invoice]));
  const found = money.map((each) => ({
    ...each,
    invoice: invoiceOf.get(each.invoiceExternalId) as InvoiceRow,
  }));
  const recorded = await recordPayments(
    platform,
    found.flatMap((each) =>
      'payment' in each
        ? []
        : { ...each, request: { paid_at: each.paidAt, received_by: 'PLATFORM' as const } },
    ),
  );
  for (const each of recorded) if (each instanceof Problem) throw each;
  await settleInvoices(
    platform,
    found.flatMap((each) =>
      'payment' in each
        ? {
            ...each,
            change: { cause: 'APPLICATION' as const, payment: each.payment, amountMinor: each.amountMinor },
          }
        : [],
    ),
  );
}
