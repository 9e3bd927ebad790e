import { type Static, Type } from 'typebox';
import { Address, AddressInput, BusinessAddressInput } from '#kernel/address';
import { BusinessIdentifier, BusinessIdentifiers } from '#kernel/business-identifier';
import {
  CustomDataSchema,
  closed,
  externalId,
  FormalitySchema,
  LanguageSchema,
  LegalFormSchema,
  line,
  looseLine,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { Contact } from './contact.schemas.ts';

const settable = {
  legal_name: line(255, 'Full legal name including legal form if applicable'),
  legal_form: LegalFormSchema,
  trading_name: optional(looseLine(255, 'When empty, the legal_name is used')),
  registered_at: optional(unixSeconds('When the buyer signed up on the integrating platform')),
  incorporated_at: optional(unixSeconds('When the business was registered or started')),
  business_address: BusinessAddressInput,
  delivery_address: optional(AddressInput),
  custom_data: optional(CustomDataSchema),
};

export const BuyerParams = closed({ external_id: externalId('The buyer') });

/** GET /v1/buyers/search is the search: a buyer of that name could be registered, and then never be read. */
const newExternalId = Type.Unsafe<string>({
  ...externalId('Chosen by the platform; not `search`'),
  not: { const: 'search' },
});

export const BuyerCreation = closed(
  {
    external_id: newExternalId,
    ...settable,
    business_identifiers: Type.Optional(BusinessIdentifiers),
  },
  'BuyerCreation',
);

/** Required here though not on creation: leaving the identifiers out of a full replacement would silently clear them. */
export const BuyerReplacement = closed(
  { ...settable, business_identifiers: BusinessIdentifiers },
  'BuyerReplacement',
);

export const BuyerExpansion = oneOf(['contacts']);

export const Buyer = closed(
  {
    external_id: externalId('Unique buyer identifier'),
    created_at: unixSeconds('When the buyer was registered'),
    updated_at: unixSeconds('When anything of it changed last'),
    max_days_past_due: nullable(
      Type.Integer({ description: "Most days past due among the buyer's DUE invoices; null when none is" }),
    ),
    legal_name: Type.String(),
    legal_form: LegalFormSchema,
    trading_name: nullable(Type.String()),
    registered_at: nullable(unixSeconds('When the buyer signed up on the integrating platform')),
    incorporated_at: nullable(unixSeconds('When the business was registered or started')),
    business_identifiers: Type.Array(BusinessIdentifier),
    business_address: Address,
    delivery_address: nullable(Address),
    custom_data: nullable(CustomDataSchema),
    contacts: Type.Optional(Type.Array(Contact, { description: 'Only with expand=contacts' })),
  },
  'Buyer',
);
export type Buyer = Static<typeof Buyer>;

export const BuyerSettings = closed(
  {
    language: nullable(LanguageSchema),
    formality: nullable(FormalitySchema),
  },
  'BuyerSettings',
);

/** Left out is cleared, as null is. */
export const BuyerSettingsReplacement = closed(
  { language: optional(LanguageSchema), formality: optional(FormalitySchema) },
  'BuyerSettingsReplacement',
);
