/** Reads the facts that decide about a service. While the facility and the invoice are locked, the facts about these do not change. */
import { haveActiveMandates } from '#modules/buyers';
import { findStandings, type Standing } from '#modules/facilities';
import { type InvoiceRow, listLastFiles } from '#modules/invoices';
import { findMerchants, type MerchantRow } from '#modules/merchants';
import { findVerifiedPayees } from '#modules/payees';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { ServiceType } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import type { ServiceFacts } from './requirements.rules.ts';
import { findServiceFees } from './service-fee.queries.ts';
import type { FeePayer } from './service-fee.rules.ts';

export type Reading = Pick<ChangeContext, 'db' | 'platformId' | 'now'>;

/** A service that is to be examined for one invoice. */
export interface ServiceQuestion {
  type: ServiceType;
  invoice: InvoiceRow;
  /** The file with which a person accepted the financing. */
  approvedFileId: string | null;
}

/** Returns the facts in the order of the questions, with one statement of each kind for all of them. */
export async function readServiceFacts(
  { db, platformId, now }: Reading,
  questions: readonly ServiceQuestion[],
): Promise<ServiceFacts[]> {
  const idsBy = (idOf: (invoice: InvoiceRow) => string) => [
    ...new Set(questions.map(({ invoice }) => idOf(invoice))),
  ];
  const merchantIds = idsBy((invoice) => invoice.merchant_external_id);
  const buyerIds = idsBy((invoice) => invoice.buyer_external_id);
  const invoiceIds = idsBy((invoice) => invoice.external_id);
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const merchants = await findMerchants(
    db,
    merchantIds.map((externalId) => ({ platformId, externalId })),
  );
  const standings = await findStandings(
    db,
    buyerIds.map((buyerExternalId) => ({ platformId, buyerExternalId, at: now })),
  );
  const mandates = await haveActiveMandates(
    db,
    buyerIds.map((externalId) => ({ platformId, externalId })),
  );
  const verifiedPayees = await findVerifiedPayees(db, platformId, merchantIds);
  const files = await listLastFiles(db, platformId, invoiceIds, 'INVOICE');
  const fileOf = new Map(files.map((file) => [file.invoice_external_id, file]));
  const fees = await findServiceFees(db, platform, now);
  return questions.map(({ type, invoice, approvedFileId }) => {
    const { buyer_external_id: buyerId, merchant_external_id: merchantId } = invoice;
    const merchant = merchants[merchantIds.indexOf(merchantId)] as MerchantRow;
    const { facility, limitPolicy } = standings[buyerIds.indexOf(buyerId)] as Standing;
    return {
      type,
      invoice,
      platform,
      merchant: { ...feePayerOf(merchant), status: merchant.status },
      facility,
      tolerancePercent: limitPolicy.tolerancePercent,
      hasVerifiedAccount: verifiedPayees.has(merchantId),
      hasActiveMandate: mandates[buyerIds.indexOf(buyerId)] === true,
      approvedFileId,
      invoiceFile: fileOf.get(invoice.external_id) ?? null,
      fees,
      now,
    };
  });
}

/** The properties of a merchant on which its fees depend. */
export function feePayerOf({ external_id, business_address, business_identifiers }: MerchantRow): FeePayer {
  const identifiers = business_identifiers as { type: string }[];
  return {
    merchantExternalId: external_id,
    country: (business_address as { country: string }).country,
    hasVatId: identifiers.some(({ type }) => type === 'VAT_ID'),
  };
}
