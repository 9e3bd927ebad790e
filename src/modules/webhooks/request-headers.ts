/** The headers of a webhook. */
import { SIGNATURE_HEADER, type SigningSecret, signatureHeader, standardSignature } from '#kernel/signature';

export interface SignedRequest {
  /** The id of the event. */
  id: string;
  body: string;
  /** From 1, in each round. */
  attempt: number;
  unixSeconds: number;
}

/** Includes a signature by each secret, in our form and in that of Standard Webhooks. */
export function requestHeaders(
  secrets: readonly SigningSecret[],
  { id, body, attempt, unixSeconds }: SignedRequest,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Tradeline-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standardSignature(secrets, { id, body, unixSeconds }),
    'webhook-attempt': String(attempt),
    [SIGNATURE_HEADER]: signatureHeader(secrets, body, unixSeconds),
  };
}
