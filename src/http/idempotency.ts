/**
 * `Idempotency-Key`: the same request sent again gets the first one's answer, and has no second effect. Key and work are
 * in one transaction, so an effect without a stored answer cannot exist. A request that was refused changed nothing,
 * stores nothing, and is judged anew when it comes again.
 */
import { createHash } from 'node:crypto';
import type { Db } from '#infra/database';
import { type Issue, refusal } from '#kernel/problem';
import type { Caller } from './caller.ts';
import {
  claimIdempotencyKey,
  findStoredAnswer,
  type StoredAnswer,
  storeAnswer,
} from './idempotency.queries.ts';

export interface Answer {
  status: number;
  location: string | null;
  etag: string | null;
  /** The serialized body, sent as it is. */
  payload: string;
}

export interface IdempotentRequest {
  key: string;
  method: string;
  path: string;
  body: Buffer;
  caller: Caller;
}

/** What is wrong with the header's key, if anything. */
export function idempotencyKeyIssues(header: string | string[] | undefined): Issue[] {
  if (header === undefined || (typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header))) return [];
  return [
    {
      code: 'INVALID_FORMAT',
      path: 'headers.idempotency-key',
      message: 'must be 1 to 255 printable ASCII characters',
    },
  ];
}

/** The stored answer of the same request, or null where this is the first. Throws where the key was used for another. */
export async function replay(db: Db, request: IdempotentRequest): Promise<Answer | null> {
  const stored = await findStoredAnswer(db, request.caller.platformId, request.key);
  if (!stored) return null;
  if (!stored.fingerprint.equals(fingerprint(request))) {
    throw refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request');
  }
  return {
    status: stored.status_code,
    location: stored.location,
    etag: stored.etag,
    payload: request.caller.vault.open(placeOf(request.key), stored.body_sealed),
  };
}

/** Inside the transaction of the work: claims the key, does the work once, stores its answer. */
export async function once(
  transaction: Db,
  request: IdempotentRequest,
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; isReplay: boolean }> {
  const { platformId, vault } = request.caller;
  if (!(await claimIdempotencyKey(transaction, platformId, request.key))) {
    throw refusal('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running');
  }
  const known = await replay(transaction, request);
  if (known) return { answer: known, isReplay: true };
  const answer = await work();
  const stored: StoredAnswer = {
    fingerprint: fingerprint(request),
    status_code: answer.status,
    location: answer.location,
    etag: answer.etag,
    body_sealed: vault.seal(placeOf(request.key), answer.payload),
  };
  await storeAnswer(transaction, platformId, request.key, stored);
  return { answer, isReplay: false };
}

const placeOf = (key: string) => `idempotency_keys/${key}`;

// The owner is part of it: a key restricted to a merchant never sees the answer of one that is not.
function fingerprint({ method, path, body, caller }: IdempotentRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, caller.merchantExternalId]))
    .update(body)
    .digest();
}
