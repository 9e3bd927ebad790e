/** Reads what decides about a service. Under the locks of the facility and the invoice, what is read of these stays. */
import { hasActiveMandate } from '#modules/buyers';
import { findStanding } from '#modules/facilities';
import { hasInvoiceFileOfKind, type InvoiceRow } from '#modules/invoices';
import { findMerchant, type MerchantRow } from '#modules/merchants';
import { hasVerifiedInstruction } from '#modules/payees';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { ServiceType } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import type { ServiceFacts } from './requirements.rules.ts';
import { findServiceFees } from './service-fee.queries.ts';
import type { FeePayer } from './service-fee.rules.ts';

export type Reading = Pick<ChangeContext, 'db' | 'platformId' | 'now'>;

export async function readServiceFacts(
  { db, platformId, now }: Reading,
  type: ServiceType,
  invoice: InvoiceRow,
): Promise<ServiceFacts> {
  const { buyer_external_id: buyerExternalId, merchant_external_id: merchantExternalId } = invoice;
  const merchant = (await findMerchant(db, { platformId, externalId: merchantExternalId })) as MerchantRow;
  const standing = await findStanding(db, { platformId, buyerExternalId, at: now });
  return {
    type,
    invoice,
    platform: (await findPlatform(db, platformId)) as PlatformRow,
    merchant: { ...feePayerOf(merchant), status: merchant.status },
    facility: standing.facility,
    tolerancePercent: standing.limitPolicy.tolerancePercent,
    hasVerifiedAccount: await hasVerifiedInstruction(db, platformId, merchantExternalId),
    hasActiveMandate: await hasActiveMandate(db, { platformId, externalId: buyerExternalId }),
    hasInvoiceFile: await hasInvoiceFileOfKind(
      db,
      { platformId, externalId: invoice.external_id },
      'INVOICE',
    ),
    fees: await findServiceFees(db, platformId, now),
    now,
  };
}

/** A merchant as far as its fees depend on it. */
export function feePayerOf({ external_id, business_address, business_identifiers }: MerchantRow): FeePayer {
  const identifiers = business_identifiers as { type: string }[];
  return {
    merchantExternalId: external_id,
    country: (business_address as { country: string }).country,
    hasVatId: identifiers.some(({ type }) => type === 'VAT_ID'),
  };
}
