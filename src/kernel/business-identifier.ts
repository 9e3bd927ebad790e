import { type Static, Type } from 'typebox';
import { CountrySchema, closed, line, named, oneOf } from './fields.ts';

/** The AGENCY types identify a buyer at six different credit-reporting agencies. */
export const BUSINESS_IDENTIFIER_TYPES = [
  'VAT_ID',
  'TAX_ID',
  'REGISTER_ID',
  'AGENCY1_ID',
  'AGENCY2_ID',
  'AGENCY3_ID',
  'AGENCY4_ID',
  'AGENCY5_ID',
  'AGENCY6_ID',
] as const;

const IdentifierTypeSchema = named('BusinessIdentifierType', oneOf(BUSINESS_IDENTIFIER_TYPES));

export const BusinessIdentifierInput = Type.Object(
  { type: IdentifierTypeSchema, value: line(48), country: CountrySchema },
  {
    additionalProperties: false,
    title: 'BusinessIdentifierInput',
    'x-vat-id-format': true,
    'x-register-id-format': true,
    description:
      'A VAT_ID must have the format and check digit of its country, and a REGISTER_ID the format of its country, if it is known.',
  },
);

export const BusinessIdentifier = closed(
  { type: IdentifierTypeSchema, value: Type.String(), country: CountrySchema },
  'BusinessIdentifier',
);
export type BusinessIdentifier = Static<typeof BusinessIdentifier>;

/** A company has a handful of identifiers in each country in which it trades. The limit keeps a buyer's row small. */
export const BUSINESS_IDENTIFIERS_MAX = 100;

export const BusinessIdentifiers = Type.Array(BusinessIdentifierInput, {
  maxItems: BUSINESS_IDENTIFIERS_MAX,
});
