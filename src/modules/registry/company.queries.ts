import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { inTransaction } from '#infra/database/transaction';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { DAY_SECONDS } from '#kernel/day';
import type { RegistryEntry } from './registry-entry.ts';
import { type SearchKeys, searchKeysOf } from './search-keys.rules.ts';
import { addWords, keepPendingListsShort } from './vocabulary.queries.ts';

export interface CompanyRow {
  company_id: number;
  registry: string;
  registry_key: string;
  country: string;
  legal_name: string;
  trading_name: string | null;
  other_names: string[];
  legal_form: string | null;
  elf_code: string | null;
  address: Address;
  identifiers: BusinessIdentifier[];
  /** Unix seconds of that day's midnight; negative before 1970. */
  incorporated_at: number | null;
  website: string | null;
  is_active: boolean;
  refreshed_at: number;
}

/** Of `registry_companies c`. */
export const COMPANY_COLUMNS = sql`c.company_id, c.registry, c.registry_key, c.country, c.legal_name, c.trading_name, c.other_names,
  c.legal_form, c.elf_code, c.address, c.identifiers, extract(epoch from c.incorporated_on)::bigint as incorporated_at,
  c.website, c.is_active, c.refreshed_at`;

/** What ranking a company needs, and no more: hundreds of them are read for the ten that are shown. */
export interface Candidate {
  company_id: number;
  legal_name: string;
  /** The words of each name: `cafe morgenrot|morgenrot berlin`. */
  name_words: string;
  is_active: boolean;
  /** Null where nobody asked for a place. */
  address: Pick<Address, 'street' | 'house' | 'postcode' | 'city'> | null;
}

/** Companies that have one key of each set, so many of them at most. */
export interface CandidateQuery {
  keySets: string[][];
  countMax: number;
}

/**
 * More companies at once than a live source ever finds: their words wait for `rebuildVocabulary`, which makes them known
 * in a tenth of the time.
 */
const WORDS_AT_ONCE_MAX = 500;

/**
 * Writes companies over what was known of them, their identifiers included. A few of them are found by name at once;
 * after a batch of more than 500 only once `rebuildVocabulary` has run. `now` in unix seconds.
 */
export async function writeCompanies(db: Db, entries: readonly RegistryEntry[], now: number): Promise<void> {
  const keyed = entries.map((entry) => ({ entry, search: searchKeysOf(entry) }));
  if (keyed.length > WORDS_AT_ONCE_MAX) return writeCompaniesWithoutWords(db, keyed, now);
  const write = async (on: Db) => {
    await keepPendingListsShort(on);
    await writeCompaniesWithoutWords(on, keyed, now);
    await addWords(
      on,
      keyed.flatMap(({ search }) => search.keys),
    );
  };
  if (keyed.length > 0) await (db.isTransaction ? write(db) : inTransaction(db, write));
}

export interface KeyedEntry {
  entry: RegistryEntry;
  search: SearchKeys;
}

/**
 * As `writeCompanies`, but leaves their words to `rebuildVocabulary`, however few they are: two transactions that write
 * different companies never wait for each other.
 */
export async function writeCompaniesWithoutWords(
  db: Db,
  keyed: readonly KeyedEntry[],
  now: number,
): Promise<void> {
  if (keyed.length === 0) return;
  // A file may have a company twice: what comes later is newer.
  const latest = new Map(keyed.map((each) => [`${each.entry.registry} ${each.entry.registryKey}`, each]));
  // Two that write the same companies wait for each other, and never in a circle.
  const inOrder = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  const known = await upsertCompanies(db, inOrder, now);
  if (known.length > 0) await markChanged(db, known);
}

/** Between the items of a list that travels as one text; no name has it. */
const SEPARATOR = '\u001f';

// A list a column: three times as fast as one JSON text for everything; but what is JSON already is sent as one text, which
// neither side then has to quote again. A row that was inserted has no xmax. Answers those that were known before: nobody
// follows a company that is not there yet.
async function upsertCompanies(db: Db, keyed: readonly KeyedEntry[], now: number): Promise<number[]> {
  const column = (read: (each: KeyedEntry) => unknown) => keyed.map(read);
  const json = (read: (entry: RegistryEntry) => unknown) =>
    JSON.stringify(keyed.map(({ entry }) => read(entry)));
  const { rows } = await sql<{ company_id: number }>`
    with written as (
    insert into registry_companies as c (registry, registry_key, country, legal_name, trading_name, other_names,
      legal_form, elf_code, address, identifiers, incorporated_on, website, is_active, name_words, search_keys, refreshed_at)
    select registry, registry_key, country, legal_name, trading_name, string_to_array(other_names, ${SEPARATOR}),
      legal_form, elf_code, address, identifiers, date '1970-01-01' + incorporated_day, website, is_active, name_words,
      string_to_array(search_keys, ' '), ${now}::bigint
    from rows from (
      unnest(
        ${column(({ entry }) => entry.registry)}::text[], ${column(({ entry }) => entry.registryKey)}::text[],
        ${column(({ entry }) => entry.address.country)}::text[], ${column(({ entry }) => entry.legalName)}::text[],
        ${column(({ entry }) => entry.tradingName)}::text[],
        ${column(({ entry }) => entry.otherNames.join(SEPARATOR))}::text[],
        ${column(({ entry }) => entry.legalForm)}::text[], ${column(({ entry }) => entry.elfCode)}::text[],
        ${column(({ entry }) => dayOf(entry.incorporatedAt))}::int[],
        ${column(({ entry }) => entry.website)}::text[], ${column(({ entry }) => entry.isActive)}::boolean[],
        ${column(({ search }) => search.nameWords)}::text[], ${column(({ search }) => search.keys.join(' '))}::text[]),
      jsonb_array_elements(${json(({ address }) => address)}::jsonb),
      jsonb_array_elements(${json(({ identifiers }) => identifiers)}::jsonb)
    ) as e(registry, registry_key, country, legal_name, trading_name, other_names, legal_form, elf_code, incorporated_day,
      website, is_active, name_words, search_keys, address, identifiers)
    on conflict (registry, registry_key) do update set country = excluded.country, legal_name = excluded.legal_name,
      trading_name = excluded.trading_name, other_names = excluded.other_names, legal_form = excluded.legal_form,
      elf_code = excluded.elf_code, address = excluded.address, identifiers = excluded.identifiers,
      incorporated_on = excluded.incorporated_on, website = excluded.website, is_active = excluded.is_active,
      name_words = excluded.name_words, search_keys = excluded.search_keys, refreshed_at = excluded.refreshed_at
    returning c.company_id, c.xmax <> 0 as was_known
    )
    select company_id from written where was_known`.execute(db);
  return rows.map((row) => row.company_id);
}

// Those of them that somebody follows (followed.queries.ts), in a statement of its own: the one that writes took its view
// of the followed ones before it waited for a company that was being followed. Marked ones again: a mark may be just
// about to be taken.
async function markChanged(db: Db, companyIds: readonly number[]): Promise<void> {
  await sql`
    update registry_followed set is_changed = true where company_id = any(${companyIds}::bigint[])
    ${sql.raw(UNPREPARED)}`.execute(db);
}

/** Days since 1970 began. */
const dayOf = (unixSeconds: number | null) =>
  unixSeconds === null ? null : Math.floor(unixSeconds / DAY_SECONDS);

/**
 * Each wish is one scan of the index of search keys. It stands in a `materialized` part, which PostgreSQL plans for all
 * of its rows and yet reads only as far as the limit: planned for the limit alone, it would take companies as they come
 * and hope to meet some that match. Keys come out of a `select` for the same reason: seen beforehand, they would be
 * planned for anew each time, which takes longer than the search itself, and some as if half of the companies had them.
 */
export async function findCandidates(
  db: Db,
  queries: readonly CandidateQuery[],
  withAddress: boolean,
): Promise<Candidate[][]> {
  if (queries.length === 0) return [];
  const locality = withAddress ? sql`address` : sql`null::jsonb as address`;
  const { rows } = await sql<Candidate & { query: number }>`
    with ${sql.join(
      queries.map(
        (query, index) => sql`
      ${part(index)} as materialized (
        select company_id, legal_name, name_words, is_active, ${locality} from registry_companies
        where ${sql.join(
          query.keySets.map((keys) => sql`search_keys && (select ${keys}::text[])`),
          sql` and `,
        )}
      )`,
      ),
    )}
    ${sql.join(
      queries.map(
        (query, index) => sql`
      (select ${sql.lit(index)} as query, * from ${part(index)} limit ${sql.lit(query.countMax)})`,
      ),
      sql` union all `,
    )}`.execute(db);
  return queries.map((_, index) => rows.filter((row) => row.query === index));
}

const part = (index: number): RawBuilder<unknown> => sql.ref(`query_${index}`);

const unnestIds = unnestRows<number>('wanted', { company_id: ['bigint', (id) => id] });

/** In the order of the ids. */
async function findCompanyLists(db: Db, lists: number[][]): Promise<CompanyRow[][]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from ${unnestIds(lists.flat())} join registry_companies c using (company_id)`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.company_id, row]));
  return lists.map((ids) => ids.map((id) => byId.get(id)).filter((row) => row !== undefined));
}

export const findCompanies = gathered(findCompanyLists);

/** Active ones first, then in the order they came in; so many at most. `key` comes from `identifierKey`. */
export async function findCompaniesByIdentifier(
  db: Db,
  key: string,
  countMax: number,
): Promise<CompanyRow[]> {
  // Why the key comes out of a `select`, and what is `materialized`, findCandidates tells.
  const { rows } = await sql<CompanyRow>`
    with found as materialized (
      select ${COMPANY_COLUMNS} from registry_companies c where c.search_keys && (select ${[key]}::text[])
    )
    select * from found order by is_active desc, company_id limit ${countMax}`.execute(db);
  return rows;
}

type RegistryKey = Pick<RegistryEntry, 'registry' | 'registryKey'>;

const unnestRegistryKeys = unnestRows<RegistryKey>('k', {
  registry: ['text', 'registry'],
  registry_key: ['text', 'registryKey'],
});

/** Those of them that are known, in no order. */
export async function findCompaniesByKey(db: Db, keys: readonly RegistryKey[]): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from ${unnestRegistryKeys(keys)}
    join registry_companies c using (registry, registry_key)`.execute(db);
  return rows;
}
