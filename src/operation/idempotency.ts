/**
 * `Idempotency-Key`: a repeated request gets the answer of the first one and has no second effect. Key, work and answer
 * are stored in one transaction, so an effect without a stored answer cannot exist. A refused request changed nothing: it
 * is not stored, and its key can be used again.
 *
 * An operation with `finish` stores the unfinished answer with its work. Until it has finished, a repeated request is
 * refused with IDEMPOTENCY_IN_PROGRESS. If the first call died, the repeated one finishes it: the work is still done once,
 * but the answer lacks what the dead call did in `finish`.
 */
import { createHash } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { type Issue, Problem, refusal } from '#kernel/problem';
import { REASONS } from '#kernel/problem-reasons';
import type { Caller } from './caller.ts';
import {
  claimIdempotencyKey,
  findStoredAnswer,
  finishStoredAnswer,
  type StoredAnswer,
  storeAnswer,
  takeOverFinishing,
} from './idempotency.queries.ts';

/** Prevents a call from taking effect twice. */
export interface Idempotency<Answer> {
  /** The finished answer of the same request, if one exists. Throws if the key was used for another request. */
  findAnswer(db: Db): Promise<Answer | undefined>;
  /** Claims the key, runs the work once and stores its answer. Call it in the transaction of the work. */
  runOnce(
    transaction: Db,
    work: () => Promise<Answer>,
    hasFinish: boolean,
  ): Promise<{ answer: Answer; isUnfinished: boolean }>;
  storeFinished(db: Db, answer: Answer): Promise<void>;
  /** The body of the answer. */
  bodyOf(answer: Answer): unknown;
}

export interface SerializedAnswer {
  status: number;
  location: string | null;
  etag: string | null;
  /** The serialized body. */
  payload: string;
  /** Stored by an earlier request with the same key. */
  isReplay?: true;
}

export interface IdempotentRequest {
  key: string;
  method: string;
  path: string;
  body: Buffer;
  caller: Caller;
}

/** The issues of the header's key; none if it is valid. */
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

/** Binds the stored answers of `Idempotency-Key` to one request. */
export function idempotencyOf(request: IdempotentRequest): Idempotency<SerializedAnswer> {
  const { key } = request;
  const { platformId, vault } = request.caller;
  const boundTo = `idempotency_keys/${key}`;

  const findStored = async (db: Db): Promise<StoredAnswer | undefined> => {
    const stored = await findStoredAnswer(db, platformId, key);
    if (stored && !stored.fingerprint.equals(fingerprint(request)))
      throw refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request');
    if (stored?.finishing === 'UNDER_WAY') throw inProgress();
    return stored;
  };
  const answerOf = (stored: StoredAnswer): SerializedAnswer => ({
    status: stored.status_code,
    location: stored.location,
    etag: stored.etag,
    payload: vault.open(boundTo, stored.body_sealed),
    ...(stored.finishing === 'DONE' && { isReplay: true }),
  });

  return {
    async findAnswer(db) {
      const stored = await findStored(db);
      return stored?.finishing === 'DONE' ? answerOf(stored) : undefined;
    },

    async runOnce(transaction, work, hasFinish) {
      if (!(await claimIdempotencyKey(transaction, platformId, key))) throw inProgress();
      const known = await findStored(transaction);
      if (known?.finishing === 'LEFT_BEHIND') await takeOverFinishing(transaction, platformId, key);
      if (known) return { answer: answerOf(known), isUnfinished: known.finishing === 'LEFT_BEHIND' };
      const answer = await work();
      await storeAnswer(transaction, platformId, key, {
        fingerprint: fingerprint(request),
        status_code: answer.status,
        location: answer.location,
        etag: answer.etag,
        body_sealed: vault.seal(boundTo, answer.payload),
        finishing: hasFinish ? 'UNDER_WAY' : 'DONE',
      });
      return { answer, isUnfinished: hasFinish };
    },

    storeFinished: (db, answer) =>
      finishStoredAnswer(db, platformId, key, vault.seal(boundTo, answer.payload)),

    bodyOf: (answer) => JSON.parse(answer.payload),
  };
}

/** The running request holds the key for the duration of one transaction, or of one `finish`. */
const IN_PROGRESS_RETRY_AFTER_SECONDS = 1;

function inProgress(): Problem {
  const reason = 'IDEMPOTENCY_IN_PROGRESS';
  return new Problem(REASONS[reason].code, {
    reason,
    error: 'A request with this Idempotency-Key is still running',
    retryAfterSeconds: IN_PROGRESS_RETRY_AFTER_SECONDS,
  });
}

// Includes the merchant, so that a key restricted to a merchant never sees the answer of an unrestricted one.
function fingerprint({ method, path, body, caller }: IdempotentRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, caller.merchantExternalId]))
    .update(body)
    .digest();
}
