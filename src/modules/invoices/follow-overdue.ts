/** Keeps the overdue invoices of buyers in step with what their DUE invoices owe. */
import type { Db } from '#infra/database/database';
import { recordOverdueInvoices } from '#modules/buyers';
import type { InstalmentRow, InvoiceColumns } from './invoice.queries.ts';
import { owedInstalments } from './settlement.rules.ts';

type OverdueInvoice = Pick<InvoiceColumns, 'platform_id' | 'external_id' | 'buyer_external_id'>;

/** A DUE invoice with its instalments. */
export interface OwingInvoiceColumns {
  invoice: Parameters<typeof owedInstalments>[0];
  installments: readonly InstalmentRow[];
}

/**
 * Records what DUE invoices owe and that other invoices are no longer DUE. A fully disputed invoice does not count. Locks the buyers:
 * after facility, orders and invoices.
 */
export async function followOverdue(
  db: Db,
  due: readonly OwingInvoiceColumns[],
  ended: readonly OverdueInvoice[] = [],
): Promise<void> {
  const owed = due.map(({ invoice, installments }) => owedInstalments(invoice, installments));
  const paused = due.flatMap(({ invoice }, index) => (owed[index]?.length === 0 ? [invoice] : []));
  await recordOverdueInvoices(
    db,
    owed.flat(),
    [...ended, ...paused].map((invoice) => ({
      platformId: invoice.platform_id,
      buyerExternalId: invoice.buyer_external_id,
      invoiceExternalId: invoice.external_id,
    })),
  );
}
