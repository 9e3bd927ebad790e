/** The steps of a search by name, each bounded. Explained in docs/internals/registry.md. */
import type { Db } from '#infra/database/database';
import {
  type Candidate,
  type CandidateQuery,
  type CompanyRow,
  findCandidates,
  findCompanies,
} from './company.queries.ts';
import { type NameWord, readName } from './name.rules.ts';
import {
  type Locality,
  type QueryWord,
  type Ranked,
  rank,
  readQueryWords,
  readSimilarWord,
  strictMeanings,
} from './search.rules.ts';
import { cityKey, postcodeKey, wholeNameKey, wordKey } from './search-keys.rules.ts';
import { variantsOf } from './typing-error.rules.ts';
import { findNearWords, findSimilarWords } from './vocabulary.queries.ts';

export interface NameSearch extends Locality {
  country: string;
  name: string;
  limit: number;
}

export interface Hits {
  companies: CompanyRow[];
  /** The number of matches among the companies examined. */
  total: number;
}

/** Only the first words of a longer name are searched. */
const WORDS_MAX = 10;
/** Companies examined for each query. */
const CANDIDATES_MAX = 200;
const WHOLE_NAME_CANDIDATES_MAX = 50;
const PART_CANDIDATES_MAX = 60;
const LEFT_OUT_MAX = 6;
const ALONE_MAX = 3;
/** Half a million words begin with the same letter. */
const BEGINNING_LENGTH_MIN = 2;

const NOTHING: Hits = { companies: [], total: 0 };

export async function searchByName(db: Db, search: NameSearch): Promise<Hits> {
  const { country, limit, street, city, postcode } = search;
  const read = readName(search.name, country);
  const name = { ...read, words: read.words.slice(0, WORDS_MAX) };
  if (name.words.length === 0) return NOTHING;
  const words = await meaningsOf(db, country, name.words);
  const meant = words.filter(({ meanings }) => meanings.size > 0).sort((a, b) => b.weight - a.weight);

  const locality = { street, city, postcode };
  const hasLocality = [street, city, postcode].some((part) => part !== undefined);
  const find = async (queries: CandidateQuery[]) => findCandidates(db, queries, hasLocality);
  const ranked = (lists: Candidate[][]) => rank(each(lists), { name, words, locality });
  const texts = name.words.map(({ text }) => text);
  const found = await findRanked({ search, meant, texts }, find, ranked);
  const ids = found.slice(0, limit).map(({ candidate }) => candidate.company_id);
  return ids.length === 0 ? NOTHING : { companies: await findCompanies(db, ids), total: found.length };
}

/** If no word has a meaning, the longest one may have two typing errors. */
async function meaningsOf(db: Db, country: string, typed: readonly NameWord[]): Promise<QueryWord[]> {
  const last = typed.at(-1)?.text ?? '';
  const spellings = new Set(typed.flatMap((word) => [word.text, word.typed]));
  const known = await findNearWords(db, country, {
    variants: [...spellings].flatMap((text) => variantsOf(country, text)),
    beginning: last.length >= BEGINNING_LENGTH_MIN ? last : '',
  });
  const words = readQueryWords(typed, known);
  if (words.some(({ meanings }) => meanings.size > 0)) return words;
  const longest = words.map(({ text }) => text).reduce((a, b) => (b.length > a.length ? b : a));
  const similar = await findSimilarWords(db, country, longest);
  return words.map((word) => (word.text === longest ? readSimilarWord(longest, similar) : word));
}

async function findRanked(
  { search, meant, texts }: { search: NameSearch; meant: QueryWord[]; texts: string[] },
  find: (queries: CandidateQuery[]) => Promise<Candidate[][]>,
  ranked: (lists: Candidate[][]) => Ranked[],
): Promise<Ranked[]> {
  const { country, city, postcode } = search;
  const wide = meant.map(({ meanings }) => [...meanings.keys()].map((word) => wordKey(country, word)));
  const strict = meant.map((word) => strictMeanings(word).map((each) => wordKey(country, each)));
  const query = (keySets: string[][], countMax: number): CandidateQuery => ({ keySets, countMax });

  const all = wide.length > 0 ? [query(wide, CANDIDATES_MAX)] : [];
  const first = await find([query([[wholeNameKey(country, texts)]], WHOLE_NAME_CANDIDATES_MAX), ...all]);
  if (first[1]?.length === CANDIDATES_MAX) {
    // More companies match than are examined: examine those that fit best.
    const places = [postcodeKey(country, postcode), cityKey(country, city)].filter((key) => key !== null);
    const better = places.map((key) => query([...wide, [key]], CANDIDATES_MAX));
    return ranked([...first, ...(await find([query(strict, CANDIDATES_MAX), ...better]))]);
  }
  const hits = ranked(first);
  if (hits.length > 0 || wide.length < 2) return hits;

  const leavingOneOut = wide.slice(0, LEFT_OUT_MAX).map((_, out) =>
    query(
      wide.filter((_, index) => index !== out),
      PART_CANDIDATES_MAX,
    ),
  );
  const second = ranked(await find(leavingOneOut));
  if (second.length > 0 || wide.length < 3) return second;
  return ranked(await find(wide.slice(0, ALONE_MAX).map((keys) => query([keys], PART_CANDIDATES_MAX))));
}

/** The distinct companies of the lists. */
function each(lists: Candidate[][]): Candidate[] {
  return [...new Map(lists.flat().map((candidate) => [candidate.company_id, candidate])).values()];
}
