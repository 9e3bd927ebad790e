/** The invoices that a mailing lists, and its wording: pure. */
import {
  DUNNING_KINDS,
  type DunningKind,
  dueAmountOf,
  type InvoiceRow,
  type LateChargeRow,
} from '#modules/invoices';
import type { ReminderForMail } from '#modules/notifications';
import type { DunningStep, DunningTone } from './dunning-plan.rules.ts';

/** A mail with more rows would be too long: the other invoices are only counted. */
const LISTED_MAX = 30;

/** The kind of a mailing is the latest of its steps; it is firm if one of them is. */
export function wordingOf(steps: readonly DunningStep[]): { kind: DunningKind; tone: DunningTone } {
  const rank = Math.max(...steps.map(({ kind }) => DUNNING_KINDS.indexOf(kind)));
  const kind = DUNNING_KINDS[rank] as DunningKind;
  const isFirm = steps.some((step) => step.kind === kind && step.tone === 'FIRM');
  return { kind, tone: isFirm ? 'FIRM' : 'FRIENDLY' };
}

/** An invoice of a mailing with its late charges. */
export interface MailingInvoice {
  invoice: InvoiceRow;
  charges: readonly LateChargeRow[];
}

/** Sorts invoices as a mailing lists them. */
export const oldestFirst = (invoices: readonly MailingInvoice[]): MailingInvoice[] =>
  invoices.toSorted(
    (one, other) =>
      one.invoice.due_at - other.invoice.due_at ||
      (one.invoice.external_id < other.invoice.external_id ? -1 : 1),
  );

/** The list of a mailing, the oldest first, with the totals of each currency. `today` is the day in the buyer's time zone. */
export function listedItems(
  invoices: readonly MailingInvoice[],
  today: string,
  listedMax = LISTED_MAX,
): Pick<ReminderForMail, 'items' | 'unlisted' | 'charges' | 'unlistedCharges' | 'totals'> {
  const sorted = oldestFirst(invoices);
  const all = sorted.map(({ invoice }) => ({
    number: invoice.invoice_number ?? invoice.external_id,
    dueAt: invoice.due_at,
    amountMinor: dueAmountOf(invoice, today),
    currency: invoice.currency,
    reference: invoice.payment_reference,
  }));
  const charges = sorted.flatMap(({ invoice, charges: owed }) =>
    owed.map(({ kind, accrued_until, outstanding_amount }) => ({
      kind,
      number: invoice.invoice_number ?? invoice.external_id,
      until: accrued_until,
      amountMinor: outstanding_amount,
      currency: invoice.currency,
    })),
  );
  const byCurrency = Map.groupBy([...all, ...charges], ({ currency }) => currency);
  return {
    items: all.slice(0, listedMax),
    unlisted: Math.max(0, all.length - listedMax),
    charges: charges.slice(0, listedMax),
    unlistedCharges: Math.max(0, charges.length - listedMax),
    totals: [...byCurrency].map(([currency, rows]) => ({
      currency,
      amountMinor: rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    })),
  };
}
