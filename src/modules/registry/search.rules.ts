/** Words of a name search and their meanings, and the ranking of its results. */
import type { Candidate } from './company.queries.ts';
import { fold, hasForm, type NameWord, type ReadName } from './name.rules.ts';
import { compactPostcode } from './search-keys.rules.ts';
import { isNear } from './typing-error.rules.ts';
import type { KnownWord } from './vocabulary.queries.ts';

/** A typed word, and the words of the registry that it may mean. */
export interface QueryWord {
  text: string;
  /** A rare word weighs more than a common one. */
  weight: number;
  /** Word of the registry → quality, 1 for the same word. */
  meanings: Map<string, number>;
}

export interface Locality {
  street?: string | undefined;
  city?: string | undefined;
  postcode?: string | undefined;
}

const MEANINGS_MAX = 64;

// Quality of a registry word for a query word. The same word comes first; a completion is more likely meant than a word
// with another letter.
const SAME = 1;
const COMPLETED = 0.9;
const NEAR = 0.85;
const SIMILAR = 0.6;

/** The number of companies in a large country: a word that all of them have weighs nothing. */
const COMPANIES_OF_A_COUNTRY = 1_000_000;

/** An unknown word this short is probably a piece of a mistyped legal form: `s.xr.o.`, `S.q.` */
const SCRAP_LENGTH_MAX = 3;
const SCRAP_SHARE = 1 / 4;

/** The words of the query with their meanings. The last one may be unfinished. */
export function readQueryWords(words: readonly NameWord[], known: readonly KnownWord[]): QueryWord[] {
  const read = words.map(({ text, typed }, index) => {
    const isLast = index === words.length - 1;
    const meanings = known.flatMap(({ word, companies }) => {
      const quality = answerQuality(text, typed, word, isLast);
      return quality === null ? [] : [{ word, companies, quality }];
    });
    return queryWord(text, meanings);
  });
  const telling = read.filter((word) => word.meanings.size > 0 || !isLikeForm(word.text));
  return telling.length > 0 ? telling : read;
}

/** The meanings of a word without near words: similar words. */
export function readSimilarWord(text: string, known: readonly KnownWord[]): QueryWord {
  return queryWord(
    text,
    known.map((each) => ({ ...each, quality: SIMILAR })),
  );
}

function answerQuality(text: string, typed: string, word: string, isLast: boolean): number | null {
  if (word === text) return SAME;
  if (isLast && (word.startsWith(text) || word.startsWith(typed))) return COMPLETED;
  return isNear(text, word) || isNear(typed, word) ? NEAR : null;
}

/**
 * Words of the most frequent legal forms. A mistyped one stays in the query but is in no name, so it must not weigh
 * like a name.
 */
const FORM_WORDS =
  'ag ab as asa aps bv bvba co company corp eg eurl ev gbr gmbh haftungsbeschrankt inc kft kg kgaa limited llc llp ltd mbh nv ohg ood oy oyj plc sa sarl sas sci sl slu snc sp spa spol spolka srl sro ug vof zoo zrt'.split(
    ' ',
  );

const isLikeForm = (text: string) => FORM_WORDS.some((form) => isNear(form, text));

function queryWord(
  text: string,
  meanings: { word: string; companies: number; quality: number }[],
): QueryWord {
  const best = meanings
    .sort((a, b) => Number(b.quality === SAME) - Number(a.quality === SAME) || b.companies - a.companies)
    .slice(0, MEANINGS_MAX);
  const same = best.find(({ quality }) => quality === SAME);
  const companies = same?.companies ?? best.reduce((sum, each) => sum + each.companies, 0);
  const weight = Math.max(1, Math.log(COMPANIES_OF_A_COUNTRY / (1 + companies)));
  return {
    text,
    weight: best.length === 0 && text.length <= SCRAP_LENGTH_MAX ? weight * SCRAP_SHARE : weight,
    meanings: new Map(best.map(({ word, quality }) => [word, quality])),
  };
}

/** The word itself if the registry has it, else the words it may mean. */
export function strictMeanings({ text, meanings }: QueryWord): string[] {
  return meanings.has(text) ? [text] : [...meanings.keys()];
}

/** A company below this share of the query's weight is not a match. */
const SHARE_MIN = 0.45;
/** The deduction for words of a company's name that the query lacks, times their share of the name. */
const SURPLUS_COST = 0.15;
/** Factor for names other than the legal one. */
const OTHER_NAME = 0.99;
/** Factor for the same words in another order. */
const OTHER_ORDER = 0.99;

/** Less than any difference between names, whose scores are in hundredths. */
const SAME_FORM = 0.5;

export interface Ranked {
  candidate: Candidate;
  /** 100 for exactly this name; half a point more for the legal form. */
  nameScore: number;
  localityScore: number;
}

/** The matching companies, best first: by name, then locality, then existing before dissolved. */
export function rank(
  candidates: readonly Candidate[],
  query: { name: ReadName; words: readonly QueryWord[]; locality: Locality },
): Ranked[] {
  const { words, form } = query.name;
  const wanted = { text: words.map(({ text }) => text).join(''), words: query.words };
  const locality = readLocality(query.locality);
  return candidates
    .flatMap((candidate) => {
      const nameScore = scoreName(candidate.name_words, wanted);
      if (nameScore === null) return [];
      // Ranks companies with the same name by whether their legal form was typed.
      const formScore = hasForm(candidate.legal_name, form) ? SAME_FORM : 0;
      return [
        { candidate, nameScore: nameScore + formScore, localityScore: scoreLocality(candidate, locality) },
      ];
    })
    .sort(
      (a, b) =>
        b.nameScore - a.nameScore ||
        b.localityScore - a.localityScore ||
        Number(b.candidate.is_active) - Number(a.candidate.is_active) ||
        a.candidate.legal_name.length - b.candidate.legal_name.length ||
        a.candidate.company_id - b.candidate.company_id,
    );
}

/** The score of the best name, in hundredths, so that the locality decides between similar names. */
function scoreName(nameWords: string, wanted: { text: string; words: readonly QueryWord[] }): number | null {
  let best: number | null = null;
  let kind = 1;
  for (const name of nameWords.split('|')) {
    const score = scoreOneName(name.split(' '), wanted);
    if (score !== null && score * kind > (best ?? 0)) best = score * kind;
    kind = OTHER_NAME;
  }
  return best === null ? null : Math.round(best * 100);
}

function scoreOneName(
  name: string[],
  { text, words }: { text: string; words: readonly QueryWord[] },
): number | null {
  if (name.join('') === text) return 1;
  let weight = 0;
  let answered = 0;
  let surplus = name.length;
  for (const word of words) {
    let quality = 0;
    for (const own of name) quality = Math.max(quality, word.meanings.get(own) ?? 0);
    weight += word.weight;
    answered += word.weight * quality;
    if (quality > 0) surplus--;
  }
  if (weight === 0 || answered / weight < SHARE_MIN) return null;
  return Math.min(OTHER_ORDER, answered / weight) - SURPLUS_COST * (Math.max(0, surplus) / name.length);
}

interface FoldedLocality {
  postcode: string;
  city: string;
  street: string[];
}

function readLocality({ street, city, postcode }: Locality): FoldedLocality {
  return { postcode: compactPostcode(postcode), city: fold(city ?? '').join(''), street: fold(street ?? '') };
}

const POSTCODE_DISTRICT_LENGTH = 3;

/** Up to 9 points: postcode 4, or 2 for its district; city 3; street 2. */
function scoreLocality({ address }: Candidate, locality: FoldedLocality): number {
  if (address === null) return 0;
  const postcode = compactPostcode(address.postcode);
  const city = fold(address.city ?? '').join('');
  return (
    scorePostcode(postcode, locality.postcode) +
    scoreCity(city, locality.city) +
    scoreStreet(address, locality.street)
  );
}

function scorePostcode(own: string, wanted: string): number {
  if (wanted === '' || own === '') return 0;
  if (own === wanted) return 4;
  return own.slice(0, POSTCODE_DISTRICT_LENGTH) === wanted.slice(0, POSTCODE_DISTRICT_LENGTH) ? 2 : 0;
}

function scoreCity(own: string, wanted: string): number {
  if (wanted === '' || own === '') return 0;
  if (own === wanted) return 3;
  return isNear(own, wanted) || own.startsWith(wanted) || wanted.startsWith(own) ? 2 : 0;
}

/** The share of the typed words and numbers that the street has. */
function scoreStreet(
  { street, house }: { street: string | null; house: string | null },
  wanted: string[],
): number {
  if (wanted.length === 0) return 0;
  const own = fold(`${street ?? ''} ${house ?? ''}`);
  const hits = wanted.filter((word) => own.some((each) => isNear(word, each))).length;
  return (2 * hits) / wanted.length;
}
