/**
 * The text form of an API key: `tl_live_<id>_<secret><crc>` or `tl_test_…`. The key of an operator has the same form
 * after `tl_op_`, so that neither kind of key is accepted for the other.
 *
 * id: 12 base62 characters, public, finds the row. secret: 32 base62 characters, 190 bits; only its SHA-256 is stored.
 * crc: 6 base62 characters over everything before, which reveal a typo, or a random string in a leak scanner, without a
 * query.
 */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const SCOPES = [
  'read',
  'orders:write',
  'invoices:write',
  'payouts:write',
  'webhooks:write',
  'credit:read',
  'ledger:read',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CRC_LENGTH = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const API_KEY_PREFIX = 'tl';
const OPERATOR_KEY_PREFIX = 'tl_op';

export interface ApiKeyText {
  environment: Environment;
  keyId: string;
  secret: string;
}

export const formatApiKey = (key: ApiKeyText) => formatKey(API_KEY_PREFIX, key);
export const formatOperatorKey = (key: ApiKeyText) => formatKey(OPERATOR_KEY_PREFIX, key);

/** The parts of a well-formed API key with a valid checksum; null for anything else. */
export const parseApiKey = (text: string) => parseKey(API_KEY_PREFIX, text);
/** The key of the header `Authorization: Bearer <API_KEY>`; null for anything else. */
export const readBearerKey = (authorization: string) =>
  parseApiKey(/^Bearer ([^ ]+)$/i.exec(authorization)?.[1] ?? '');
/** The parts of a well-formed operator key with a valid checksum; null for anything else. */
export const parseOperatorKey = (text: string) => parseKey(OPERATOR_KEY_PREFIX, text);

function formatKey(prefix: string, { environment, keyId, secret }: ApiKeyText): string {
  const unchecked = `${prefix}_${tagOf(environment)}_${keyId}_${secret}`;
  return unchecked + checksum(unchecked);
}

function parseKey(prefix: string, text: string): ApiKeyText | null {
  const match = FORM.exec(text);
  if (match?.index !== prefix.length || !text.startsWith(prefix)) return null;
  const [, tag, keyId, secret, crc] = match as unknown as [string, string, string, string, string];
  if (checksum(text.slice(0, -CRC_LENGTH)) !== crc) return null;
  return { environment: environmentOf(tag), keyId, secret };
}

/**
 * The text that an operator hands over instead of the key: `tl_op_live_<id>:<SHA-256 of the secret>`. It identifies the operator's row and
 * verifies the key, but cannot be used to act as the operator.
 */
export function operatorKeyHash({ environment, keyId, secret }: ApiKeyText): string {
  return `${OPERATOR_KEY_PREFIX}_${tagOf(environment)}_${keyId}:${hashSecret(secret).toString('hex')}`;
}

/** The parts of a well-formed hash of an operator's key; null for anything else. */
export function parseOperatorKeyHash(
  text: string,
): { environment: Environment; keyId: string; secretHash: Buffer } | null {
  const match = /^tl_op_(live|test)_([0-9A-Za-z]{12}):([\da-f]{64})$/.exec(text);
  if (!match) return null;
  const [, tag, keyId, hex] = match as unknown as [string, string, string, string];
  return { environment: environmentOf(tag), keyId, secretHash: Buffer.from(hex, 'hex') };
}

const tagOf = (environment: Environment) => (environment === 'production' ? 'live' : 'test');
const environmentOf = (tag: string): Environment => (tag === 'live' ? 'production' : 'sandbox');

export function randomApiKey(environment: Environment): ApiKeyText {
  return { environment, keyId: randomBase62(ID_LENGTH), secret: randomBase62(SECRET_LENGTH) };
}

/**
 * Derives a key from at least 128 random bytes, always the same one: a demo installation can show its key without
 * storing it.
 */
export function deriveApiKey(environment: Environment, bytes: Uint8Array): ApiKeyText {
  // 248 is the largest multiple of 62 in a byte: dropping the rest keeps every character equally likely.
  const text = Array.from(
    bytes.filter((byte) => byte < 248),
    (byte) => BASE62[byte % 62],
  ).join('');
  return {
    environment,
    keyId: text.slice(0, ID_LENGTH),
    secret: text.slice(ID_LENGTH, ID_LENGTH + SECRET_LENGTH),
  };
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time, so that the duration reveals nothing about the secret. */
export function secretMatches(secret: string, hash: Uint8Array): boolean {
  const candidate = hashSecret(secret);
  return candidate.length === hash.length && timingSafeEqual(candidate, hash);
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(62)]).join('');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CRC_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
