/** The recipients of a mailing: the same as of any other mail about its invoices. */
import type { InvoiceRow } from '#modules/invoices';
import { type Addressees, findAddresseesOfAll } from '#modules/notifications';
import { findInvoiceEmails } from '#modules/orders';
import type { LookContext } from './look-context.ts';

/**
 * The addressees of each mailing, which is about the given invoices of one buyer. Returns in the order of the mailings. An entry has no
 * recipients if no address is left.
 */
export async function findRecipients(
  { db, platform, vault }: Pick<LookContext, 'db' | 'platform' | 'vault'>,
  mailings: readonly (readonly InvoiceRow[])[],
): Promise<Addressees[]> {
  const orderIds = [...new Set(mailings.flat().flatMap(({ order_external_ids }) => order_external_ids))];
  const keys = orderIds.map((externalId) => ({ platformId: platform.platform_id, externalId }));
  const emails = await findInvoiceEmails(db, vault, keys);
  const emailOf = new Map(orderIds.map((id, nth) => [id, emails[nth] ?? null]));
  const addressees = await findAddresseesOfAll(
    { reads: db, platform, vault },
    mailings.map((invoices) => {
      const [{ buyer_external_id: buyerExternalId }] = invoices as [InvoiceRow];
      const named = new Set(invoices.flatMap(({ order_external_ids }) => order_external_ids));
      return {
        buyerExternalId,
        orderEmails: [...named].map((id) => emailOf.get(id) ?? null),
        contactExternalIds: invoices.map(({ contact_external_id }) => contact_external_id),
      };
    }),
  );
  return addressees as Addressees[];
}
