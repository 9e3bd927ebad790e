/** The faults of a message catalogue that can be found without knowing the language. */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Language } from '#kernel/language';
import { type Catalogue, localeOf, MESSAGE_KEYS, type Message } from '#messages';

const FORMALITIES = ['NEUTRAL', 'FORMAL', 'INFORMAL'];

/** Short texts are the same in many languages: one of this few words may equal the English one. */
const SAME_WORDS_MAX = 3;

export function faultsOfCatalogue(language: Language, catalogue: Catalogue, english: Catalogue): string[] {
  const keys = Object.keys(catalogue);
  const faults = [
    ...MESSAGE_KEYS.filter((key) => !(key in catalogue)).map((key) => `${key}: is missing`),
    ...keys.filter((key) => !(key in english)).map((key) => `${key}: is no message`),
  ];
  for (const key of MESSAGE_KEYS.filter((key) => key in catalogue))
    for (const [formality, text] of textsOf(catalogue[key]))
      faults.push(
        ...faultsOfText(language, text, english[key] as string).map(
          (fault) => `${key}${formality}: ${fault}`,
        ),
      );
  for (const key of MESSAGE_KEYS) {
    const message = catalogue[key];
    if (typeof message === 'object' && Object.keys(message).join() !== FORMALITIES.join())
      faults.push(`${key}: must have ${FORMALITIES.join(', ')}, in this order`);
    if (typeof message === 'object' && new Set(Object.values(message)).size === 1)
      faults.push(`${key}: is the same for each formality: write it once`);
  }
  return faults;
}

function textsOf(message: Message): [formality: string, text: string][] {
  return typeof message === 'string'
    ? [['', message]]
    : Object.entries(message).map(([formality, text]) => [` (${formality})`, text]);
}

function faultsOfText(language: Language, text: string, english: string): string[] {
  if (typeof text !== 'string' || text.trim() === '' || text !== text.trim())
    return ['must be a text without space around it'];
  if (text.includes("'")) return ["has the apostrophe ', which ICU reads as a quote: use ’"];
  if (/[<>]|\p{Cc}/u.test(text)) return ['has a character that no sentence needs'];
  let elements: MessageFormatElement[];
  try {
    elements = parse(text, { ignoreTag: true });
  } catch (error) {
    return [`is no ICU message: ${(error as Error).message}`];
  }
  const wanted = argumentsOf(parse(english, { ignoreTag: true }));
  const given = argumentsOf(elements);
  const names = (each: Map<string, string>) =>
    [...each]
      .map((pair) => pair.join(' '))
      .sort()
      .join(', ');
  const isLeft =
    language !== 'EN' &&
    text === english &&
    english.replaceAll(/\{[^}]*\}/g, '').split(/\s+/).length > SAME_WORDS_MAX;
  return [
    ...(names(wanted) === names(given)
      ? []
      : [`has the arguments ${names(given)} instead of ${names(wanted)}`]),
    ...pluralFaults(language, elements),
    ...(isLeft ? ['was left in English'] : []),
  ];
}

/** Name → kind. */
function argumentsOf(
  elements: MessageFormatElement[],
  found = new Map<string, string>(),
): Map<string, string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    if (element.type === TYPE.tag) continue;
    found.set(element.value, TYPE[element.type] as string);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) argumentsOf(value, found);
  }
  return found;
}

function pluralFaults(language: Language, elements: MessageFormatElement[]): string[] {
  const { pluralCategories } = new Intl.PluralRules(localeOf(language)).resolvedOptions();
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural) return [];
    const given = Object.keys(element.options).filter((name) => !name.startsWith('='));
    const missing = pluralCategories.filter((category) => !given.includes(category));
    const needless = given.filter((category) => !pluralCategories.includes(category as Intl.LDMLPluralRule));
    return [
      ...(missing.length > 0 ? [`lacks the plural ${missing.join(', ')}`] : []),
      ...(needless.length > 0 ? [`has the plural ${needless.join(', ')}, which the language has not`] : []),
    ];
  });
}
