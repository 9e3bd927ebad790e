import { type Static, Type } from 'typebox';
import { Address, BusinessAddressInput } from '#kernel/address';
import { BusinessIdentifier, BusinessIdentifiers } from '#kernel/business-identifier';
import {
  closed,
  EmailSchema,
  externalId,
  LegalFormSchema,
  line,
  looseLine,
  named,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { replacementOf } from '#operation/read-only';
import { merchantLifecycle } from './merchant.lifecycle.ts';

const settable = {
  legal_name: line(255, 'Full legal name including legal form if applicable'),
  legal_form: LegalFormSchema,
  trading_name: optional(looseLine(255, 'When empty, the legal_name is used')),
  business_identifiers: Type.Optional(BusinessIdentifiers),
  business_address: BusinessAddressInput,
  contact_emails: Type.Optional(Type.Array(EmailSchema, { maxItems: 20 })),
};

export const MerchantParams = closed({ external_id: externalId('The merchant') });

export const MerchantCreation = closed(
  { external_id: externalId('Chosen by the platform'), ...settable },
  'MerchantCreation',
);

/** Why an operator activates or deactivates a merchant. */
export const EnrollmentChange = closed(
  { reason: line(1000, 'The reason, for the history') },
  'EnrollmentChange',
);

export const MerchantStatusSchema = named('MerchantStatus', oneOf(merchantLifecycle.states));

export const Merchant = closed(
  {
    external_id: externalId('Unique merchant identifier'),
    status: MerchantStatusSchema,
    created_at: unixSeconds('When the merchant was registered'),
    updated_at: unixSeconds('When the merchant last changed'),
    legal_name: Type.String(),
    legal_form: LegalFormSchema,
    trading_name: nullable(Type.String()),
    business_identifiers: Type.Array(BusinessIdentifier),
    business_address: Address,
    contact_emails: Type.Array(Type.String()),
  },
  'Merchant',
);
export type Merchant = Static<typeof Merchant>;

export const MerchantReplacement = replacementOf(settable, Merchant, 'MerchantReplacement');
export type MerchantReplacement = Static<typeof MerchantReplacement>;
