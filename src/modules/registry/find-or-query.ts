/** Finds companies in the stored registry, else queries live registries and stores their answers. */
import type { Context } from '#operation/operation';
import { type CompanyRow, findCompaniesByIdentifier } from './company.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { readName } from './name.rules.ts';
import { type Hits, type NameSearch, searchByName } from './search-by-name.ts';
import { identifierKey } from './search-keys.rules.ts';

/** `db` is the database itself: no transaction may be open. */
type QueryContext = Pick<Context, 'db' | 'registries'>;

export interface IdentifierSearch {
  country: string;
  type: 'VAT_ID' | 'REGISTER_ID';
  /** Spaces, dots, case and the country's prefix are ignored. */
  value: string;
}

/** An identifier that more companies share identifies none of them. */
const SAME_IDENTIFIER_MAX = 200;

/**
 * All companies with the identifier, existing ones first. Throws REGISTRY_UNAVAILABLE if none is stored and no live
 * registry answers.
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

/** The best matches. Throws REGISTRY_UNAVAILABLE if none is stored and no live registry answers. */
export async function findOrQueryByName({ db, registries }: QueryContext, search: NameSearch): Promise<Hits> {
  const { country, name } = search;
  const known = await searchByName(db, search);
  // Every company has a name with a letter or digit.
  if (known.total > 0 || readName(name, country).words.length === 0) return known;
  return (await registries.lookUp({ country, name })) ? searchByName(db, search) : known;
}
