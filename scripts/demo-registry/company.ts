/** Invents one company: name, legal form, address and numbers. */
import anyAscii from 'any-ascii';
import { checkVAT, countries } from 'jsvat-next';
import { isVatIdFormat } from '#kernel/vat-id';
import { COUNTRY_FORMS, type LocalForm } from '../../src/modules/registry/legal-forms/local-forms.ts';
import type { Dice } from './dice.ts';
import type { Lexicon } from './lexicon.ts';

/** A line of the file by column name. Missing columns are empty. */
export type DemoCompany = Partial<Record<string, string>> & {
  registry_key: string;
  country: string;
  legal_name: string;
};

export interface Making {
  country: string;
  lexicon: Lexicon;
  dice: Dice;
  key: string;
}

/** An invented word. */
export function coin({ lexicon, dice }: Making): string {
  return dice.pickFrom(lexicon.openings) + dice.pickFrom(lexicon.endings);
}

/** A name without a legal form. */
export function inventName(making: Making): string {
  const { lexicon, dice } = making;
  if (lexicon.order === 'joined') return coin(making);
  const { trades, surnames } = lexicon;
  switch (dice.below(6)) {
    case 0:
      return `${dice.pickFrom(trades)} ${coin(making)}`;
    case 1:
      return partners(making);
    case 2:
      return `${dice.pickFrom(surnames)} ${dice.pickFrom(trades)}`;
    case 3:
      return coin(making);
    default:
      return `${coin(making)} ${dice.pickFrom(trades)}`;
  }
}

/** Two persons with different names. */
function partners({ lexicon, dice }: Making): string {
  const one = dice.pickFrom(lexicon.surnames);
  const others = lexicon.surnames.split('|').filter((other) => other !== one);
  return `${one} ${dice.pickFrom(lexicon.and)} ${dice.pick(others)}`;
}

/** The name with the usual addition of its legal form, if the form has one. */
export function withForm(name: string, affix: string | null, { country, lexicon, dice }: Making): string {
  if (affix === null) return name;
  switch (lexicon.order) {
    case 'quoted behind':
      return dice.oneIn(3) ? `${name} ${affix}` : `„${name}“ ${affix}`;
    case 'quoted in front':
      return dice.oneIn(4) ? `${name}, ${affix}` : `${affix} "${name}"`;
    case 'joined':
      return dice.oneIn(2) ? affix + name : name + affix;
    default: {
      const mayLead = COUNTRY_FORMS[country as keyof typeof COUNTRY_FORMS]?.inFront != null;
      return mayLead && dice.oneIn(8) ? `${affix} ${name}` : `${name} ${affix}`;
    }
  }
}

/** Mostly abbreviations: few companies write their form in full. */
export function affixOf(form: LocalForm, dice: Dice): string | null {
  // A Latin addition to a Japanese form belongs to a name in Latin letters.
  const affixes = form.affixes.filter((affix) => form.country !== 'JP' || /\p{Script=Han}/u.test(affix));
  const short = affixes.filter((affix) => affix.length <= 12);
  if (short.length > 0 && !dice.oneIn(12)) return dice.pick(short.slice(0, 2));
  return affixes.length === 0 ? null : dice.pick(affixes);
}

/** The columns of the legal form: in full, abbreviated, as a code only, or empty. */
export function formColumns(form: LocalForm, dice: Dice): { legal_form: string; elf_code: string } {
  const texts = [form.readings[0] ?? '', form.affixes[1] ?? form.readings[0] ?? '', ''];
  return {
    legal_form: dice.oneIn(3) ? dice.pick(texts) : (texts[0] ?? ''),
    elf_code: dice.oneIn(4) ? '' : (form.elfCode ?? ''),
  };
}

export function inventAddress({ lexicon, dice }: Making) {
  const [city = '', postcode = ''] = dice.pickFrom(lexicon.cities).split(': ');
  return {
    street: dice.pickFrom(lexicon.streets),
    house: dice.fill(lexicon.order === 'joined' ? '1#-#-#|2-#' : '#|1#|1##|1#a|1#-1##|1/2|2#B'),
    postcode: dice.fill(postcode),
    city,
  };
}

/** A number in the country's format, with wrong check digits if they are known, so that it belongs to no company. */
export function inventVatId({ country, lexicon, dice }: Making): string {
  let value = '';
  for (let attempt = 0; attempt < 100; attempt++) {
    const drawn = dice.fill(lexicon.vatId);
    if (!isVatIdFormat(drawn, country)) continue;
    value = drawn;
    if (!checkVAT(value.replaceAll(/[ .-]/g, ''), [...countries]).isValid) return value;
  }
  if (value === '') throw new Error(`Nothing made by ${lexicon.vatId} has the form of ${country}.`);
  return value;
}

export function inventNumbers(making: Making) {
  const { lexicon, dice } = making;
  return {
    vat_id: lexicon.vatId !== '' && !dice.oneIn(5) ? inventVatId(making) : '',
    tax_id: lexicon.taxId !== '' && dice.oneIn(lexicon.vatId === '' ? 1 : 3) ? dice.fill(lexicon.taxId) : '',
    register_id: dice.oneIn(8) ? '' : dice.fill(lexicon.registerId),
  };
}

export function inventDay(dice: Dice): string {
  const year = dice.oneIn(30)
    ? 1_801 + dice.below(99)
    : dice.oneIn(4)
      ? 1_900 + dice.below(70)
      : 1_970 + dice.below(55);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${year}-${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`;
}

export function inventWebsite(name: string, dice: Dice): string {
  const host = anyAscii(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return host === '' || dice.oneIn(2)
    ? ''
    : `https://${dice.oneIn(3) ? '' : 'www.'}${host.replace(/-+$/, '')}.example`;
}

/** The name in Latin letters, if the country uses another alphabet. */
export function latinName(name: string, { lexicon }: Making): string {
  const { latin } = lexicon;
  if (latin === undefined) return '';
  if (latin !== 'by letter') {
    const parts = Object.keys(latin).sort((a, b) => b.length - a.length);
    const written = name.replaceAll(new RegExp(parts.join('|'), 'gu'), (part) => latin[part] ?? part);
    return /^[ -~]+$/.test(written) ? `${written} Co., Ltd.` : '';
  }
  // Bulgaria's law on transliteration of 2009 writes ъ as a.
  return anyAscii(name.replaceAll('ъ', 'а')).replaceAll(/(?<!\p{L})\p{Ll}/gu, (body) => body.toUpperCase());
}
