/** ISO 11649 creditor references: `RF`, two check digits, and up to 21 letters and digits. */
import { randomInt } from 'node:crypto';

/** Without the letters that look like digits or like each other: I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 80 bits: two invoices of one platform never collide. With `RF` and the check digits, the reference has five groups of four. */
const LENGTH = 16;

/** A new reference, without spaces. */
export function newPaymentReference(): string {
  return referenceOf(Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''));
}

/** The reference with this body: capital letters and digits. */
export function referenceOf(body: string): string {
  const checkDigits = 98n - remainderOf(`${body}RF00`);
  return `RF${String(checkDigits).padStart(2, '0')}${body}`;
}

/** Whether the text is a creditor reference with the right check digits, without spaces. */
export function isPaymentReference(text: string): boolean {
  if (!/^RF\d{2}[A-Z0-9]{1,21}$/.test(text)) return false;
  return remainderOf(text.slice(4) + text.slice(0, 4)) === 1n;
}

/** The reference in groups of four, as it is printed. */
export function groupedReference(reference: string): string {
  return reference.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** ISO 7064 mod 97-10: letters count from 10. */
function remainderOf(text: string): bigint {
  return BigInt(text.replaceAll(/[A-Z]/g, (capital) => String(capital.charCodeAt(0) - 55))) % 97n;
}
