/** Binds an operation to a route: validate, open the one transaction, run, answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { OutboundHttp } from '#infra/outbound/http';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { CompanyRegistries } from '#kernel/company-registries';
import { type Issue, invalidRequest, refusal } from '#kernel/problem';
import type { Risk } from '#kernel/risk-source';
import type { Caller } from '#operation/caller';
import {
  type IdempotentRequest,
  idempotencyKeyIssues,
  once,
  replay,
  type SerializedAnswer,
  storeFinished,
} from '#operation/idempotency';
import {
  type AnyOperation,
  type Context,
  etagOf,
  type OperationResult,
  type OwnRateLimit,
  statusesOf,
  UNDER_REVIEW_STATUS,
  versionAssertion,
} from '#operation/operation';
import { compileQueryReader, compileValidator, ISSUES_MAX, type Validator } from '#operation/validation';

/** [method, path, operation, where a created thing is found]. `{name}` in a path is a parameter. */
export type Route = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  operation: AnyOperation,
  location?: string,
];

/** What bound operations run with. */
export interface Deps {
  db: Db;
  clocks: PlatformClocks;
  outbound: OutboundHttp;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
  /** Where the service is reached, without a slash at its end; known once it listens. */
  baseUrl(): string;
  /** Called after a write is committed: events may be waiting to be delivered. */
  onCommitted(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    rawBody: Buffer;
  }
  interface FastifyContextConfig {
    ownRateLimit?: OwnRateLimit;
  }
}

const NO_BODY = Buffer.alloc(0);

export function bind(app: FastifyInstance, route: Route, deps: Deps): void {
  const [method, path, operation, location] = route;
  const isPost = method === 'POST';
  const readInput = compileInputReader(operation, isPost);
  const answerOf = (reply: FastifyReply, outcome: OperationResult<unknown>): SerializedAnswer => {
    const status = outcome.isUnderReview ? UNDER_REVIEW_STATUS : operation.status;
    return {
      status,
      location: location ? fillPath(location, outcome.body as Record<string, unknown>) : null,
      etag: outcome.version === undefined ? null : etagOf(outcome.version),
      payload: reply.code(status).serialize(outcome.body) as string,
    };
  };

  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      response: Object.fromEntries(statusesOf(operation).map((status) => [status, operation.response])),
    },
    ...(operation.rateLimit && { config: { ownRateLimit: operation.rateLimit } }),
    async handler(request, reply) {
      const { caller } = request;
      assertScope(caller, operation);
      const input = readInput(request);
      const key = isPost ? (request.headers['idempotency-key'] as string | undefined) : undefined;
      const contextOn = contextMaker(request, deps);
      let prepared: unknown;
      const prepare = async () => {
        prepared = await operation.prepare?.(contextOn(deps.db), input);
      };
      const work = async (db: Db) => answerOf(reply, await operation.run(contextOn(db), input, prepared));
      const finish = async (answer: SerializedAnswer) => {
        if (!operation.finish) return answer;
        deps.onCommitted();
        const answered = JSON.parse(answer.payload) as never;
        return answerOf(reply, await operation.finish(contextOn(deps.db), input, answered));
      };

      if (key !== undefined) {
        const idempotent: IdempotentRequest = {
          key,
          method,
          path: request.url,
          body: request.rawBody ?? NO_BODY,
          caller,
        };
        const known = await replay(deps.db, idempotent);
        if (known) return sendAnswer(reply, known, true);
        await prepare();
        const { answer, isReplay } = await inTransaction(deps.db, (transaction) =>
          once(transaction, idempotent, () => work(transaction), operation.finish !== undefined),
        );
        const finished = isReplay ? answer : await finish(answer);
        if (finished !== answer) await storeFinished(deps.db, idempotent, finished);
        deps.onCommitted();
        return sendAnswer(reply, finished, isReplay);
      }
      if (operation.prepare) await prepare();
      const answer =
        operation.effect === 'transaction'
          ? await finish(await inTransaction(deps.db, work))
          : await work(deps.db);
      // A statement by itself records no event.
      if (operation.effect === 'transaction' || operation.effect === 'own') deps.onCommitted();
      // Nothing is returned: a reply that an async handler returns is a thenable, and awaited once more.
      sendAnswer(reply, answer, false);
    },
  });
}

function assertScope({ scopes }: Caller, { scope }: AnyOperation): void {
  if (scope === 'any' || scopes.has(scope) || scopes.has('admin')) return;
  throw refusal('INSUFFICIENT_SCOPE', `This API key lacks the scope ${scope}`, { scope });
}

function contextMaker(
  request: FastifyRequest,
  { clocks, outbound, registries, risk, isSandbox, baseUrl }: Deps,
): (db: Db) => Context {
  const { caller } = request;
  const assertVersion = versionAssertion(request.headers['if-match']);
  const now = clocks.now(caller.platformId);
  return (db) => ({
    db,
    platformId: caller.platformId,
    caller,
    actor: `api_key:${caller.keyId}`,
    now,
    clocks,
    vault: caller.vault,
    outbound,
    registries,
    risk,
    isSandbox,
    baseUrl: baseUrl(),
    assertVersion,
  });
}

function sendAnswer(reply: FastifyReply, answer: SerializedAnswer, isReplay: boolean): FastifyReply {
  reply.code(answer.status).header('content-type', 'application/json; charset=utf-8');
  if (answer.location !== null) reply.header('location', answer.location);
  if (answer.etag !== null) reply.header('etag', answer.etag);
  if (isReplay) reply.header('idempotency-replayed', 'true');
  return reply.send(answer.payload);
}

/** Validates params, query, headers and body together, so that the caller learns of everything at once. */
function compileInputReader(
  operation: AnyOperation,
  isPost: boolean,
): (request: FastifyRequest) => { params: never; query: never; body: never } {
  const validateParams = operation.params && compileValidator(operation.params, 'params');
  const readQuery = operation.query && compileQueryReader(operation.query);
  const validateQuery = operation.query && compileValidator(operation.query, 'query');
  const validateBody = operation.body && compileValidator(operation.body, 'body');

  return (request) => {
    const issues: Issue[] = [];
    const params = request.params as Record<string, unknown>;
    const query = readQuery ? readQuery(request.query as Record<string, unknown>) : request.query;
    const body = request.body === undefined && operation.isBodyOptional ? {} : request.body;
    if (validateParams) issues.push(...validateParams(params));
    issues.push(...(validateQuery ? validateQuery(query) : unknownParameters(query)));
    if (isPost) issues.push(...idempotencyKeyIssues(request.headers['idempotency-key']));
    issues.push(...bodyIssues(body, validateBody));
    if (issues.length > 0) throw invalidRequest(issues);
    return { params: params as never, query: query as never, body: body as never };
  };
}

function unknownParameters(query: unknown): Issue[] {
  const names = Object.keys(query as object).slice(0, ISSUES_MAX);
  return names.map((name) => ({
    code: 'UNRECOGNIZED_KEYS',
    path: `query.${name}`,
    message: 'is not a known parameter',
  }));
}

function bodyIssues(body: unknown, validate: Validator | undefined): Issue[] {
  if (validate)
    return body === undefined ? [{ code: 'REQUIRED', path: 'body', message: 'is required' }] : validate(body);
  // Clients that always send a body send `{}` where there is nothing to say.
  const isEmpty =
    body === undefined ||
    (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0);
  return isEmpty
    ? []
    : [{ code: 'UNRECOGNIZED_KEYS', path: 'body', message: 'this operation takes no body' }];
}

function fillPath(path: string, body: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(body[name]));
}
