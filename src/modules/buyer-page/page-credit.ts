/** The credit limit on the page: its amount, its uses, and why there is none. */
import { inSnapshot } from '#infra/database/transaction';
import type { Refusal } from '#modules/checkout';
import { type Facility, findFacility, getFacility } from '#modules/facilities';
import { type CreditUsingInvoice, listCreditUsingInvoices } from '#modules/invoices';
import { listReservingOrders, type ReservingOrder } from '#modules/orders';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { findFacilityRefusal } from './facility-refusal.ts';
import { nullIfMissing } from './own-invoice.ts';

/** The number of invoices, and of orders, listed as uses of the limit. */
const USES_MAX = 100;

/** The items and the rest sum to the amounts of the facility. */
export interface CreditUses<Item> {
  items: Item[];
  /** The uses that are not listed; minor units. */
  more: { count: number; amountMinor: number };
}

export interface CreditDetails {
  /** Null if there is none. */
  facility: Facility | null;
  /** Why the facility, or its renewal, was refused; null if it was not. */
  refusal: Refusal | null;
  /** The invoices that use the limit, the first due first. */
  invoices: CreditUses<CreditUsingInvoice>;
  /** The orders that reserve a part of it, the latest first. */
  orders: CreditUses<ReservingOrder>;
}

/** Reads one snapshot, so that the listed uses sum to the amounts of the facility. */
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
