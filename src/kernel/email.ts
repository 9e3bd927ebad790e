import validator from 'validator/lib/isEmail.js';

/** Spaces, control and invisible characters, which the library accepts in an internationalised local part. */
const HIDDEN = /[\p{Z}\p{C}]/u;

/**
 * One bare address of at most 254 characters (RFC 5321 §4.5.3.1.3), without display name. A quoted local part is
 * refused: no provider issues one, the library accepts line breaks in it, and mailers have sent mails to the address
 * inside the quotes (nodemailer, GHSA-mm7p-fcc7-pg87).
 */
export function isEmail(text: string): boolean {
  return !HIDDEN.test(text) && validator.default(text, { blacklisted_chars: '"' });
}

const MASK = '•••';

/** An e-mail address that only its owner recognizes: `c•••@m•••.example`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot > 0 ? domain.slice(dot) : '';
  return `${firstCharacter(email)}${MASK}@${firstCharacter(domain)}${MASK}${ending}`;
}

/** By code point, because half of a surrogate pair is not valid text. */
const firstCharacter = (text: string) => [...text][0] ?? '';
