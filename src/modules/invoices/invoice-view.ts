/** The invoice as the API shows it. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { calendarDaysBetween, localDayOf } from '#kernel/local-day';
import type { PaymentMethod } from '#kernel/payment-term';
import { type ContactRow, findContacts, toContact } from '#modules/buyers';
import { listServicesOfInvoices, type ServiceRow, toInvoiceService } from '#modules/services';
import { disputedOf } from './disputed-amount.rules.ts';
import type { InvoiceDunning } from './dunning/dunning.schemas.ts';
import type { InvoiceDunningRow } from './dunning/invoice-dunning.queries.ts';
import type { InstalmentRow, InvoiceRow } from './invoice.queries.ts';
import type { Invoice } from './invoice.schemas.ts';

export interface InvoiceViewOptions {
  vault: PlatformVault;
  /** Unix seconds, from the platform's clock. */
  now: number;
  timeZone: string;
  /** Can contain `services`. */
  expand?: readonly string[] | undefined;
}

/** The invoices as the API shows them. A contact that was deleted or now belongs to another buyer is not shown. */
export async function showInvoices(
  db: Db,
  platformId: number,
  rows: readonly InvoiceRow[],
  options: InvoiceViewOptions,
): Promise<Invoice[]> {
  const ids = [...new Set(rows.flatMap(({ contact_external_id }) => contact_external_id ?? []))];
  const contacts =
    ids.length === 0
      ? []
      : await findContacts(
          db,
          ids.map((externalId) => ({ platformId, externalId })),
        );
  const byId = new Map(contacts.flatMap((contact) => (contact ? [[contact.external_id, contact]] : [])));
  const services = options.expand?.includes('services')
    ? Map.groupBy(await servicesOf(db, platformId, rows), ({ invoice_external_id }) => invoice_external_id)
    : null;
  return rows.map((row) => ({
    ...toInvoice(row, byId.get(row.contact_external_id ?? ''), options),
    ...(services && { services: (services.get(row.external_id) ?? []).map(toInvoiceService) }),
  }));
}

async function servicesOf(db: Db, platformId: number, rows: readonly InvoiceRow[]): Promise<ServiceRow[]> {
  const ids = rows.map(({ external_id }) => external_id);
  return ids.length === 0 ? [] : listServicesOfInvoices(db, platformId, ids);
}

function toInvoice(
  row: InvoiceRow,
  contact: ContactRow | undefined,
  { vault, now, timeZone }: InvoiceViewOptions,
): Invoice {
  const { currency } = row;
  const amount = { net: row.amount_net, gross: row.amount_gross, tax: row.amount_tax, currency };
  const { term_fee_net: net, term_fee_tax: tax, term_fee_gross: gross } = row;
  const { count, ...credited } = row.credit_notes;
  return {
    external_id: row.external_id,
    status: row.status,
    buyer_external_id: row.buyer_external_id,
    merchant_external_id: row.merchant_external_id,
    order_external_ids: row.order_external_ids,
    created_at: row.created_at,
    updated_at: row.updated_at,
    invoiced_at: row.invoiced_at,
    due_at: row.due_at,
    agreed_due_at: row.agreed_due_at,
    days_past_due: row.status === 'DUE' ? calendarDaysBetween(row.due_on, localDayOf(now, timeZone)) : null,
    payment_method: row.payment_method as PaymentMethod,
    payment_reference: row.payment_reference,
    invoice_number: row.invoice_number,
    amount,
    term_fee: { net, gross, tax, currency },
    merchant_term_fee: {
      net: row.merchant_fee_net,
      gross: row.merchant_fee_gross,
      tax: row.merchant_fee_tax,
      currency,
    },
    paid_amount: row.paid_amount,
    credited_amount: row.credited_amount,
    outstanding_amount: row.outstanding_amount,
    disputed_amount: disputedOf(row),
    late_charges: {
      amount: row.late_charges.amount,
      paid_amount: row.late_charges.paid,
      waived_amount: row.late_charges.amount - row.late_charges.paid - row.late_charges.outstanding,
      outstanding_amount: row.late_charges.outstanding,
    },
    dunning: row.dunning && toInvoiceDunning(row.dunning),
    credit_used: row.credit_used,
    installments: row.installments.map(toInstalment),
    contact: contact?.buyer_external_id === row.buyer_external_id ? toContact(contact, vault) : null,
    paid_at: row.paid_at,
    buyer: { legal_name: row.buyer_legal_name },
    credit_note_summary: {
      count,
      amount: { ...credited, currency },
      original_invoice_amount: amount,
      has_active_mandate: row.has_active_mandate,
      financing_status: row.financing_status,
    },
    line_items: row.line_items,
    billing_address: row.billing_address,
    delivery_address: row.delivery_address,
    custom_data: row.custom_data,
  } as Invoice;
}

function toInstalment({ number, due_at, amount, fee_amount, paid_amount, credited_amount }: InstalmentRow) {
  return {
    number,
    due_at,
    amount: amount + fee_amount,
    term_fee: fee_amount,
    paid_amount,
    credited_amount,
    outstanding_amount: amount + fee_amount - paid_amount - credited_amount,
  };
}

/** Returns null if the arrears are over. */
function toInvoiceDunning(row: InvoiceDunningRow): InvoiceDunning | null {
  const { status, step, kind, stepped_at, next_at, paused_by } = row;
  return status === 'ENDED' ? null : { status, step, kind, stepped_at, next_at, paused_by };
}

/**
 * Whether the response shows data that the version of the invoice does not cover: days past due, contact, disputes, late charges,
 * reminders, services or mandate.
 */
export function isBeyondInvoice(invoice: Invoice): boolean {
  const { days_past_due, contact, disputed_amount, late_charges, dunning, services } = invoice;
  const { has_active_mandate, financing_status } = invoice.credit_note_summary;
  const hasService = services !== undefined || financing_status !== null;
  const isRemindedOrCharged = dunning !== null || late_charges.amount > 0;
  const hasMore = contact !== null || disputed_amount > 0 || isRemindedOrCharged || has_active_mandate;
  return days_past_due !== null || hasMore || hasService;
}
