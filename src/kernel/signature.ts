/**
 * Webhook signatures: `Service-Signature: t=<unix_seconds>,v1=<hex>`. v1 is the HMAC-SHA256 of `<raw_body>.<t>`, keyed
 * with the subscription's signing secret as UTF-8 text. The return URL of the checkout is signed in the same way.
 */
import { createHmac, type KeyObject } from 'node:crypto';

export const SIGNATURE_HEADER = 'Service-Signature';

/** A secret, or the key made from it as UTF-8 text. */
export type SigningSecret = string | KeyObject;

export function signatureDigest(secret: SigningSecret, body: string, unixSeconds: number): string {
  return createHmac('sha256', secret).update(body).update(`.${unixSeconds}`).digest('hex');
}

/** One `v1=` per secret: two during the grace period of a rotation, the new one first. */
export function signatureHeader(
  secrets: readonly SigningSecret[],
  body: string,
  unixSeconds: number,
): string {
  const digests = secrets.map((secret) => `v1=${signatureDigest(secret, body, unixSeconds)}`);
  return [`t=${unixSeconds}`, ...digests].join(',');
}

/**
 * The value of `webhook-signature` by the Standard Webhooks specification: `v1,` and the base64 HMAC-SHA256 of
 * `<id>.<unix_seconds>.<raw_body>`, one for each secret, with the same key as `Service-Signature`.
 */
export function standardSignature(
  secrets: readonly SigningSecret[],
  { id, body, unixSeconds }: { id: string; body: string; unixSeconds: number },
): string {
  const digestOf = (secret: SigningSecret) =>
    createHmac('sha256', secret).update(`${id}.${unixSeconds}.`).update(body).digest('base64');
  return secrets.map((secret) => `v1,${digestOf(secret)}`).join(' ');
}

/** The parameters of a return URL. `t` is in unix seconds. */
export interface SignedReturn {
  orderExternalId: string;
  status: string;
  t: number;
}

/** Hex HMAC-SHA256 of `<order_external_id>.<status>.<t>`, keyed with the platform's return secret as UTF-8 text. */
export function returnSignature(secret: string, { orderExternalId, status, t }: SignedReturn): string {
  return signatureDigest(secret, `${orderExternalId}.${status}`, t);
}
