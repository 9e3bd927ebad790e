/**
 * What invoices do to a facility: each takes credit up, and what is paid or credited gives it back. Commands for the
 * modules further out, in their transaction, before they lock the order and the invoice.
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
  /** How much of the amount the order has reserved: all of it, or nothing where only invoices count. */
  reservedMinor: number;
  /** Of the limit policy: for what was not reserved, and so is authorized now. */
  tolerancePercent: number;
}

/**
 * An order is invoiced: what it reserved becomes use. Answers in the order of the invoices; `isPosted` is false where
 * something was not reserved and the facility does not allow it now, undefined where there is no facility.
 */
export function useReservations(db: Db, invoices: InvoicedOrder[]): Promise<(PostedEntry | undefined)[]> {
  return postEntriesInTurn(
    db,
    invoices.map(({ amountMinor, reservedMinor, tolerancePercent, ...rest }) => ({
      ...rest,
      cause: 'ORDER_INVOICED' as const,
      usedChange: amountMinor,
      pendingOrdersChange: -reservedMinor,
      // What was authorized with the order stays good, however low the limit has become since.
      ...(amountMinor > reservedMinor && { tolerancePercent }),
    })),
  );
}

export interface FinancedInvoice extends InvoicedCredit {
  tolerancePercent: number;
}

/** An invoice without an order takes credit up, once its financing is accepted. Answers as `useReservations` does. */
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

/** A payment or a credit note gives back what an invoice used; in every status of the facility. */
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
  if (missing)
    throw new Error(`The buyer ${missing.buyerExternalId} has no facility to give credit back to.`);
}
