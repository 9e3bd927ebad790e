import { sql } from 'kysely';
import type { Db } from '#infra/database';
import { inTransaction } from '#infra/transaction';
import { readWordKey } from './search-keys.rules.ts';
import { variantsOf } from './typing-error.rules.ts';

export interface KnownWord {
  word: string;
  /** Companies of the country that have it. */
  companies: number;
}

/** Words that a beginning is completed to: the commonest of so many in the order of the alphabet. */
const COMPLETIONS_SCANNED_MAX = 2_000;
const COMPLETIONS_MAX = 48;
const SIMILAR_MAX = 16;
/** Of pg_trgm, 0 to 1: two errors in a word of eight letters leave about 0.4. */
const SIMILARITY_MIN = 0.4;

/** After every letter and digit that a word may have. */
const AFTER_ALL = '{';

/**
 * The country's words that share a variant, and those that begin with `beginning` ('' for none). The country is not
 * among the conditions of the first part, or PostgreSQL might read all words of the country instead: it is hashed into
 * the variants, and what another country's words share by chance is left out afterwards. Why the variants come out of a
 * `select`, findCandidates tells.
 */
export async function findNearWords(
  db: Db,
  country: string,
  { variants, beginning }: { variants: number[]; beginning: string },
): Promise<KnownWord[]> {
  const end = beginning === '' ? '' : beginning + AFTER_ALL;
  const { rows } = await sql<KnownWord>`
    with near as materialized (
      select country, word, companies from register_words where variants && (select ${variants}::int[])
    ), completions as materialized (
      select word, companies from register_words
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

/** The country's words that look alike: for a word with more than one error. */
export async function findSimilarWords(db: Db, country: string, word: string): Promise<KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    with similar_words as materialized (
      select country, word, companies from register_words where word % (select ${word}::text)
    )
    select word, companies from similar_words
    where country = ${country} and similarity(word, ${word}) >= ${SIMILARITY_MIN}
    order by similarity(word, ${word}) desc, companies desc, word limit ${SIMILAR_MAX}`.execute(db);
  return rows;
}

/** Makes the words among the search keys known, where they are not; the counts of those that are stay as they were. */
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
    where not exists (select from register_words w where w.country = n.country and w.word = n.word)
    order by n.country, n.word`.execute(db);
  if (missing.length > 0) await upsertWords(db, missing);
}

// In the order of the primary key: two transactions that add the same words wait for each other, and never in a circle.
async function upsertWords(
  db: Db,
  words: readonly { country: string; word: string; companies: number }[],
): Promise<void> {
  await sql`
    insert into register_words as w (country, word, companies, variants)
    select country, word, companies, variants::int[] from unnest(
      ${words.map((each) => each.country)}::text[], ${words.map((each) => each.word)}::text[],
      ${words.map((each) => each.companies)}::int[],
      ${words.map((each) => `{${variantsOf(each.country, each.word).join(',')}}`)}::text[])
      as n(country, word, companies, variants)
    on conflict (country, word) do update set companies = excluded.companies
    where w.companies <> excluded.companies`.execute(db);
}

/**
 * A GIN index takes what is new into a list of pending entries first, and sorts them in when the list is long: with the
 * usual 4 MB, an import writes a third faster. But every search reads the list through, so a few companies more leave it
 * short. Only its owner, who is not the service, can have an index empty the list without writing.
 */
export async function keepPendingListsShort(transaction: Db): Promise<void> {
  await sql`select set_config('gin_pending_list_limit', '64', true)`.execute(transaction);
}

/** Sorts in what an import has left pending: a row comes and goes, and its coming finds the lists too long. */
async function shortenPendingLists(transaction: Db): Promise<void> {
  await keepPendingListsShort(transaction);
  await sql`
    insert into register_companies (register, register_key, country, legal_name, other_names, address, identifiers,
      is_active, name_words, search_keys, refreshed_at)
    values ('', '', '', '', '{}', '{}', '[]', false, '', '{=}', 0)
    on conflict (register, register_key) do nothing`.execute(transaction);
  await sql`delete from register_companies where register = '' and register_key = ''`.execute(transaction);
  await upsertWords(transaction, [{ country: '', word: 'pending', companies: 0 }]);
  await sql`delete from register_words where country = ''`.execute(transaction);
}

const REBUILD_BATCH_SIZE = 10_000;

/**
 * Counts the words of all companies anew, after an import: makes new ones known and forgets those nobody has any more.
 * Searches go on meanwhile, by the words as they were. One rebuild at a time; a second one waits for the first.
 */
export async function rebuildVocabulary(db: Db): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await prepareRebuild(transaction);
    let previous = '';
    for (;;) {
      const batch = await nextCounts(transaction);
      const last = batch.at(-1)?.key ?? null;
      const words = batch.map(({ key, companies }) => ({ ...readKey(key), companies }));
      if (words.length > 0) await upsertCounts(transaction, words);
      await forgetWordsBetween(
        transaction,
        previous,
        last,
        batch.map(({ key }) => key),
      );
      if (last === null) break;
      previous = last;
    }
    await shortenPendingLists(transaction);
  });
}

const readKey = (key: string) => {
  const at = key.indexOf(':');
  return { country: key.slice(0, at), word: key.slice(at + 1) };
};

// The statement counts millions of words, which takes longer than any request's statement may; sorting them in memory as
// far as 64 MB go.
async function prepareRebuild(transaction: Db): Promise<void> {
  await sql`
    select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
      set_config('work_mem', '64MB', true), set_config('cursor_tuple_fraction', '1', true)`.execute(
    transaction,
  );
  await sql`select pg_advisory_xact_lock(hashtextextended('tradeline/register-vocabulary', 0))`.execute(
    transaction,
  );
  await sql`
    declare word_counts no scroll cursor for
    select key, count(*)::int as companies
    from register_companies c cross join lateral unnest(c.search_keys) key
    where substr(key, 4, 1) not in ('=', '@', '#', '$')
    group by key order by key`.execute(transaction);
}

async function nextCounts(transaction: Db): Promise<{ key: string; companies: number }[]> {
  const { rows } = await sql<{ key: string; companies: number }>`
    fetch ${sql.lit(REBUILD_BATCH_SIZE)} from word_counts`.execute(transaction);
  return rows;
}

/** Most words of a large import are known from the one before: variants are computed for the new ones only. */
async function upsertCounts(
  transaction: Db,
  words: readonly { country: string; word: string; companies: number }[],
): Promise<void> {
  const { rows } = await sql<{ nth: number }>`
    with counted as (
      select n.* from unnest(${words.map((each) => each.country)}::text[], ${words.map((each) => each.word)}::text[],
        ${words.map((each) => each.companies)}::int[]) with ordinality n(country, word, companies, nth)
    ), changed as (
      update register_words w set companies = n.companies from counted n
      where w.country = n.country and w.word = n.word and w.companies <> n.companies
    )
    select n.nth::int as nth from counted n
    where not exists (select from register_words w where w.country = n.country and w.word = n.word)
    order by n.nth`.execute(transaction);
  const missing = rows.flatMap(({ nth }) => words[nth - 1] ?? []);
  if (missing.length > 0) await upsertWords(transaction, missing);
}

/**
 * Both lists are in the order of their bytes, so what lies between two batches and is in neither is gone. A word that a
 * live source wrote since the counting began is not: some company has it.
 */
async function forgetWordsBetween(
  transaction: Db,
  previous: string,
  last: string | null,
  known: readonly string[],
): Promise<void> {
  const from = readKey(previous);
  const to = last === null ? { country: AFTER_ALL, word: '' } : readKey(last);
  await sql`
    with gone as materialized (
      select w.country, w.word from register_words w
      where (w.country, w.word) > (${from.country}::text, ${from.word}::text)
        and (w.country, w.word) <= (${to.country}::text, ${to.word}::text)
        and not exists (select from unnest(${known}::text[]) k where k = w.country || ':' || w.word)
    )
    delete from register_words w using gone g
    where w.country = g.country and w.word = g.word
      and not exists (select from register_companies c where c.search_keys @> array[g.country || ':' || g.word])`.execute(
    transaction,
  );
}
