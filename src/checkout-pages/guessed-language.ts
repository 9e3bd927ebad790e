/** The language of a page that belongs to no checkout: what the browser asks for. */
import { LANGUAGES, type Language } from '#kernel/language';

const KNOWN: ReadonlyMap<string, Language> = new Map([
  ...LANGUAGES.map((language): [string, Language] => [language.toLowerCase(), language]),
  ['nb', 'NO'],
  ['nn', 'NO'],
]);

/** Of an `Accept-Language` header: the one it likes best among ours, else English. */
export function guessedLanguage(acceptLanguage: string | undefined): Language {
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .slice(0, WISHES_MAX)
    .map((request) => {
      const [tag = '', ...parameters] = request.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { language: KNOWN.get(tag.toLowerCase().split('-')[0] ?? ''), weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wishes.find(({ language }) => language !== undefined)?.language ?? 'EN';
}

/** More than any browser sends. */
const WISHES_MAX = 40;
