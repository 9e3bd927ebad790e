/** A change of what an invoice owes, before and after it is written. */
import type { NewEvent } from '#modules/webhooks';
import type { ChangeContext, Context } from '#operation/operation';
import type { InvoiceColumns, InvoiceRow } from './invoice.queries.ts';
import type { AppliedPayment } from './payment.queries.ts';
import type { SettledColumns } from './settled-columns.rules.ts';
import type { OwedChange, Settlement } from './settlement.rules.ts';

/** Where invoices are settled: days count in the time zone of the platform. */
export type SettlingPlatform = Pick<Context, 'db' | 'platformId' | 'timeZone'>;
/** The same with who changes one of them, and when. */
export type SettlingContext = ChangeContext & SettlingPlatform;

/** A change of a locked invoice. The caller has checked that its status allows it, and writes the payment or credit note. */
export interface InvoiceSettlement {
  invoice: InvoiceRow;
  change: OwedChange;
  actor: string;
  /** Unix seconds. */
  now: number;
  /** The event of the payment or of the credit note, which is recorded after that of the invoice as it is after it. */
  documentEvent?: (settled: InvoiceColumns) => NewEvent;
}

/** A settlement with what becomes of its invoice. */
export interface SettledInvoiceChange extends InvoiceSettlement {
  applied: readonly AppliedPayment[];
  settlement: Settlement;
  event: SettledColumns['event'];
  /** The invoice after it. */
  settled: InvoiceColumns;
}
