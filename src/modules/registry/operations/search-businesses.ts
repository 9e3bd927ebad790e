import { operation } from '#operation/operation';
import { toBusiness } from '../company.rules.ts';
import { BusinessSearch, BusinessSearchResult, SEARCH_LIMIT_DEFAULT } from '../company.schemas.ts';
import { findOrQueryByIdentifier, findOrQueryByName } from '../find-or-query.ts';

export const searchBusinesses = operation({
  id: 'searchBusinesses',
  summary: 'Search the business registry',
  description:
    'Finds companies of a country by identifier or by name, best match first. Existing companies come before dissolved ones. The list is empty if nothing is found: not every country has its registry here. Live registries, if configured, are queried for unknown companies, which are then stored.',
  tag: 'Registry',
  scope: 'read',
  effect: 'read',
  rateLimit: 'search',
  query: BusinessSearch,
  status: 200,
  response: BusinessSearchResult,
  problems: ['REGISTRY_UNAVAILABLE'],
  example: { query: { search_type: 'name_address', country: 'DE', name: 'Cafe Morgenrot', city: 'Berlin' } },
  async run(context, { query }) {
    const {
      country,
      limit = SEARCH_LIMIT_DEFAULT,
      name,
      identifier_type: type,
      identifier_value: value,
    } = query;
    if (type !== undefined && value !== undefined) {
      const rows = await findOrQueryByIdentifier(context, { country, type, value });
      return { body: { items: rows.slice(0, limit).map(toBusiness), limit, total: rows.length } };
    }
    const { companies, total } = await findOrQueryByName(context, { ...query, name: name ?? '', limit });
    return { body: { items: companies.map(toBusiness), limit, total } };
  },
});
