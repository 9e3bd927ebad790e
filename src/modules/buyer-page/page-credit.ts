/** What the page shows of the credit limit: how much there is, what uses it, and why there is none. */
import { inSnapshot } from '#infra/database/transaction';
import type { Refusal } from '#modules/checkout';
import { type Facility, findFacility, getFacility } from '#modules/facilities';
import { type CreditUsingInvoice, listCreditUsingInvoices } from '#modules/invoices';
import { listReservingOrders, type ReservingOrder } from '#modules/orders';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { findFacilityRefusal } from './facility-refusal.ts';
import { nullIfMissing } from './own-invoice.ts';

/** What uses the limit is listed up to this number, of invoices and of orders. */
const USES_MAX = 100;

/** The items and the rest sum to what the facility says. */
export interface CreditUses<Item> {
  items: Item[];
  /** What is not listed; minor units. */
  more: { count: number; amountMinor: number };
}

export interface CreditDetails {
  /** Null without one. */
  facility: Facility | null;
  /** Why it, or its renewal, was refused; null if it was not. */
  refusal: Refusal | null;
  /** Those that use it, the first due first. */
  invoices: CreditUses<CreditUsingInvoice>;
  /** Those that reserve something of it, the latest first. */
  orders: CreditUses<ReservingOrder>;
}

/** In one snapshot, so that what is listed sums to the amounts of the facility. */
export function readCredit(context: Context, buyer: string): Promise<CreditDetails> {
  return inSnapshot(context.db, async (db) => {
    const { platformId } = context;
    const input = { params: { external_id: buyer } };
    const facility = await nullIfMissing(runOperation(getFacility, { context: { ...context, db }, input }));
    const row = await findFacility(db, { platformId, buyerExternalId: buyer });
    const invoices = await listCreditUsingInvoices(db, platformId, buyer, USES_MAX);
    const orders = await listReservingOrders(db, platformId, buyer, USES_MAX);
    return {
      facility,
      refusal: row ? await findFacilityRefusal(db, row) : null,
      invoices: usesOf(invoices, ({ credit_used }) => credit_used),
      orders: usesOf(orders, ({ reserved_amount }) => reserved_amount),
    };
  });
}

function usesOf<Item>(
  { items, count, sumMinor }: { items: Item[]; count: number; sumMinor: number },
  amountOf: (item: Item) => number,
): CreditUses<Item> {
  const listedMinor = items.reduce((sum, item) => sum + amountOf(item), 0);
  return { items, more: { count: count - items.length, amountMinor: sumMinor - listedMinor } };
}
