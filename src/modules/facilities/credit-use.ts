/**
 * What invoices do to a facility: an invoice uses credit, a payment or a credit note releases it. Commands for outer
 * modules, in their transaction, before they lock the order and the invoice.
 */
import type { Db } from '#infra/database/database';
import type { FacilityKey } from './facility.queries.ts';
import { type NewEntry, type PostedEntry, postEntriesInTurn } from './facility-ledger.queries.ts';

interface InvoicedCredit extends FacilityKey {
  invoiceExternalId: string;
  /** Minor units of the facility's currency, above 0. */
  amountMinor: number;
  actor: string;
  /** Unix seconds. */
  at: number;
}

export interface InvoicedOrder extends InvoicedCredit {
  orderExternalId: string;
  /** The part of the amount that the order has reserved: all of it, or 0 if only invoices count. */
  reservedMinor: number;
  /** The tolerance of the limit policy, for the part that is authorized now. */
  tolerancePercent: number;
}

/**
 * Turns reservations into use. Answers in the order of the invoices: `isPosted` is false if the facility does not allow
 * the part that was not reserved; undefined if there is no facility.
 */
export function useReservations(db: Db, invoices: InvoicedOrder[]): Promise<(PostedEntry | undefined)[]> {
  return postEntriesInTurn(
    db,
    invoices.map(({ amountMinor, reservedMinor, tolerancePercent, ...rest }) => ({
      ...rest,
      cause: 'ORDER_INVOICED' as const,
      usedChange: amountMinor,
      pendingOrdersChange: -reservedMinor,
      // The order's authorization holds even if the limit was lowered since.
      ...(amountMinor > reservedMinor && { tolerancePercent }),
    })),
  );
}

export interface FinancedInvoice extends InvoicedCredit {
  tolerancePercent: number;
}

/** Uses credit for accepted invoices without an order. Answers like `useReservations`. */
export function useWithoutOrder(db: Db, invoices: FinancedInvoice[]): Promise<(PostedEntry | undefined)[]> {
  return postEntriesInTurn(
    db,
    invoices.map(({ amountMinor, ...rest }) => ({
      ...rest,
      cause: 'INVOICE_FINANCED' as const,
      usedChange: amountMinor,
    })),
  );
}

export interface ReleasedCredit extends InvoicedCredit {
  orderExternalId?: string | null;
}

/** Releases what invoices used, after a payment or a credit note, in every status of the facility. */
export async function releaseUse(db: Db, released: ReleasedCredit[]): Promise<void> {
  const posted = await postEntriesInTurn(
    db,
    released.map(
      ({ amountMinor, ...rest }): NewEntry => ({
        ...rest,
        cause: 'INVOICE_FREED',
        usedChange: -amountMinor,
      }),
    ),
  );
  const missing = released[posted.indexOf(undefined)];
  if (missing) throw new Error(`The buyer ${missing.buyerExternalId} has no facility to release credit to.`);
}
