/** The language of a browser, by its `Accept-Language` header. */
import { LANGUAGES, type Language } from '#kernel/language';

const KNOWN: ReadonlyMap<string, Language> = new Map([
  ...LANGUAGES.map((language): [string, Language] => [language.toLowerCase(), language]),
  ['nb', 'NO'],
  ['nn', 'NO'],
]);

/** More than any browser sends. */
const RANGES_MAX = 40;

/** The preferred supported language; null if the header names none. */
export function preferredLanguage(acceptLanguage: string | undefined): Language | null {
  const ranges = (acceptLanguage ?? '')
    .split(',')
    .slice(0, RANGES_MAX)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { language: KNOWN.get(tag.toLowerCase().split('-')[0] ?? ''), weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return ranges.find(({ language }) => language !== undefined)?.language ?? null;
}
