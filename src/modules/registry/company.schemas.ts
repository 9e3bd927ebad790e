import { type Static, Type } from 'typebox';
import { Address } from '#kernel/address';
import { BusinessIdentifier } from '#kernel/business-identifier';
import { CountrySchema, closed, line, looseLine, named, nullable, oneOf, unixSeconds } from '#kernel/fields';

const SEARCH_LIMIT_MAX = 100;
export const SEARCH_LIMIT_DEFAULT = 10;

/** What each search type needs, and what it may have. Those of the other type are refused: nobody would look at them. */
const OF_IDENTIFIER = ['identifier_type', 'identifier_value'] as const;
const OF_NAME = ['name'] as const;
const OF_LOCALITY = ['street', 'city', 'postcode'] as const;

const ofType = (type: string, required: readonly string[], refused: readonly string[]) => ({
  if: { required: ['search_type'], properties: { search_type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema for what follows from `if`.
  then: { required, properties: Object.fromEntries(refused.map((name) => [name, false])) },
});

export const BusinessSearch = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SEARCH_LIMIT_MAX,
        default: SEARCH_LIMIT_DEFAULT,
        description: 'Companies wanted at most',
      }),
    ),
    search_type: named(
      'BusinessSearchType',
      oneOf(['identifier', 'name_address'], 'What is known of the company'),
    ),
    country: CountrySchema,
    identifier_type: Type.Optional(
      named(
        'SearchIdentifierType',
        oneOf(['VAT_ID', 'REGISTER_ID'], 'Required for an identifier search, and only for one'),
      ),
    ),
    identifier_value: Type.Optional(
      line(
        48,
        "Required for an identifier search, and only for one. Spaces, dots, case and the country's prefix mean nothing",
      ),
    ),
    name: Type.Optional(
      line(
        255,
        'Required for a name search, and only for one. Tolerates a typing error in each word, missing accents, another order of words, a missing or another legal form, an unfinished last word',
      ),
    ),
    street: Type.Optional(looseLine(140, 'With or without house number; only for a name search')),
    city: Type.Optional(looseLine(100, 'Only for a name search')),
    postcode: Type.Optional(looseLine(16, 'Only for a name search')),
  },
  {
    additionalProperties: false,
    allOf: [
      ofType('identifier', OF_IDENTIFIER, [...OF_NAME, ...OF_LOCALITY]),
      ofType('name_address', OF_NAME, OF_IDENTIFIER),
    ],
  },
);

/** A company of the register. */
export const Business = closed(
  {
    id: Type.String({ description: 'Register and key in it: the same company has the same id tomorrow' }),
    legal_name: Type.String(),
    trading_name: nullable(Type.String()),
    legal_form: nullable(Type.String({ description: 'As the register words it' })),
    business_address: Address,
    business_identifiers: Type.Array(BusinessIdentifier),
    incorporated_at: nullable(unixSeconds('Null also before 1970, where unix seconds begin')),
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
      description:
        'Companies that answer the search. Of a name that hundreds have, only the best hundreds are counted',
    }),
  },
  'BusinessSearchResult',
);
