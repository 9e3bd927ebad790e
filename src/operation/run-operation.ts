/** Runs one call of an operation, for routes, commands and the demo story alike. */
import type { Static, TSchema } from 'typebox';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { Problem, refusal } from '#kernel/problem';
import { type Caller, hasScope } from './caller.ts';
import type { Idempotency } from './idempotency.ts';
import type { InputReader, RawInput } from './input-reader.ts';
import type { AnyOperation, Context, Operation, OperationResult } from './operation.ts';

/** Moving a platform takes minutes. */
const RELOCATION_RETRY_SECONDS = 30;

export interface OperationCall<Answer> {
  /** `db` is the database, or a transaction that several calls share. */
  context: Context;
  input: RawInput;
  /** Validates `input` and throws BAD_REQUEST. Without it, the input is passed on unchanged. */
  readInput?: InputReader;
  /** Turns the result into the answer; by default its body. Runs inside the transaction, which a throw rolls back. */
  answerOf?(result: OperationResult<unknown>): Answer;
  idempotency?: Idempotency<Answer> | undefined;
  /** Called after each commit: events may be waiting to be delivered. */
  onCommitted?(): void;
}

/**
 * Checks the scope and the input, prepares, runs in the transaction that the operation's `effect` asks for, commits and finishes. Throws a
 * Problem if the call is refused.
 */
export async function runOperation<R extends TSchema, Answer = Static<R>>(
  // biome-ignore lint/suspicious/noExplicitAny: the input's types belong to the caller, who knows the schemas.
  operation: Operation<any, any, any, R, any>,
  call: OperationCall<Answer>,
): Promise<Answer> {
  const { context, idempotency, answerOf = bodyOf, onCommitted = doNothing } = call;
  assertScope(context.caller, operation);
  assertWritable(context.caller, operation);
  const input = (call.readInput ? call.readInput(call.input) : withDefaults(call.input)) as never;
  const known = idempotency && (await idempotency.findAnswer(context.db));
  if (known) return known;

  const prepared = operation.prepare && (await operation.prepare(context, input));
  const run = (db: Db) => operation.run(db === context.db ? context : { ...context, db }, input, prepared);
  const finish = async (body: Static<R>) => {
    onCommitted();
    return answerOf((await operation.finish?.(context, input, body)) as OperationResult<unknown>) as Answer;
  };

  if (idempotency) {
    const work = async (db: Db) => answerOf(await run(db)) as Answer;
    const stored = await inTransaction(context.db, (transaction) =>
      idempotency.runOnce(transaction, () => work(transaction), operation.finish !== undefined),
    );
    onCommitted();
    if (!stored.isUnfinished) return stored.answer;
    const finished = await finish(idempotency.bodyOf(stored.answer) as Static<R>);
    await idempotency.storeFinished(context.db, finished);
    onCommitted();
    return finished;
  }
  if (operation.effect !== 'transaction' || context.db.isTransaction) {
    const answer = answerOf(await run(context.db)) as Answer;
    // A single statement records no event.
    if (operation.effect === 'own') onCommitted();
    return answer;
  }
  const { body, answer } = await inTransaction(context.db, async (transaction) => {
    const result = await run(transaction);
    return { body: result.body, answer: answerOf(result) as Answer };
  });
  const finished = operation.finish ? await finish(body) : answer;
  onCommitted();
  return finished;
}

function assertScope(caller: Caller, { scope }: Pick<AnyOperation, 'scope'>): void {
  if (scope === 'any' || hasScope(caller, scope)) return;
  throw refusal('INSUFFICIENT_SCOPE', `This API key lacks the scope ${scope}`, { scope });
}

/** A change made after the platform was copied would be lost. */
function assertWritable({ isReadOnly }: Caller, { effect }: Pick<AnyOperation, 'effect'>): void {
  if (!isReadOnly || effect === 'read') return;
  throw new Problem('SERVICE_UNAVAILABLE', {
    error: 'The platform is being moved and is read-only until the move ends',
    retryAfterSeconds: RELOCATION_RETRY_SECONDS,
  });
}

const withDefaults = ({ params = {}, query = {}, body, file }: RawInput) => ({ params, query, body, file });
const bodyOf = ({ body }: OperationResult<unknown>) => body;
const doNothing = () => {};
