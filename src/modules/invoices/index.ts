export { invoiceEvents } from './invoice.events.ts';
export { invoiceLifecycle } from './invoice.lifecycle.ts';
export { createInvoice } from './operations/create-invoice.ts';
export { getInvoice } from './operations/get-invoice.ts';
