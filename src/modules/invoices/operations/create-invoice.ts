import { Problem } from '#kernel/problem';
import { operation } from '#operation/operation';
import { Invoice, InvoiceCreation } from '../invoice.schemas.ts';
import { isBeyondInvoice, showInvoices } from '../invoice-view.ts';
import { readInvoiceCreation } from '../new-invoice.ts';
import { placeInvoice } from '../place-invoice.ts';

export const createInvoice = operation({
  id: 'createInvoice',
  summary: 'Create an invoice',
  description:
    'Invoices all or a part of up to 20 orders of one buyer, merchant and currency, or no order. What was agreed with the orders ' +
    'need not be repeated: buyer, merchant, payment method, due day and instalments. The credit that they reserved ' +
    'becomes used. Without orders the buyer, the merchant, due_at and payment_method are required.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'own',
  body: InvoiceCreation,
  isVersioned: true,
  status: 201,
  response: Invoice,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'REFERENCED_ENTITY_NOT_FOUND',
    'MERCHANT_NOT_ENROLLED',
    'CURRENCY_NOT_ENABLED',
    'BUYER_INCOMPLETE',
    'CONTACT_OF_OTHER_BUYER',
    'NO_ACTIVE_MANDATE',
    'ORDER_MISMATCH',
    'ORDER_NOT_INVOICEABLE',
    'ORDER_AMOUNT_EXCEEDED',
    'NO_ACTIVE_FACILITY',
    'FACILITY_EXPIRED',
    'FACILITY_FROZEN',
    'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    'BUYER_OVERDUE',
  ],
  example: {
    body: {
      external_id: 'example-invoice',
      order_external_ids: ['example-order-on-credit'],
      invoice_number: '2026-0042',
      amount: { net: 10000, tax: 1900, gross: 11900 },
      line_items: [{ name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2500, quantity: 4 }],
    },
  },
  async run(context, { body }) {
    const { db, platformId } = context;
    const request = await readInvoiceCreation(context, body);
    const placed = await placeInvoice(db, request);
    if (placed instanceof Problem) throw placed;
    const [shown] = (await showInvoices(db, platformId, [placed], context)) as [Invoice];
    return { body: shown, version: placed.version, isBeyondVersion: isBeyondInvoice(shown) };
  },
});
