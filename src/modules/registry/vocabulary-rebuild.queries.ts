/** Rebuilds the vocabulary from all companies after an import. */
import { sql } from 'kysely';
import { type Db, liftTimeLimits } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { AFTER_ALL, upsertWords } from './vocabulary.queries.ts';

const RANGE_WORDS = 20_000;
/** Ranges are written while the variants of the next one are computed. */
const RANGES_UNDER_WAY_MAX = 4;

interface CountedWord {
  country: string;
  word: string;
  companies: number;
}

/** The beginning or end of a range of words, in byte order. */
type Border = Pick<CountedWord, 'country' | 'word'>;

/**
 * Counts the words of all companies, adds new ones and removes unused ones, range by range while searches continue. A
 * second rebuild waits for the first. A killed rebuild leaves each range either rebuilt or unchanged.
 */
export async function rebuildVocabulary(db: Db): Promise<void> {
  await inTransaction(db, async (counting) => {
    await beginCounting(counting);
    await writeRanges(db, counting);
  });
  await inTransaction(db, mergeEntries);
}

/** Each range is a separate transaction: words do not depend on each other. */
async function writeRanges(db: Db, counting: Db): Promise<void> {
  const underWay: Promise<void>[] = [];
  try {
    let after: Border = { country: '', word: '' };
    for (;;) {
      const words = await nextCounts(counting);
      const upTo = words.at(-1) ?? null;
      const range = { after, words, upTo };
      const written = inTransaction(db, (transaction) => writeRange(transaction, range));
      // A failure is thrown to the next waiter; until then it must not count as unhandled.
      written.catch(() => {});
      underWay.push(written);
      if (upTo === null) break;
      after = upTo;
      if (underWay.length === RANGES_UNDER_WAY_MAX) await underWay.shift();
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

interface Range {
  after: Border;
  words: readonly CountedWord[];
  /** Null for the end of the vocabulary. */
  upTo: Border | null;
}

async function writeRange(transaction: Db, { after, words, upTo }: Range): Promise<void> {
  await liftTimeLimits(transaction);
  if (words.length > 0) await upsertCounts(transaction, words);
  await forgetOthers(transaction, { after, words, upTo });
}

// Sorts in memory up to 64 MB. `unnest` is in the select list: in the from clause, PostgreSQL would materialize each
// company's keys first.
async function beginCounting(transaction: Db): Promise<void> {
  await liftTimeLimits(transaction);
  await sql`
    select set_config('work_mem', '64MB', true), set_config('cursor_tuple_fraction', '1', true)`.execute(
    transaction,
  );
  await sql`select pg_advisory_xact_lock(hashtextextended('tradeline/registry-vocabulary', 0))`.execute(
    transaction,
  );
  await sql`
    declare word_counts no scroll cursor for
    select key, count(*)::int as companies from (select unnest(search_keys) as key from registry_companies) of_companies
    where substr(key, 4, 1) not in ('=', '@', '#', '$')
    group by key order by key`.execute(transaction);
}

async function nextCounts(transaction: Db): Promise<CountedWord[]> {
  const { rows } = await sql<{ key: string; companies: number }>`
    fetch ${sql.lit(RANGE_WORDS)} from word_counts`.execute(transaction);
  return rows.map(({ key, companies }) => {
    const at = key.indexOf(':');
    return { country: key.slice(0, at), word: key.slice(at + 1), companies };
  });
}

/** Most words of a large import are already known: variants are computed for new ones only. */
async function upsertCounts(transaction: Db, words: readonly CountedWord[]): Promise<void> {
  const { rows } = await sql<{ nth: number }>`
    with counted as (
      select n.* from unnest(${words.map((each) => each.country)}::text[], ${words.map((each) => each.word)}::text[],
        ${words.map((each) => each.companies)}::int[]) with ordinality n(country, word, companies, nth)
    ), changed as (
      update registry_words w set companies = n.companies from counted n
      where w.country = n.country and w.word = n.word and w.companies <> n.companies
    )
    select n.nth::int as nth from counted n
    where not exists (select from registry_words w where w.country = n.country and w.word = n.word)
    order by n.nth`.execute(transaction);
  const missing = rows.flatMap(({ nth }) => words[nth - 1] ?? []);
  if (missing.length > 0) await upsertWords(transaction, missing);
}

/**
 * Removes the words between two borders that were not counted; both lists are in byte order. A word that a live source
 * wrote since the counting began is kept, because a company has it.
 */
async function forgetOthers(transaction: Db, { after, words, upTo }: Range): Promise<void> {
  const end = upTo ?? { country: AFTER_ALL, word: '' };
  await sql`
    with gone as materialized (
      select w.country, w.word from registry_words w
      where (w.country, w.word) > (${after.country}::text, ${after.word}::text)
        and (w.country, w.word) <= (${end.country}::text, ${end.word}::text)
        and not exists (
          select from unnest(${words.map((each) => each.country)}::text[], ${words.map((each) => each.word)}::text[])
            k(country, word) where k.country = w.country and k.word = w.word)
    )
    delete from registry_words w using gone g
    where w.country = g.country and w.word = g.word
      and not exists (select from registry_companies c where c.search_keys @> array[g.country || ':' || g.word])`.execute(
    transaction,
  );
}

/** Merges what an import left in the pending lists of indexes, even while a vacuum merges some of it. */
async function mergeEntries(transaction: Db): Promise<void> {
  await liftTimeLimits(transaction);
  await sql`select merge_registry_entries()`.execute(transaction);
}
