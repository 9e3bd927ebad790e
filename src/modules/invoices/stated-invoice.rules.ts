/** What an e-invoice file states, and how it differs from the invoice. */
import { localDayOf } from '#kernel/local-day';
import { isNamed } from '#modules/registry';
import type { EInvoice, StatedParty } from './e-invoice.ts';
import type { InvoiceColumns } from './invoice.queries.ts';

/** The stored form. The parties of an invoice never change, so they are compared when the file is received. */
export interface StatedInvoice {
  number: string;
  /** `2026-01-31` */
  issued_on: string;
  currency: string;
  /** Minor units; null in a currency that invoices cannot have. */
  gross: number | null;
  names_merchant: boolean;
  names_buyer: boolean;
}

/** A merchant or a buyer, with the names and identifiers that a file can contain. */
export interface NamedParty {
  legal_name: string | null;
  trading_name: string | null;
  business_identifiers: readonly { value: string }[];
  country: string;
}

export function statedInvoiceOf(
  { number, issuedOn, currency, grossMinor, seller, buyer }: EInvoice,
  parties: { merchant: NamedParty; buyer: NamedParty },
): StatedInvoice {
  return {
    ...{ number, currency, gross: grossMinor, issued_on: issuedOn },
    names_merchant: isSameParty(seller, parties.merchant),
    names_buyer: isSameParty(buyer, parties.buyer),
  };
}

/** Compares by a common identifier or a common name: registries spell names in several ways, and files state one of several identifiers. */
function isSameParty(stated: StatedParty, party: NamedParty): boolean {
  const known = party.business_identifiers.map(({ value }) => value.replaceAll(/\s/g, '').toUpperCase());
  if (stated.identifiers.some((identifier) => known.includes(identifier))) return true;
  const { legal_name, trading_name, country } = party;
  const names = [legal_name, trading_name].filter((name) => name !== null);
  const [first, ...other_names] = names;
  if (first === undefined) return false;
  const company = { legal_name: first, trading_name: null, other_names, country };
  return stated.names.some((name) => isNamed(company, name));
}

/** The differences between the file and the invoice, in words; empty if they agree. An invoice without a number accepts any number. */
export function statedDifferences(
  stated: StatedInvoice,
  invoice: Pick<InvoiceColumns, 'invoice_number' | 'invoiced_at' | 'currency' | 'amount_gross'>,
  timeZone: string,
): string[] {
  const differs = {
    'the number': invoice.invoice_number !== null && invoice.invoice_number.trim() !== stated.number.trim(),
    'the date': localDayOf(invoice.invoiced_at, timeZone) !== stated.issued_on,
    'the currency': invoice.currency !== stated.currency,
    'the gross amount': invoice.amount_gross !== stated.gross,
    'the merchant': !stated.names_merchant,
    'the buyer': !stated.names_buyer,
  };
  return Object.entries(differs).flatMap(([name, isOther]) => (isOther ? [name] : []));
}
