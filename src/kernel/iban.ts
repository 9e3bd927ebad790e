/** International bank account numbers (ISO 13616) and bank identifiers (ISO 9362). */

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** Without spaces, in capitals; null for text that is no IBAN or has a wrong check digit. */
export function readIban(text: string): string | null {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  return IBAN.test(iban) && remainderOf(iban) === 1n ? iban : null;
}

/** In groups of four, as it is printed. */
export function groupedIban(iban: string): string {
  return iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Its beginning and its end: `DE89…3000`. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)}…${iban.slice(-4)}`;
}

/** Null for text that is no BIC. */
export function readBic(text: string): string | null {
  const bic = text.trim().toUpperCase();
  return BIC.test(bic) ? bic : null;
}

/** ISO 7064 mod 97-10: the first four characters go last, and letters count from 10. */
function remainderOf(iban: string): bigint {
  const rotated = iban.slice(4) + iban.slice(0, 4);
  const digits = rotated.replaceAll(/[A-Z]/g, (capital) => String(capital.charCodeAt(0) - 55));
  return BigInt(digits) % 97n;
}
