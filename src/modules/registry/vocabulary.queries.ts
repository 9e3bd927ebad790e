import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { readWordKey } from './search-keys.rules.ts';
import { variantsOf } from './typing-error.rules.ts';

export interface KnownWord {
  word: string;
  /** The number of companies in the country with this word. */
  companies: number;
}

/** Completions are the most frequent of the first 2,000 words in alphabetical order. */
const COMPLETIONS_SCANNED_MAX = 2_000;
const COMPLETIONS_MAX = 48;
const SIMILAR_MAX = 16;
/** Similarity of pg_trgm, 0 to 1: two errors in a word of eight letters leave about 0.4. */
const SIMILARITY_MIN = 0.4;

/** Sorts after every letter and digit. */
export const AFTER_ALL = '{';

/**
 * The country's words that share a variant, and those that begin with `beginning` ('' for none). The first part has no
 * condition on the country, or PostgreSQL might read all words of the country: the country is hashed into the variants, and
 * collisions are filtered afterwards. For the `select` around the variants, see findCandidates.
 */
export async function findNearWords(
  db: Db,
  country: string,
  { variants, beginning }: { variants: number[]; beginning: string },
): Promise<KnownWord[]> {
  const end = beginning === '' ? '' : beginning + AFTER_ALL;
  const { rows } = await sql<KnownWord>`
    with near as materialized (
      select country, word, companies from registry_words where variants && (select ${variants}::int[])
    ), completions as materialized (
      select word, companies from registry_words
      where country = ${country} and word >= ${beginning} and word < ${end}
      order by country, word limit ${COMPLETIONS_SCANNED_MAX}
    )
    select word, companies from near where country = ${country}
    union all
    (select word, companies from completions order by companies desc, word limit ${COMPLETIONS_MAX})`.execute(
    db,
  );
  return rows;
}

/** The country's similar words: for a word with more than one typing error. */
export async function findSimilarWords(db: Db, country: string, word: string): Promise<KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    with similar_words as materialized (
      select country, word, companies from registry_words where word % (select ${word}::text)
    )
    select word, companies from similar_words
    where country = ${country} and similarity(word, ${word}) >= ${SIMILARITY_MIN}
    order by similarity(word, ${word}) desc, companies desc, word limit ${SIMILAR_MAX}`.execute(db);
  return rows;
}

/** Adds the unknown words among the search keys. The counts of known words do not change. */
export async function addWords(db: Db, searchKeys: readonly string[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const key of searchKeys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const words = [...counts].flatMap(([key, companies]) => {
    const read = readWordKey(key);
    return read ? [{ ...read, companies }] : [];
  });
  const { rows: missing } = await sql<{ country: string; word: string; companies: number }>`
    select n.* from unnest(${words.map((each) => each.country)}::text[], ${words.map((each) => each.word)}::text[],
      ${words.map((each) => each.companies)}::int[]) n(country, word, companies)
    where not exists (select from registry_words w where w.country = n.country and w.word = n.word)
    order by n.country, n.word`.execute(db);
  if (missing.length > 0) await upsertWords(db, missing);
}

/** Writes words in the order of the primary key, so that concurrent transactions that add the same words cannot deadlock. */
export async function upsertWords(
  db: Db,
  words: readonly { country: string; word: string; companies: number }[],
): Promise<void> {
  await sql`
    insert into registry_words as w (country, word, companies, variants)
    select country, word, companies, variants::int[] from unnest(
      ${words.map((each) => each.country)}::text[], ${words.map((each) => each.word)}::text[],
      ${words.map((each) => each.companies)}::int[],
      ${words.map((each) => `{${variantsOf(each.country, each.word).join(',')}}`)}::text[])
      as n(country, word, companies, variants)
    on conflict (country, word) do update set companies = excluded.companies
    where w.companies <> excluded.companies`.execute(db);
}

/**
 * A GIN index first collects new entries in a pending list, and merges them when the list is long: with the default of
 * 4 MB, an import writes a third faster. Every search scans the list, so small writes keep it short.
 */
export async function keepPendingListsShort(transaction: Db): Promise<void> {
  await sql`select set_config('gin_pending_list_limit', '64', true)`.execute(transaction);
}
