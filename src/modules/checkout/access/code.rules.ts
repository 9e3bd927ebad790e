/** One-time codes: format, MAC, limits and validity. Times are seconds of the platform's clock. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import type { CheckoutKey } from '../state/checkout.queries.ts';
import type { CodeRow } from './code.queries.ts';

export const CODE_MINUTES = 10;
/** The minimum between two codes: a second click sends nothing. */
const CODE_AGAIN_SECONDS = 30;
export const CODE_ATTEMPTS_MAX = 5;
export const CODES_AN_HOUR = 5;
export const HOUR_SECONDS = 3_600;

export const CODE_DIGITS = 6;

export function createCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** The six digits, without the spaces and hyphens between them; null for text that is not a code. */
export function readCode(text: string): string | null {
  const digits = text.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

/**
 * Keyed: with a plain hash, trying all million codes would reveal the code.
 * @param subject What the code opens, on its platform.
 */
export function macOfCode(
  vault: Pick<Vault, 'derive'>,
  subject: string,
  codeNumber: number,
  code: string,
): Buffer {
  const key = vault.derive('checkout-code', 32);
  return createHmac('sha256', key).update(`${subject}/${codeNumber}/${code}`).digest();
}

export function subjectOf({ platformId, orderExternalId }: CheckoutKey): string {
  return `${platformId}/${orderExternalId}`;
}

/** A keyed hash of an e-mail address, ignoring case. */
export function macOfEmail(vault: Pick<PlatformVault, 'mac'>, email: string): Buffer {
  return vault.mac('checkout-email', email.toLowerCase());
}

/** Compares in constant time. */
export function isSameMac(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A code that was sent. */
export type SentCode = Pick<CodeRow, 'used_at' | 'expires_at' | 'sent_at' | 'email_mac'>;

/** Whether the code is unused, not expired, and was sent to this address. Does not count attempts. */
export function isGood(code: SentCode, emailMac: Buffer, now: number): boolean {
  return code.used_at === null && code.expires_at > now && isSentTo(code, emailMac);
}

/** Seconds until another code may be sent to this address. The last code to another address does not delay it. */
export function waitSecondsOf(last: SentCode | null, emailMac: Buffer, now: number): number {
  return last !== null && isSentTo(last, emailMac) ? Math.max(0, last.sent_at + CODE_AGAIN_SECONDS - now) : 0;
}

function isSentTo({ email_mac: sentTo }: SentCode, emailMac: Buffer): boolean {
  return sentTo !== null && isSameMac(sentTo, emailMac);
}
