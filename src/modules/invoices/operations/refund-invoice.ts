import { refusal } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findInvoice, type InvoiceRow } from '../invoice.queries.ts';
import { Invoice, InvoiceParams } from '../invoice.schemas.ts';
import { isBeyondInvoice, showInvoices } from '../invoice-view.ts';
import { lockInvoiceToSettle } from '../record-payment.ts';
import { settleInvoice } from '../settle-invoices.ts';

export const refundInvoice = operation({
  id: 'refundInvoice',
  summary: 'Refund an invoice',
  description:
    'The invoice was wrong, or the purchase was undone: the invoice becomes CANCELLED and nothing is owed, including its fee. Money that ' +
    'the platform received for it belongs to the buyer, as unapplied_amount of the payment. Its orders can be invoiced again, unless ' +
    'they are closed.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceParams,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Invoice,
  problems: ['NOT_FOUND', 'INVOICE_ALREADY_REFUNDED', 'INVOICE_HAS_ACTIVE_SERVICE'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params }) {
    const { db, platformId, vault, now, timeZone, assertVersion } = context;
    const invoice = await lockInvoiceToSettle(context, params.external_id);
    assertVersion(invoice.version);
    if (invoice.status === 'CANCELLED') throw refusal('INVOICE_ALREADY_REFUNDED', 'The invoice is cancelled');
    if (invoice.active_services > 0)
      throw refusal('INVOICE_HAS_ACTIVE_SERVICE', 'The invoice has an active financial service');
    await settleInvoice(context, invoice, { cause: 'REFUND' });
    const row = (await findInvoice(db, { platformId, externalId: params.external_id })) as InvoiceRow;
    const [shown] = (await showInvoices(db, platformId, [row], { vault, now, timeZone })) as [Invoice];
    return { body: shown, version: row.version, isBeyondVersion: isBeyondInvoice(shown) };
  },
});
