import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { assignmentsOf, jsonb, namesOf, type RowOf, table } from '#infra/database/table';
import { inTransaction } from '#infra/database/transaction';
import { type ListType, unnestRows } from '#infra/database/unnest-rows';
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { DAY_SECONDS } from '#kernel/day';
import type { RegistryEntry } from './registry-entry.ts';
import { type SearchKeys, searchKeysOf } from './search-keys.rules.ts';
import { addWords, keepPendingListsShort } from './vocabulary.queries.ts';

export const companiesTable = table('registry_companies', {
  company_id: 'bigint',
  registry: 'text',
  registry_key: 'text',
  country: 'text',
  legal_name: 'text',
  trading_name: 'text',
  other_names: 'text[]',
  legal_form: 'text',
  elf_code: 'text',
  address: jsonb<Address>(),
  identifiers: jsonb<BusinessIdentifier[]>(),
  incorporated_on: 'date',
  website: 'text',
  is_active: 'boolean',
  is_in_liquidation: 'boolean',
  name_words: 'text',
  search_keys: 'text[]',
  refreshed_at: 'bigint',
});

const HIDDEN = ['incorporated_on', 'name_words', 'search_keys'] as const;

export interface CompanyRow extends Omit<RowOf<typeof companiesTable>, (typeof HIDDEN)[number]> {
  /** Unix seconds of that day's midnight; negative before 1970. */
  incorporated_at: number | null;
}

const SHOWN = companiesTable.columns.filter((column) => !(HIDDEN as readonly string[]).includes(column));

/** The columns of a `CompanyRow`, for a `registry_companies c` in the from clause. */
export const COMPANY_COLUMNS = sql`${sql.raw(SHOWN.map((column) => `c.${column}`).join(', '))},
  extract(epoch from c.incorporated_on)::bigint as incorporated_at`;

/** The columns that ranking needs. A search reads hundreds of candidates to return ten companies. */
export interface Candidate {
  company_id: number;
  legal_name: string;
  /** The words of each name: `cafe morgenrot|morgenrot berlin`. */
  name_words: string;
  is_active: boolean;
  /** Null in a search without a locality. */
  address: Pick<Address, 'street' | 'house' | 'postcode' | 'city'> | null;
}

/** Companies that have one key of each set, at most `countMax`. */
export interface CandidateQuery {
  keySets: string[][];
  countMax: number;
}

/**
 * More companies than a live source ever returns. Larger batches leave words to `rebuildVocabulary`, which takes a
 * tenth of the time.
 */
const WORDS_AT_ONCE_MAX = 500;

/**
 * Inserts or replaces companies with their identifiers. A batch of up to 500 can be found by name immediately, a larger one
 * once `rebuildVocabulary` has run. `now` in unix seconds.
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
 * Like `writeCompanies`, but always leaves the words to `rebuildVocabulary`, so that transactions that write different
 * companies never wait for each other.
 */
export async function writeCompaniesWithoutWords(
  db: Db,
  keyed: readonly KeyedEntry[],
  now: number,
): Promise<void> {
  if (keyed.length === 0) return;
  // A file can contain a company twice: the later record is newer.
  const latest = new Map(keyed.map((each) => [`${each.entry.registry} ${each.entry.registryKey}`, each]));
  // In the order of the keys: concurrent writers of the same companies cannot deadlock.
  const inOrder = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  const known = await upsertCompanies(db, inOrder, now);
  if (known.length > 0) await markChanged(db, known);
}

/** Separates the items of a list that is sent as one text; no name contains it. */
const SEPARATOR = '\u001f';

/** How a column is sent: the type of its list, its value, and the SQL that converts it, if needed. */
type SentColumn = [ListType, (each: KeyedEntry) => unknown, RawBuilder<unknown>?];

/** The columns that an entry writes, besides `refreshed_at`. */
const SENT: Record<Exclude<keyof RowOf<typeof companiesTable>, 'company_id' | 'refreshed_at'>, SentColumn> = {
  registry: ['text', ({ entry }) => entry.registry],
  registry_key: ['text', ({ entry }) => entry.registryKey],
  country: ['text', ({ entry }) => entry.address.country],
  legal_name: ['text', ({ entry }) => entry.legalName],
  trading_name: ['text', ({ entry }) => entry.tradingName],
  other_names: [
    'text',
    ({ entry }) => entry.otherNames.join(SEPARATOR),
    sql`string_to_array(other_names, ${sql.lit(SEPARATOR)})`,
  ],
  legal_form: ['text', ({ entry }) => entry.legalForm],
  elf_code: ['text', ({ entry }) => entry.elfCode],
  incorporated_on: [
    'int',
    ({ entry }) => dayOf(entry.incorporatedAt),
    sql`date '1970-01-01' + incorporated_on`,
  ],
  website: ['text', ({ entry }) => entry.website],
  is_active: ['boolean', ({ entry }) => entry.isActive],
  is_in_liquidation: ['boolean', ({ entry }) => entry.isInLiquidation === true],
  name_words: ['text', ({ search }) => search.nameWords],
  search_keys: ['text', ({ search }) => search.keys.join(' '), sql`string_to_array(search_keys, ' ')`],
  address: ['jsonb', ({ entry }) => entry.address],
  identifiers: ['jsonb', ({ entry }) => entry.identifiers],
};

/** Days since 1970-01-01. */
const dayOf = (unixSeconds: number | null) =>
  unixSeconds === null ? null : Math.floor(unixSeconds / DAY_SECONDS);

const LISTS = Object.values(SENT).filter(([type]) => type !== 'jsonb');
const DOCUMENTS = Object.values(SENT).filter(([type]) => type === 'jsonb');
const SENT_NAMES = namesOf(Object.keys(SENT));
const SENT_VALUES = sql.join(Object.entries(SENT).map(([name, [, , value]]) => value ?? sql.raw(name)));
const REPLACED = assignmentsOf(
  [...Object.keys(SENT).filter((name) => !/^registry(_key)?$/.test(name)), 'refreshed_at'],
  'excluded',
);

// A list for each column is three times as fast as one JSON text for everything. JSON columns are each sent as one text,
// which neither side has to quote again. A row that was inserted has no xmax. Returns only the companies that existed
// before, because a new one has no followers.
async function upsertCompanies(db: Db, keyed: readonly KeyedEntry[], now: number): Promise<number[]> {
  const lists = LISTS.map(([type, read]) => sql`${keyed.map(read)}::${sql.raw(type)}[]`);
  const documents = DOCUMENTS.map(
    ([, read]) => sql`jsonb_array_elements(${JSON.stringify(keyed.map(read))}::jsonb)`,
  );
  const { rows } = await sql<{ company_id: number }>`
    with written as (
      insert into registry_companies as c (${SENT_NAMES}, refreshed_at)
      select ${SENT_VALUES}, ${now}::bigint
      from rows from (unnest(${sql.join(lists)}), ${sql.join(documents)}) as e(${SENT_NAMES})
      on conflict (registry, registry_key) do update set ${REPLACED}
      returning c.company_id, c.xmax <> 0 as was_known
    )
    select company_id from written where was_known`.execute(db);
  return rows.map((row) => row.company_id);
}

// Marks the followed companies (followed.queries.ts). It is a second statement, because the snapshot of the first was
// taken before it waited for a company that was being followed. Marked companies are marked again, because a concurrent
// transaction may be taking the mark.
async function markChanged(db: Db, companyIds: readonly number[]): Promise<void> {
  await sql`
    update registry_followed set is_changed = true where company_id = any(${companyIds}::bigint[])
    ${sql.raw(UNPREPARED)}`.execute(db);
}

/**
 * Each query is one scan of the index of search keys. It is a `materialized` CTE, which PostgreSQL plans for all of its
 * rows but reads only up to the limit. Planned for the limit alone, it would scan the table for matches. A `select` hides
 * the keys from the planner: planning for visible keys takes longer than the search, and assumes for some of them that
 * half of the companies match.
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

/** Returns the companies of each list, in the order of its ids. */
async function findCompanyLists(db: Db, lists: number[][]): Promise<CompanyRow[][]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from ${unnestIds(lists.flat())} join registry_companies c using (company_id)`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.company_id, row]));
  return lists.map((ids) => ids.map((id) => byId.get(id)).filter((row) => row !== undefined));
}

export const findCompanies = gathered(findCompanyLists);

/** Finds at most `countMax` companies, active ones first, then the oldest. `key` comes from `identifierKey`. */
export async function findCompaniesByIdentifier(
  db: Db,
  key: string,
  countMax: number,
): Promise<CompanyRow[]> {
  // For the `select` around the key and the `materialized` part, see findCandidates.
  const { rows } = await sql<CompanyRow>`
    with found as materialized (
      select ${COMPANY_COLUMNS} from registry_companies c where c.search_keys && (select ${[key]}::text[])
    )
    select * from found order by is_active desc, company_id limit ${countMax}`.execute(db);
  return rows;
}

export type RegistryKey = Pick<RegistryEntry, 'registry' | 'registryKey'>;

export const unnestRegistryKeys = unnestRows<RegistryKey>('k', {
  registry: ['text', 'registry'],
  registry_key: ['text', 'registryKey'],
});

/** The stored companies among these, unordered. */
export async function findCompaniesByKey(db: Db, keys: readonly RegistryKey[]): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from ${unnestRegistryKeys(keys)}
    join registry_companies c using (registry, registry_key)`.execute(db);
  return rows;
}

/** The longest name that someone types to try the search. */
const DEMO_NAME_LENGTH_MAX = 40;

/**
 * Names of companies in the demo registry, companies of the country first. Each has a website, whose domain proves a person,
 * no namesake, and no buyer yet, which would share its limit. Empty if the demo registry is not loaded.
 */
export async function findDemoCompanies(db: Db, country: string, countMax: number): Promise<string[]> {
  const { rows } = await sql<{ legal_name: string }>`
    select legal_name from registry_companies c
    where registry = 'DEMO' and is_active and website is not null and legal_form is not null
      and length(legal_name) <= ${DEMO_NAME_LENGTH_MAX} and legal_name !~ '^[a-z]|[A-Z]{4}'
      and address ->> 'street' is not null and identifiers @> '[{"type": "REGISTER_ID"}]'
      and not exists (select from registry_followed f where f.company_id = c.company_id)
      and not exists (
        select from registry_companies o
        where o.registry = 'DEMO' and o.legal_name = c.legal_name and o.company_id <> c.company_id
      )
    order by country = ${country} desc, registry_key limit ${countMax}`.execute(db);
  return rows.map((row) => row.legal_name);
}
