/**
 * Check digits of VAT numbers for which the library differs from the numbers as issued. The formulas are those of the countries' tax
 * offices, as python-stdnum collects them. A number without a certain rule passes.
 */
import { brazil, czechRepublic, latvia } from 'jsvat-next';

export const CHECK_DIGITS: Record<string, (number: string) => boolean> = {
  // The library reads digits only.
  BR: (number) => /\D/.test(number) || brazil.calcFn(number),
  // Nine and ten digits are birth numbers of sole traders, of which some before 1985 break the rule.
  CZ: (number) => number.length !== 8 || czechRepublic.calcFn(number),
  ES: hasSpanishCheck,
  GB: hasBritishCheck,
  IE: hasIrishCheck,
  // From 0 to 3: the code of a person, which since 2017 is random and has no check digit.
  LV: (number) => /^[0-3]/.test(number) || latvia.calcFn(number),
};

const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, nth) => sum + weight * Number(digits[nth]), 0);

/**
 * Checks the nine digits before the branch. The remainder of old numbers is 0; that of those issued since 2010 is 42, so that they differ
 * by 55.
 */
function hasBritishCheck(number: string): boolean {
  if (/^(?:GD|HA)/.test(number)) return true;
  return [0, 42, 55].includes(weighted(number, [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97);
}

/** 0 is W, 1 to 22 are A to V. A second letter has the weight nine; the second character of the old form has none. */
function hasIrishCheck(number: string): boolean {
  const old = /^(\d)[A-Z+*](\d{5})([A-W])$/.exec(number);
  const text = old ? `0${old[2]}${old[1]}${old[3]}` : number;
  const second = text[8] === undefined || text[8] === 'W' ? 0 : text.charCodeAt(8) - 64;
  const rest = (weighted(text, [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23;
  return text[7] === (rest === 0 ? 'W' : String.fromCharCode(64 + rest));
}

const PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const COMPANY_LETTERS = 'JABCDEFGHI';

/** Persons have a letter of their number modulo 23. Companies have a digit by Luhn, or the letter that stands for it. */
function hasSpanishCheck(number: string): boolean {
  const last = number.at(-1) as string;
  const person = /^[\dKLMXYZ]/.test(number) ? number.slice(0, -1).replace(/^[KLMX]/, '') : null;
  if (person !== null) {
    const digits = person.replace(/^Y/, '1').replace(/^Z/, '2');
    return PERSON_LETTERS[Number(digits) % 23] === last;
  }
  const doubled = [...number.slice(1, 8)].map((digit, nth) => (nth % 2 === 0 ? 2 : 1) * Number(digit));
  const sum = doubled.reduce((total, each) => total + (each > 9 ? each - 9 : each), 0);
  const digit = (10 - (sum % 10)) % 10;
  return last === String(digit) || last === COMPANY_LETTERS[digit];
}
