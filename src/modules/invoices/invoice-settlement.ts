/** A change of what an invoice owes, before and after it is written. */
import type { NewEvent } from '#modules/webhooks';
import type { ChangeContext, Context } from '#operation/operation';
import type { InvoiceColumns, InvoiceRow } from './invoice.queries.ts';
import type { AppliedPayment } from './payment.queries.ts';
import type { SettledColumns } from './settled-columns.rules.ts';
import type { OwedChange, Settlement } from './settlement.rules.ts';

/** The platform whose invoices are settled, with its time zone, in which days are counted. */
export type SettlingPlatform = Pick<Context, 'db' | 'platformId' | 'timeZone'>;
/** A settling platform with the actor and the time of the change. */
export type SettlingContext = ChangeContext & SettlingPlatform;

/** A change of a locked invoice. The caller has checked that the status allows it, and writes the payment or credit note. */
export interface InvoiceSettlement {
  invoice: InvoiceRow;
  change: OwedChange;
  actor: string;
  /** Unix seconds. */
  now: number;
  /** The event of the payment or credit note. It is recorded after the event of the invoice and shows the settled invoice. */
  documentEvent?: (settled: InvoiceColumns) => NewEvent;
}

/** A settlement with its result. */
export interface SettledInvoiceChange extends InvoiceSettlement {
  applied: readonly AppliedPayment[];
  settlement: Settlement;
  event: SettledColumns['event'];
  /** The invoice after the settlement. */
  settled: InvoiceColumns;
}
