import type { Static } from 'typebox';
import { type Address, readAddress } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import { refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import type { Buyer, BuyerReplacement } from './buyer.schemas.ts';

/** What is known of every buyer but one that is only invited. */
export interface CompanyKnown {
  legal_name: string;
  legal_form: LegalForm;
  business_address: Address;
}

/** The fields a platform sets. */
export type BuyerData = Omit<
  Buyer,
  'external_id' | 'created_at' | 'updated_at' | 'max_days_past_due' | 'registry' | 'contacts'
> & {
  business_identifiers: BusinessIdentifier[];
};

/** Everything a buyer must have, in whatever request. */
export type WholeBuyer = Omit<Static<typeof BuyerReplacement>, 'business_identifiers'> & {
  business_identifiers?: BusinessIdentifier[];
};

/** What nobody can do whose company is not known yet. */
export function buyerIncomplete() {
  return refusal('BUYER_INCOMPLETE', 'The company of the buyer is not known yet: it is only invited');
}

/** What a request tells of a buyer, the company too where it is known. */
export type BuyerInput = Omit<WholeBuyer, keyof CompanyKnown> & Partial<Pick<WholeBuyer, keyof CompanyKnown>>;

/** The buyer a request describes, every field present: what was left out is empty. */
export function readBuyer(body: BuyerInput): BuyerData {
  return {
    legal_name: body.legal_name ?? null,
    legal_form: body.legal_form ?? null,
    trading_name: blankToNull(body.trading_name),
    registered_at: body.registered_at ?? null,
    incorporated_at: body.incorporated_at ?? null,
    business_identifiers: body.business_identifiers ?? [],
    business_address: readAddress(body.business_address),
    delivery_address: readAddress(body.delivery_address),
    custom_data: body.custom_data ?? null,
    contact_email: body.contact_email ?? null,
  };
}
