import { type RawBuilder, sql } from 'kysely';
import { type Db, PLANNED_ANEW } from '#infra/database';
import { gathered } from '#infra/gather';
import { inTransaction } from '#infra/transaction';
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { keysOf } from './identifier.rules.ts';
import type { RegisterEntry } from './register-entry.ts';
import { type SearchKeys, searchKeysOf } from './search-keys.rules.ts';
import { addWords, keepPendingListsShort } from './vocabulary.queries.ts';

export interface CompanyRow {
  company_id: number;
  register: string;
  register_key: string;
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

/** Of `register_companies c`. */
export const COMPANY_COLUMNS = sql`c.company_id, c.register, c.register_key, c.country, c.legal_name, c.trading_name, c.other_names,
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
export interface CandidateWish {
  keySets: string[][];
  countMax: number;
}

/**
 * More companies at once than a live source ever finds: their words wait for `rebuildVocabulary`, which an import calls
 * at its end and which makes them known in a tenth of the time.
 */
const WORDS_AT_ONCE_MAX = 500;

/**
 * Writes companies over what was known of them, their identifiers included. A few of them are found by name at once;
 * after a batch of more than 500 only once `rebuildVocabulary` has run. `now` in unix seconds.
 */
export async function writeCompanies(db: Db, entries: readonly RegisterEntry[], now: number): Promise<void> {
  if (entries.length === 0) return;
  // A file may have a company twice: what comes later is newer.
  const latest = [
    ...new Map(entries.map((entry) => [`${entry.register} ${entry.registerKey}`, entry])).values(),
  ];
  const found = latest.map((entry) => ({ entry, search: searchKeysOf(entry) }));
  const write = async (on: Db) => {
    const isSmall = latest.length <= WORDS_AT_ONCE_MAX;
    if (isSmall) await keepPendingListsShort(on);
    await markChanged(on, await upsertCompanies(on, found, now));
    if (isSmall)
      await addWords(
        on,
        found.flatMap(({ search }) => search.keys),
      );
  };
  await (db.isTransaction ? write(db) : inTransaction(db, write));
}

interface Found {
  entry: RegisterEntry;
  search: SearchKeys;
}

/** Between the items of a list that travels as one text; no name has it. */
const SEPARATOR = '\u001f';

// A list a column: three times as fast as one JSON text. In the order of the keys, so that two that write the same
// companies wait for each other and never in a circle. Numbers that are gone are looked for by a list of ids: joined,
// PostgreSQL reads all identifiers there are for each batch. A row that was inserted has no xmax. Answers those that were
// known before: nobody follows a company that is not there yet.
async function upsertCompanies(db: Db, found: Found[], now: number): Promise<number[]> {
  const sorted = found.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const keys = sorted.flatMap(({ entry }) =>
    entry.identifiers.flatMap((identifier) =>
      keysOf(identifier).map((key) => ({ ...identifier, key, entry })),
    ),
  );
  const column = (read: (each: Found) => unknown) => sorted.map(read);
  const { rows } = await sql<{ company_id: number }>`
    with written as (
      insert into register_companies as c (register, register_key, country, legal_name, trading_name, other_names,
        legal_form, elf_code, address, identifiers, incorporated_on, website, is_active, name_words, search_keys, refreshed_at)
      select register, register_key, country, legal_name, trading_name, string_to_array(other_names, ${SEPARATOR}),
        legal_form, elf_code, address, identifiers, incorporated_on, website, is_active, name_words,
        string_to_array(search_keys, ' '), ${now}::bigint
      from unnest(
        ${column(({ entry }) => entry.register)}::text[], ${column(({ entry }) => entry.registerKey)}::text[],
        ${column(({ entry }) => entry.address.country)}::text[], ${column(({ entry }) => entry.legalName)}::text[],
        ${column(({ entry }) => entry.tradingName)}::text[],
        ${column(({ entry }) => entry.otherNames.join(SEPARATOR))}::text[],
        ${column(({ entry }) => entry.legalForm)}::text[], ${column(({ entry }) => entry.elfCode)}::text[],
        ${column(({ entry }) => JSON.stringify(entry.address))}::jsonb[],
        ${column(({ entry }) => JSON.stringify(entry.identifiers))}::jsonb[],
        ${column(({ entry }) => dayOf(entry.incorporatedAt))}::date[], ${column(({ entry }) => entry.website)}::text[],
        ${column(({ entry }) => entry.isActive)}::boolean[], ${column(({ search }) => search.nameWords)}::text[],
        ${column(({ search }) => search.keys.join(' '))}::text[])
        as e(register, register_key, country, legal_name, trading_name, other_names, legal_form, elf_code, address,
          identifiers, incorporated_on, website, is_active, name_words, search_keys)
      on conflict (register, register_key) do update set country = excluded.country, legal_name = excluded.legal_name,
        trading_name = excluded.trading_name, other_names = excluded.other_names, legal_form = excluded.legal_form,
        elf_code = excluded.elf_code, address = excluded.address, identifiers = excluded.identifiers,
        incorporated_on = excluded.incorporated_on, website = excluded.website, is_active = excluded.is_active,
        name_words = excluded.name_words, search_keys = excluded.search_keys, refreshed_at = excluded.refreshed_at
      returning c.company_id, c.register, c.register_key, c.xmax <> 0 as was_known
    ), keys as (
      select w.company_id, k.country, k.type, k.value_key
      from unnest(${keys.map(({ entry }) => entry.register)}::text[], ${keys.map(({ entry }) => entry.registerKey)}::text[],
        ${keys.map(({ country }) => country)}::text[], ${keys.map(({ type }) => type)}::text[],
        ${keys.map(({ key }) => key)}::text[]) as k(register, register_key, country, type, value_key)
      join written w using (register, register_key)
    ), gone as (
      delete from register_identifiers r
      where r.company_id = any(array(select company_id from written where was_known)) and not exists (select from keys k
        where k.company_id = r.company_id and k.country = r.country and k.type = r.type and k.value_key = r.value_key)
    ), added as (
      insert into register_identifiers (country, value_key, type, company_id)
      select country, value_key, type, company_id from keys
      on conflict do nothing
    )
    select company_id from written where was_known`.execute(db);
  return rows.map((row) => row.company_id);
}

// Those of them that somebody follows (followed.queries.ts), in a statement of its own: the one that writes took its view
// of the followed ones before it waited for a company that was being followed. Marked ones again: a mark may be just
// about to be taken.
async function markChanged(db: Db, companyIds: readonly number[]): Promise<void> {
  await sql`
    update register_followed set is_changed = true where company_id = any(${companyIds}::bigint[])
    ${sql.raw(PLANNED_ANEW)}`.execute(db);
}

const nameOf = ({ entry }: Found) => `${entry.register} ${entry.registerKey}`;

function dayOf(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : new Date(unixSeconds * 1_000).toISOString().slice(0, 10);
}

/**
 * Each wish is one scan of the index of search keys. It stands in a `materialized` part, which PostgreSQL plans for all
 * of its rows and yet reads only as far as the limit: planned for the limit alone, it would take companies as they come
 * and hope to meet some that match. Keys come out of a `select` for the same reason: seen beforehand, they would be
 * planned for anew each time, which takes longer than the search itself, and some as if half of the companies had them.
 */
export async function findCandidates(
  db: Db,
  wishes: readonly CandidateWish[],
  withAddress: boolean,
): Promise<Candidate[][]> {
  if (wishes.length === 0) return [];
  const place = withAddress ? sql`address` : sql`null::jsonb as address`;
  const { rows } = await sql<Candidate & { wish: number }>`
    with ${sql.join(
      wishes.map(
        (wish, index) => sql`
      ${part(index)} as materialized (
        select company_id, legal_name, name_words, is_active, ${place} from register_companies
        where ${sql.join(
          wish.keySets.map((keys) => sql`search_keys && (select ${keys}::text[])`),
          sql` and `,
        )}
      )`,
      ),
    )}
    ${sql.join(
      wishes.map(
        (wish, index) => sql`
      (select ${sql.lit(index)} as wish, * from ${part(index)} limit ${sql.lit(wish.countMax)})`,
      ),
      sql` union all `,
    )}`.execute(db);
  return wishes.map((_, index) => rows.filter((row) => row.wish === index));
}

const part = (index: number): RawBuilder<unknown> => sql.ref(`wish_${index}`);

/** In the order of the ids. */
async function findCompanyLists(db: Db, lists: number[][]): Promise<CompanyRow[][]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from unnest((select ${lists.flat()}::bigint[])) wanted(company_id) join register_companies c using (company_id)`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.company_id, row]));
  return lists.map((ids) => ids.map((id) => byId.get(id)).filter((row) => row !== undefined));
}

export const findCompanies = gathered(findCompanyLists);

/** Active ones first, then in the order they came in; so many at most. */
export async function findCompaniesByIdentifier(
  db: Db,
  { country, type, key }: { country: string; type: string; key: string },
  countMax: number,
): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from register_identifiers i join register_companies c using (company_id)
    where i.country = ${country} and i.value_key = ${key} and i.type = ${type}
    order by c.is_active desc, c.company_id limit ${countMax}`.execute(db);
  return rows;
}

/** Those of them that are known, in no order. */
export async function findCompaniesByKey(
  db: Db,
  keys: readonly Pick<RegisterEntry, 'register' | 'registerKey'>[],
): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from unnest(${keys.map(({ register }) => register)}::text[],
      ${keys.map(({ registerKey }) => registerKey)}::text[]) as k(register, register_key)
    join register_companies c using (register, register_key)`.execute(db);
  return rows;
}
