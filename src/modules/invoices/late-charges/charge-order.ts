import { findPlatform, type LateChargeOrder, type PlatformRow } from '#modules/platforms';
import type { InvoiceRow } from '../invoice.queries.ts';
import type { SettlingPlatform } from '../invoice-settlement.ts';

/** What money for these invoices settles first. The platform is read only if one of the invoices has late charges. */
export async function findChargeOrder(
  { db, platformId }: SettlingPlatform,
  invoices: readonly InvoiceRow[],
): Promise<LateChargeOrder> {
  if (invoices.every(({ late_charges }) => late_charges.outstanding === 0)) return 'PRINCIPAL_FIRST';
  return ((await findPlatform(db, platformId)) as PlatformRow).late_charge_order as LateChargeOrder;
}
