/** A company from our own register; where it has none, from the live ones, whose answer is then our own. */
import type { Context } from '#operation/operation';
import { type CompanyRow, findCompaniesByIdentifier } from './company.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { readName } from './name.rules.ts';
import { type Hits, type NameSearch, searchByName } from './search-by-name.ts';
import { identifierKey } from './search-keys.rules.ts';

/** No transaction may be open: `db` is the database itself. */
type QueryContext = Pick<Context, 'db' | 'registries'>;

export interface IdentifierSearch {
  country: string;
  type: 'VAT_ID' | 'REGISTER_ID';
  /** As somebody wrote it: spaces, dots, case and the country's prefix mean nothing. */
  value: string;
}

/** A number that so many companies share tells nothing about any of them. */
const SAME_IDENTIFIER_MAX = 200;

/**
 * All companies that have it, existing ones first. Throws REGISTRY_UNAVAILABLE where there is none and no register
 * that could know it answers.
 */
export async function findOrQueryByIdentifier(
  { db, registries }: QueryContext,
  search: IdentifierSearch,
): Promise<CompanyRow[]> {
  const { country, type, value } = search;
  const key = identifierKeyOf(search);
  const find = () => findCompaniesByIdentifier(db, identifierKey(search, key), SAME_IDENTIFIER_MAX);
  const known = await find();
  if (known.length > 0 || key === '') return known;
  return (await registries.lookUp({ country, type, value })) ? find() : known;
}

/** The best ones. Throws REGISTRY_UNAVAILABLE as above. */
export async function findOrQueryByName({ db, registries }: QueryContext, search: NameSearch): Promise<Hits> {
  const { country, name } = search;
  const known = await searchByName(db, search);
  // A name without a letter or digit is nobody's.
  if (known.total > 0 || readName(name, country).words.length === 0) return known;
  return (await registries.lookUp({ country, name })) ? searchByName(db, search) : known;
}
