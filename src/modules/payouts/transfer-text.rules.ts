/** Text as SEPA transfers carry it: the Latin characters that every bank accepts (EPC217-08 §6.2). */
import anyAscii from 'any-ascii';

const NOT_ALLOWED = /[^A-Za-z0-9/\-?:().,'+ ]/g;

/**
 * The text in the SEPA characters: letters of other alphabets are transliterated, an ampersand becomes a plus sign as the European
 * Payments Council recommends, and other characters become a space. Cut to `lengthMax` characters, without spaces at the ends.
 */
export function transferText(text: string, lengthMax: number): string {
  const latin = anyAscii(text.normalize('NFC')).replaceAll('&', '+').replaceAll(NOT_ALLOWED, ' ');
  return latin.replaceAll(/ {2,}/g, ' ').trim().slice(0, lengthMax).trim();
}

/** Like `transferText`, for an identifier, which neither begins nor ends with a slash and has no two slashes in a row. */
export function transferReference(text: string, lengthMax: number): string {
  return transferText(text.replaceAll(/\/+/g, '/').replaceAll(/^\/|\/$/g, ''), lengthMax);
}
