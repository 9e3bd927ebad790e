import { type Static, Type } from 'typebox';
import { Address, AddressInput, BusinessAddressInput } from '#kernel/address';
import { BusinessIdentifier, BusinessIdentifiers } from '#kernel/business-identifier';
import {
  CustomDataSchema,
  closed,
  EmailSchema,
  externalId,
  FormalitySchema,
  LanguageSchema,
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
  contact_email: optional({
    ...EmailSchema,
    description: 'Receives the checkout link and the one-time code',
  }),
};

export const BuyerParams = closed({ external_id: externalId('The buyer') });

/** GET /v1/buyers/search is the search, so a buyer with that external_id could not be retrieved. */
const newExternalId = Type.Unsafe<string>({
  ...externalId('Chosen by the platform; not `search`'),
  not: { const: 'search' },
});

/** The identifiers by which the registry finds a company. */
export const REGISTRY_IDENTIFIER_TYPES = ['VAT_ID', 'REGISTER_ID'] as const;

/** The fields that a buyer must have. Those that a request omits can come from the registry. */
export const REQUIRED_FIELDS = ['legal_name', 'legal_form', 'business_address'] as const;

export const BuyerCreation = Type.Object(
  {
    external_id: newExternalId,
    ...settable,
    legal_name: Type.Optional(settable.legal_name),
    legal_form: Type.Optional(settable.legal_form),
    business_address: Type.Optional(settable.business_address),
    business_identifiers: Type.Optional(BusinessIdentifiers),
  },
  {
    title: 'BuyerCreation',
    description:
      'legal_name, legal_form and business_address may be omitted with a VAT_ID or REGISTER_ID that the registry knows, ' +
      'or with a contact_email.',
    additionalProperties: false,
    if: {
      anyOf: [
        { required: ['contact_email'], properties: { contact_email: { type: 'string' } } },
        {
          required: ['business_identifiers'],
          properties: {
            business_identifiers: {
              type: 'array',
              items: {},
              minItems: 1,
              contains: {
                type: 'object',
                required: ['type'],
                properties: { type: { enum: REGISTRY_IDENTIFIER_TYPES } },
              },
            },
          },
        },
      ],
    },
    else: {
      required: REQUIRED_FIELDS,
      properties: Object.fromEntries(REQUIRED_FIELDS.map((name) => [name, {}])),
    },
  },
);

/** The fields that a buyer can take from the registry, with the validation of requests. */
export const RegistryFactsSchema = closed({
  legal_name: settable.legal_name,
  legal_form: settable.legal_form,
  trading_name: settable.trading_name,
  incorporated_at: settable.incorporated_at,
  business_address: settable.business_address,
  business_identifiers: BusinessIdentifiers,
});
export type RegistryField = keyof Static<typeof RegistryFactsSchema>;
export const REGISTRY_FIELDS = Object.keys(RegistryFactsSchema.properties) as RegistryField[];

const BuyerRegistry = closed(
  {
    registry: Type.String({ description: 'Short name of the registry: `GLEIF`, `COMPANIES_HOUSE`, …' }),
    business_id: Type.String({ description: 'The `id` in the business search' }),
    is_active: Type.Boolean({ description: 'False if the company is dissolved' }),
    fields: Type.Array(named('RegistryField', oneOf(REGISTRY_FIELDS)), {
      description:
        'Fields whose value came from the registry. They follow the registry until a PUT changes them',
    }),
    refreshed_at: unixSeconds('When the entry with these values was read'),
  },
  'BuyerRegistry',
);
type BuyerRegistry = Static<typeof BuyerRegistry>;

/** The link as stored, with the identifiers that came from the registry. Responses do not show these. */
export interface RegistryLink extends BuyerRegistry {
  identifiers: BusinessIdentifier[];
}

export const BuyerExpansion = named('BuyerExpansion', oneOf(['contacts']));

export const Buyer = closed(
  {
    external_id: externalId('Unique buyer identifier'),
    created_at: unixSeconds('When the buyer was registered'),
    updated_at: unixSeconds('When the buyer last changed'),
    max_days_past_due: nullable(
      Type.Integer({ description: "Days past due of the buyer's oldest DUE invoice; null if there is none" }),
    ),
    legal_name: nullable(Type.String({ description: 'Null while the buyer is only invited' })),
    legal_form: nullable(LegalFormSchema),
    trading_name: nullable(Type.String()),
    registered_at: nullable(unixSeconds('When the buyer signed up on the integrating platform')),
    incorporated_at: nullable(unixSeconds('When the business was registered or started')),
    business_identifiers: Type.Array(BusinessIdentifier),
    business_address: nullable(Address),
    delivery_address: nullable(Address),
    custom_data: nullable(CustomDataSchema),
    contact_email: nullable(Type.String({ description: 'Receives the checkout link and the one-time code' })),
    registry: nullable(BuyerRegistry),
    contacts: Type.Optional(Type.Array(Contact, { description: 'Only with expand=contacts' })),
  },
  'Buyer',
);
export type Buyer = Static<typeof Buyer>;

/** The identifiers are required here: omitting them from a full replacement would silently clear them. */
const replaceable = {
  ...settable,
  business_identifiers: BusinessIdentifiers,
  contact_email: optional({ ...EmailSchema, description: 'Kept if omitted; null clears it' }),
};

/** A buyer whose company is known. */
export const CompleteBuyer = closed(replaceable);

export const BuyerReplacement = replacementOf(replaceable, Buyer, 'BuyerReplacement');

export const BuyerSettings = closed(
  {
    language: nullable(LanguageSchema),
    formality: nullable(FormalitySchema),
  },
  'BuyerSettings',
);

/** The replaced settings. An omitted field is cleared, like null. */
export const BuyerSettingsReplacement = closed(
  { language: optional(LanguageSchema), formality: optional(FormalitySchema) },
  'BuyerSettingsReplacement',
);
