/** Bodies of a tenant's resources, with one text in every text field. `id` returns their names. */
import { invoiceBody } from './bodies.ts';
import { creditNoteBody } from './credit-notes.ts';
import { sepaBody } from './payees.ts';

export function mandateWith(text: string, id: (kind: string) => string): object {
  return { iban: 'NO9386011117947', account_holder: text, reference: id('mandates') };
}

export function payeeWith(text: string, id: (kind: string) => string): object {
  return sepaBody({
    external_id: id('payout_instructions'),
    merchant_external_id: id('merchants'),
    beneficiary_name: text,
  });
}

export function paymentWith(text: string, id: (kind: string) => string): object {
  return { external_id: id('payments'), amount: 1, received_by: 'PLATFORM', reference: text };
}

/** A credit note for a part of the invoice, with the text in every text field. */
export function creditNoteWith(text: string, id: (kind: string) => string): object {
  return creditNoteBody({
    external_id: id('credit_notes'),
    invoice_external_id: id('invoices'),
    amount: { net: 1, gross: 1 },
    line_items: [{ name: text, category: text, description: text, price: 1, quantity: 1 }],
  });
}

/** A dispute of the invoice, with the text in every text field. */
export function disputeWith(text: string, id: (kind: string) => string): object {
  return {
    ...{ external_id: id('disputes'), reason: 'OTHER', amount: 1, comment: text },
    file_external_ids: [id('files')],
  };
}

/** A promise to pay the invoice. */
export function promiseWith(id: (kind: string) => string): object {
  return { external_id: id('promises'), amount: 1, until: 4_000_000_000 };
}

/** The path for uploading a file of the invoice with the text as its name. */
export function filesWith(text: string, id: (kind: string) => string): string {
  const query = new URLSearchParams({ file_external_id: id('files'), kind: 'OTHER', name: text });
  return `/v1/invoices/${id('invoices')}/files?${query}`;
}

/** An invoice with the text in every text field. */
export function invoiceWith(text: string, id: (kind: string) => string): object {
  return invoiceBody({
    external_id: id('invoices'),
    buyer_external_id: id('buyers'),
    merchant_external_id: id('merchants'),
    invoice_number: text,
    contact_external_id: id('contacts'),
    billing_address: { street: text, house: text, city: text, country: 'AE', additional: text },
    custom_data: { text },
    line_items: [{ name: text, category: text, price: 1, quantity: 1 }],
  });
}
