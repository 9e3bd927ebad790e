/**
 * Validates company numbers of trade registers by the format of their country, if it is known, and by the check digit, if every number has
 * a correct one. A label or the name of a court around the number is accepted.
 */
import { belgium, czechRepublic, denmark, finland, norway, switzerland } from 'jsvat-next';

interface NumberFormat {
  /** Matches the value in upper case without spaces and punctuation. Its first group is the checked number. */
  pattern: RegExp;
  /** The length to which the number is padded with zeros, which are sometimes omitted. */
  length?: number;
  hasCheckDigit?(number: string): boolean;
  example: string;
}

const FORMATS: Readonly<Record<string, NumberFormat>> = {
  AT: { pattern: /^\p{L}*?(\d{1,6}[A-Z])\p{L}*$/u, example: 'FN 123456 a' },
  BE: {
    pattern: /^\p{L}*(\d{9,10})\p{L}*$/u,
    length: 10,
    hasCheckDigit: (number) => belgium.calcFn(number),
    example: '0428.759.497',
  },
  // Before 2011, numbers had eleven digits and another check digit.
  CH: {
    pattern: /^\p{L}*(\d{9}|\d{11})\p{L}*$/u,
    hasCheckDigit: (number) => number.length === 11 || switzerland.calcFn(number),
    example: 'CHE-116.281.710',
  },
  CZ: {
    pattern: /^\p{L}*(\d{6,8})\p{L}*$/u,
    length: 8,
    hasCheckDigit: (number) => czechRepublic.calcFn(number),
    example: '25123891',
  },
  // The number means nothing without its section.
  DE: { pattern: /(?:HRA|HRB|GNR|GSR|PR|VR)(?:NR)?(\d{1,7})/, example: 'HRB 12345' },
  DK: {
    pattern: /^\p{L}*(\d{8})\p{L}*$/u,
    hasCheckDigit: (number) => denmark.calcFn(number),
    example: '13585628',
  },
  EE: { pattern: /^\p{L}*(\d{8})\p{L}*$/u, example: '10345833' },
  FI: {
    pattern: /^\p{L}*(\d{7,8})\p{L}*$/u,
    length: 8,
    hasCheckDigit: (number) => finland.calcFn(number),
    example: '2077474-0',
  },
  // SIREN, or SIRET with five more digits for an establishment.
  FR: { pattern: /(\d{9})(?:\d{5})?\p{L}*$/u, hasCheckDigit: isLuhn, example: '552 032 534' },
  GB: {
    pattern: /^(?:COMPANYN(?:UMBER|O)|CRN)?((?=[A-Z\d]{1,8}$)[A-Z]{0,2}\d{1,8}[A-Z]{0,2})$/,
    example: '00445790',
  },
  NL: { pattern: /^\p{L}*(\d{8}|\d{12})\p{L}*$/u, example: '12345678' },
  NO: {
    pattern: /^\p{L}*(\d{9})\p{L}*$/u,
    hasCheckDigit: (number) => norway.calcFn(number),
    example: '974 760 673',
  },
  // KRS, or NIP or REGON of a sole trader.
  PL: { pattern: /^\p{L}*(\d{9}|\d{10}|\d{14})\p{L}*$/u, example: '0000019193' },
  // Twelve digits begin with the century.
  SE: { pattern: /^\p{L}*(?:16|19|20)?(\d{10})\p{L}*$/u, hasCheckDigit: isLuhn, example: '556012-5790' },
};

/** Everything except letters and digits. */
const GROUPING = /[^\p{L}\p{N}]/gu;

/** Whether the value is a number of the country's trade register. Any value passes for a country without a known format. */
export function isRegisterId(value: string, country: string): boolean {
  const format = FORMATS[country];
  if (format === undefined) return true;
  const compact = value.normalize('NFKC').toUpperCase().replaceAll(GROUPING, '');
  const number = format.pattern.exec(compact)?.[1];
  if (number === undefined) return false;
  return format.hasCheckDigit?.(number.padStart(format.length ?? 0, '0')) ?? true;
}

/** An example number of the country's trade register; null if any text is accepted. */
export function registerIdExample(country: string): string | null {
  return FORMATS[country]?.example ?? null;
}

function isLuhn(digits: string): boolean {
  const doubled = [...digits].reverse().map((digit, nth) => (nth % 2 === 1 ? 2 : 1) * Number(digit));
  return doubled.reduce((sum, each) => sum + (each > 9 ? each - 9 : each), 0) % 10 === 0;
}
