/** One-time codes: how they are made, and until when one is good. Times in seconds, by the platform's clock. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Vault } from '#infra/secrets/vault';
import type { CheckoutKey } from '../state/checkout.queries.ts';
import type { CodeRow } from './code.queries.ts';

export const CODE_MINUTES = 10;
/** No sooner than this after the last one: a second click sends nothing. */
export const CODE_AGAIN_SECONDS = 30;
export const CODE_ATTEMPTS_MAX = 5;
export const CODES_AN_HOUR = 5;
export const HOUR_SECONDS = 3_600;

const DIGITS = 6;

export function newCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** The digits, however they were grouped or typed; null where they are no code. */
export function readCode(text: string): string | null {
  const digits = text.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

/** A million codes are soon tried on a stolen hash: without the installation's key this one cannot be. */
export function macOf(
  vault: Pick<Vault, 'derive'>,
  { platformId, orderExternalId }: CheckoutKey,
  codeNumber: number,
  code: string,
): Buffer {
  const key = vault.derive('checkout-code', 32);
  return createHmac('sha256', key).update(`${platformId}/${orderExternalId}/${codeNumber}/${code}`).digest();
}

/** Constant-time: how long it takes says nothing about how much was right. */
export function isSameMac(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Whether it can still be entered, the tries aside. */
export function isGood(
  { used_at, expires_at }: Pick<CodeRow, 'used_at' | 'expires_at'>,
  now: number,
): boolean {
  return used_at === null && expires_at > now;
}
