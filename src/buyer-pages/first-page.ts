import type { PageAccount } from '#modules/buyer-page';

/** The page to which the link leads. */
export function firstPageOf({ invoiceExternalId }: PageAccount): string {
  return invoiceExternalId === null ? 'invoices' : `invoices/${encodeURIComponent(invoiceExternalId)}`;
}
