/**
 * `Idempotency-Key`: the same request sent again gets the first one's answer, and has no second effect. Key and work are
 * in one transaction, so an effect without a stored answer cannot exist. A request that was refused changed nothing,
 * stores nothing, and is judged anew when it comes again.
 *
 * Where an operation goes on after its transaction (`finish`), the answer that is stored with the work is the unfinished
 * one. Until it is finished a repeated request is told that the first is still running; and where that one died, the
 * repeated request finishes it. So the work is done once even then; what is lost is the part of the answer that told
 * what the dead call had done after its transaction.
 */
import { createHash } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { type Issue, refusal } from '#kernel/problem';
import type { Caller } from './caller.ts';
import {
  claimIdempotencyKey,
  findStoredAnswer,
  finishStoredAnswer,
  type StoredAnswer,
  storeAnswer,
  takeOverFinishing,
} from './idempotency.queries.ts';

export interface SerializedAnswer {
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

/**
 * The stored answer of the same request, or null where this is the first, or the first to finish it. Throws where the key
 * was used for another.
 */
export async function replay(db: Db, request: IdempotentRequest): Promise<SerializedAnswer | null> {
  const stored = await findStored(db, request);
  if (stored?.finishing === 'UNDER_WAY') throw inProgress();
  return stored?.finishing === 'DONE' ? answerOf(stored, request) : null;
}

async function findStored(db: Db, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
  const stored = await findStoredAnswer(db, request.caller.platformId, request.key);
  if (stored && !stored.fingerprint.equals(fingerprint(request))) {
    throw refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request');
  }
  return stored;
}

function answerOf(stored: StoredAnswer, request: IdempotentRequest): SerializedAnswer {
  return {
    status: stored.status_code,
    location: stored.location,
    etag: stored.etag,
    payload: request.caller.vault.open(placeOf(request.key), stored.body_sealed),
  };
}

function inProgress() {
  return refusal('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running');
}

/**
 * Inside the transaction of the work: claims the key, does the work once, stores its answer. With `isToBeFinished` the
 * caller goes on with an answer that is no replay, and then tells it with `storeFinished`.
 */
export async function once(
  transaction: Db,
  request: IdempotentRequest,
  work: () => Promise<SerializedAnswer>,
  isToBeFinished: boolean,
): Promise<{ answer: SerializedAnswer; isReplay: boolean }> {
  const { platformId, vault } = request.caller;
  if (!(await claimIdempotencyKey(transaction, platformId, request.key))) throw inProgress();
  const known = await findStored(transaction, request);
  if (known?.finishing === 'UNDER_WAY') throw inProgress();
  if (known?.finishing === 'LEFT_BEHIND') await takeOverFinishing(transaction, platformId, request.key);
  if (known) return { answer: answerOf(known, request), isReplay: known.finishing === 'DONE' };
  const answer = await work();
  const stored: StoredAnswer = {
    fingerprint: fingerprint(request),
    status_code: answer.status,
    location: answer.location,
    etag: answer.etag,
    body_sealed: vault.seal(placeOf(request.key), answer.payload),
    finishing: isToBeFinished ? 'UNDER_WAY' : 'DONE',
  };
  await storeAnswer(transaction, platformId, request.key, stored);
  return { answer, isReplay: false };
}

/** What the request is answered from now on. */
export async function storeFinished(
  db: Db,
  { key, caller: { platformId, vault } }: IdempotentRequest,
  answer: SerializedAnswer,
): Promise<void> {
  await finishStoredAnswer(db, platformId, key, vault.seal(placeOf(key), answer.payload));
}

const placeOf = (key: string) => `idempotency_keys/${key}`;

// The owner is part of it: a key restricted to a merchant never sees the answer of one that is not.
function fingerprint({ method, path, body, caller }: IdempotentRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, caller.merchantExternalId]))
    .update(body)
    .digest();
}
