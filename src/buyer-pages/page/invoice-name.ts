import type { Translator } from '#messages';
import { html, type Markup } from '#pages/markup';
import { sentenceWith } from '#pages/sentence';

interface NamedInvoice {
  invoice_number: string | null;
  external_id: string;
}

/** The name of an invoice: its merchant's number, else its id. */
export function invoiceName(invoice: NamedInvoice, { text }: Pick<Translator, 'text'>): string {
  return text('account.invoice', { number: numberOf(invoice) });
}

/** The same name, whose number wraps only if it is longer than a line. */
export function invoiceLabel(invoice: NamedInvoice, translator: Translator): Markup {
  const number = html`<bdi class="whole">${numberOf(invoice)}</bdi>`;
  return sentenceWith(translator, 'account.invoice', {}, { number });
}

const numberOf = ({ invoice_number, external_id }: NamedInvoice) => invoice_number ?? external_id;
