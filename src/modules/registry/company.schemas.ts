import { type Static, Type } from 'typebox';
import { Address } from '#kernel/address';
import { BusinessIdentifier } from '#kernel/business-identifier';
import { CountrySchema, closed, line, looseLine, named, nullable, oneOf, unixSeconds } from '#kernel/fields';

const SEARCH_LIMIT_MAX = 100;
export const SEARCH_LIMIT_DEFAULT = 10;

/** The parameters of each search type. Parameters of the other type are refused, because they would have no effect. */
const OF_IDENTIFIER = ['identifier_type', 'identifier_value'] as const;
const OF_NAME = ['name'] as const;
const OF_LOCALITY = ['street', 'city', 'postcode'] as const;

const ofType = (type: string, required: readonly string[], refused: readonly string[]) => ({
  if: { required: ['search_type'], properties: { search_type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema that follows `if`.
  then: { required, properties: Object.fromEntries(refused.map((name) => [name, false])) },
});

export const BusinessSearch = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SEARCH_LIMIT_MAX,
        default: SEARCH_LIMIT_DEFAULT,
        description: 'Maximum number of companies',
      }),
    ),
    search_type: named('BusinessSearchType', oneOf(['identifier', 'name_address'], 'What to search by')),
    country: CountrySchema,
    identifier_type: Type.Optional(
      named('SearchIdentifierType', oneOf(['VAT_ID', 'REGISTER_ID'], 'Required for an identifier search')),
    ),
    identifier_value: Type.Optional(
      line(48, "Required for an identifier search. Spaces, dots, case and the country's prefix are ignored"),
    ),
    name: Type.Optional(
      line(
        255,
        'Required for a name search. Tolerates a typing error in each word, missing accents, another order of words, a missing or different legal form, and an unfinished last word',
      ),
    ),
    street: Type.Optional(looseLine(140, 'For a name search; with or without house number')),
    city: Type.Optional(looseLine(100, 'For a name search')),
    postcode: Type.Optional(looseLine(16, 'For a name search')),
  },
  {
    additionalProperties: false,
    allOf: [
      ofType('identifier', OF_IDENTIFIER, [...OF_NAME, ...OF_LOCALITY]),
      ofType('name_address', OF_NAME, OF_IDENTIFIER),
    ],
  },
);

/** A company of the registry. */
export const Business = closed(
  {
    id: Type.String({ description: 'The registry and the key of the company in it; stable' }),
    legal_name: Type.String(),
    trading_name: nullable(Type.String()),
    legal_form: nullable(Type.String({ description: 'As the registry writes it' })),
    business_address: Address,
    business_identifiers: Type.Array(BusinessIdentifier),
    incorporated_at: nullable(unixSeconds('Null if unknown or before 1970')),
    website: nullable(Type.String()),
  },
  'Business',
);
export type Business = Static<typeof Business>;

export const BusinessSearchResult = closed(
  {
    items: Type.Array(Business),
    limit: Type.Integer(),
    total: Type.Integer({
      description: 'Number of matching companies. A name search counts only the best few hundred',
    }),
  },
  'BusinessSearchResult',
);
