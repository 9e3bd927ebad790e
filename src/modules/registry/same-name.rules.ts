/** Decides whether a company of the registry is the one that a claimant names. */
import type { CompanyRow } from './company.queries.ts';
import { nameWordsOf } from './name.rules.ts';

/**
 * Whether one of the company's names has all words of the other, or the reverse; legal forms are ignored. A name with a
 * word in two scripts matches no company, because Cyrillic letters that look like Latin ones would be folded to them.
 */
export function isNamed(
  {
    legal_name,
    trading_name,
    other_names,
    country,
  }: Pick<CompanyRow, 'legal_name' | 'trading_name' | 'other_names' | 'country'>,
  wanted: string,
): boolean {
  if (mixesScripts(wanted)) return false;
  const wantedWords = new Set(nameWordsOf(wanted, country));
  return [legal_name, trading_name, ...other_names].some((name) => {
    const words = new Set(name === null ? [] : nameWordsOf(name, country));
    const [fewer, more] = words.size < wantedWords.size ? [words, wantedWords] : [wantedWords, words];
    return fewer.size > 0 && [...fewer].every((word) => more.has(word));
  });
}

/** Scripts with letters that look like Latin ones. */
const LOOKALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;

function mixesScripts(name: string): boolean {
  const words = name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => LOOKALIKE.test(word) && /\p{Script=Latin}/u.test(word));
}
