import type { PageAccount } from '#modules/buyer-page';

/** Where the link leads. */
export function firstPageOf({ invoiceExternalId }: PageAccount): string {
  return invoiceExternalId === null ? 'invoices' : `invoices/${encodeURIComponent(invoiceExternalId)}`;
}
