/** International bank account numbers (ISO 13616) and bank identifiers (ISO 9362). */
import isBic from 'validator/lib/isBIC.js';
import isIban from 'validator/lib/isIBAN.js';

/** The library also ignores dashes, which no bank prints. */
const CHARACTERS = /^[A-Z0-9]+$/;

/**
 * The IBAN without spaces, in upper case. Null for text that is not an IBAN: a wrong check digit, or another length or form than its
 * country's.
 */
export function readIban(text: string): string | null {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  return CHARACTERS.test(iban) && isIban.default(iban) ? iban : null;
}

/** The IBAN in groups of four, as it is printed. */
export function groupedIban(iban: string): string {
  return iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** The beginning and end of the IBAN: `DE89…3000`. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)}…${iban.slice(-4)}`;
}

/** The BIC in upper case; null for text that is not a BIC. */
export function readBic(text: string): string | null {
  const bic = text.trim().toUpperCase();
  return isBic.default(bic) ? bic : null;
}
