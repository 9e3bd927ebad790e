/** Who gets a mailing: as of any other mail about these invoices. */
import type { InvoiceRow } from '#modules/invoices';
import { type Addressees, findAddressees } from '#modules/notifications';
import { findInvoiceEmails } from '#modules/orders';
import type { LookContext } from './look-context.ts';

/** The addressees of a mailing about these invoices of one buyer. Without recipients where no address is left. */
export async function findRecipients(
  { db, platform, vault }: Pick<LookContext, 'db' | 'platform' | 'vault'>,
  invoices: readonly InvoiceRow[],
): Promise<Addressees> {
  const [{ buyer_external_id: buyerExternalId }] = invoices as [InvoiceRow];
  const named = new Set(invoices.flatMap(({ order_external_ids }) => order_external_ids));
  const keys = [...named].map((externalId) => ({ platformId: platform.platform_id, externalId }));
  const addressees = await findAddressees(
    { reads: db, platform, vault },
    {
      buyerExternalId,
      orderEmails: await findInvoiceEmails(db, vault, keys),
      contactExternalIds: invoices.map(({ contact_external_id }) => contact_external_id),
    },
  );
  return addressees as Addressees;
}
