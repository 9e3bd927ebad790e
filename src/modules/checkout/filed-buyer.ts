/** What is on file of the buyer of an order, as the checkout speaks of it. */
import type { Db } from '#infra/database';
import type { PlatformVault } from '#infra/vault';
import type { Address } from '#kernel/address';
import type { Formality, Language } from '#kernel/language';
import { type BuyerRow, findBuyer, findContactEmails } from '#modules/buyers';
import type { CompanyEntry, PersonEntry } from './checkout.view.ts';

export interface FiledBuyer {
  /** Null of a buyer that is only invited. */
  company: CompanyEntry | null;
  address: Address | null;
  email: string | null;
  person: PersonEntry | null;
  /** Where the buyer has things sent, if it is not to the company. */
  deliveryAddress: Address | null;
  language: Language | null;
  formality: Formality | null;
}

export async function findFiledBuyer(
  db: Db,
  vault: PlatformVault,
  key: { platformId: number; externalId: string },
): Promise<FiledBuyer> {
  const buyer = (await findBuyer(db, key)) as BuyerRow;
  const [email] = await findContactEmails(db, vault, {
    platformId: key.platformId,
    buyerExternalId: key.externalId,
  });
  return {
    company: companyOf(buyer),
    address: buyer.business_address as Address | null,
    email: email ?? null,
    person: null,
    deliveryAddress: buyer.delivery_address as Address | null,
    language: buyer.language as Language | null,
    formality: buyer.formality as Formality | null,
  };
}

function companyOf(buyer: BuyerRow): CompanyEntry | null {
  if (buyer.legal_name === null || buyer.legal_form === null || buyer.business_address === null) return null;
  const address = buyer.business_address as Address;
  const numberOf = (type: string) =>
    (buyer.business_identifiers as { type: string; value: string }[]).find((each) => each.type === type)
      ?.value ?? '';
  return {
    legalName: buyer.legal_name,
    legalForm: buyer.legal_form as CompanyEntry['legalForm'],
    tradingName: buyer.trading_name ?? '',
    country: address.country ?? '',
    street: address.street ?? '',
    house: address.house ?? '',
    additional: address.additional ?? '',
    postcode: address.postcode ?? '',
    city: address.city ?? '',
    vatId: numberOf('VAT_ID'),
    registerId: numberOf('REGISTER_ID'),
    businessId: buyer.registry?.business_id ?? null,
  };
}
