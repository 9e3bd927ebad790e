import { operation } from '#http/operation';
import { findCompaniesByIdentifier } from '../company.queries.ts';
import { toBusiness } from '../company.rules.ts';
import { BusinessSearch, BusinessSearchResult, SEARCH_LIMIT_DEFAULT } from '../company.schemas.ts';
import { keyOf } from '../identifier.rules.ts';
import { searchByName } from '../search-by-name.ts';
import { identifierKey } from '../search-keys.rules.ts';

/** A number that so many companies share tells nothing about any of them. */
const SAME_IDENTIFIER_MAX = 200;

export const searchBusinesses = operation({
  id: 'searchBusinesses',
  summary: 'Search the business registry',
  description:
    'Finds companies of a country by identifier or by name, the best first. Nothing found is an empty list: not every country has its register here. Existing companies come before dissolved ones.',
  tag: 'Registry',
  scope: 'read',
  effect: 'read',
  query: BusinessSearch,
  status: 200,
  response: BusinessSearchResult,
  problems: [],
  example: { query: { search_type: 'name_address', country: 'DE', name: 'Cafe Morgenrot', city: 'Berlin' } },
  async run({ db }, { query }) {
    const {
      country,
      limit = SEARCH_LIMIT_DEFAULT,
      name,
      identifier_type: type,
      identifier_value: value,
    } = query;
    if (type !== undefined && value !== undefined) {
      const key = identifierKey({ type, country }, keyOf({ type, value, country }));
      const rows = await findCompaniesByIdentifier(db, key, SAME_IDENTIFIER_MAX);
      return { body: { items: rows.slice(0, limit).map(toBusiness), limit, total: rows.length } };
    }
    const { companies, total } = await searchByName(db, { ...query, name: name ?? '', limit });
    return { body: { items: companies.map(toBusiness), limit, total } };
  },
});
