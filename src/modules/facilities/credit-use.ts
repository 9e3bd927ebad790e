/**
 * What invoices do to a facility: an invoice uses credit, its payment, credit note or cancellation releases it, and a
 * reversed payment uses it again. Commands for outer modules, in their transaction, before they lock the order and the
 * invoice.
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
 * Turns reservations into use. Returns the results in the order of the invoices: `isPosted` is false if the facility does
 * not allow the part that was not reserved; undefined if there is no facility.
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

/** Uses credit for accepted invoices without an order. Returns results like `useReservations`. */
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

/** Why credit is released, with the document that says so. */
export type ReleaseCause =
  | { cause: 'INVOICE_PAID'; paymentId: string }
  | { cause: 'INVOICE_CREDITED'; creditNoteExternalId: string }
  | { cause: 'INVOICE_CANCELLED' }
  /** Releases what `useWithoutOrder` used. */
  | { cause: 'FINANCING_CANCELLED' };

export type ReleasedCredit = InvoicedCredit & ReleaseCause & { orderExternalId?: string | null };

/** Releases what invoices used, regardless of the facility's status. */
export function releaseUse(db: Db, released: ReleasedCredit[]): Promise<void> {
  return postUse(
    db,
    released.map(({ amountMinor, ...rest }) => ({ ...rest, usedChange: -amountMinor })),
  );
}

export interface ReopenedCredit extends InvoicedCredit {
  /** The payment that was reversed. */
  paymentId: string;
  orderExternalId?: string | null;
}

/**
 * Uses again what reversed payments had released, regardless of the facility's status and limit, because the debt was
 * authorized before and is owed again. Above the limit nothing is available.
 */
export function reopenUse(db: Db, reopened: ReopenedCredit[]): Promise<void> {
  return postUse(
    db,
    reopened.map(({ amountMinor, ...rest }) => ({
      ...rest,
      cause: 'INVOICE_REOPENED',
      usedChange: amountMinor,
    })),
  );
}

/** Posts entries that need no authorization, so that only a missing facility can refuse them. */
async function postUse(db: Db, entries: NewEntry[]): Promise<void> {
  const posted = await postEntriesInTurn(db, entries);
  const missing = entries[posted.indexOf(undefined)];
  if (missing)
    throw new Error(`The buyer ${missing.buyerExternalId} has no facility for the credit of its invoices.`);
}
