/** Binds an operation to a route: HTTP in, `runOperation`, HTTP out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#infra/database/database';
import type { OutboundHttp } from '#infra/outbound/http';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { Risk } from '#kernel/risk-source';
import type { Caller } from '#operation/caller';
import { idempotencyOf, type SerializedAnswer } from '#operation/idempotency';
import { compileInputReader } from '#operation/input-reader';
import {
  type AnyOperation,
  type Context,
  type OperationResult,
  type OwnRateLimit,
  statusesOf,
  UNDER_REVIEW_STATUS,
} from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { etagOf, versionAssertion } from './entity-tag.ts';

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
  const readInput = compileInputReader(operation);
  const onCommitted = () => deps.onCommitted();
  const serialized = (reply: FastifyReply, result: OperationResult<unknown>): SerializedAnswer => {
    const status = result.isUnderReview ? UNDER_REVIEW_STATUS : operation.status;
    return {
      status,
      location: location ? fillPath(location, result.body as Record<string, unknown>) : null,
      etag: result.version === undefined ? null : etagOf(result.version),
      payload: reply.code(status).serialize(result.body) as string,
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
      const idempotencyKey = isPost ? request.headers['idempotency-key'] : undefined;
      const answer = await runOperation(operation, {
        context: contextOf(request, deps),
        input: {
          params: request.params as Record<string, unknown>,
          query: request.query as Record<string, unknown>,
          body: request.body,
          idempotencyKey,
        },
        readInput,
        answerOf: (result) => serialized(reply, result),
        idempotency: idempotencyKey === undefined ? undefined : idempotencyOn(request, idempotencyKey),
        onCommitted,
      });
      // Nothing is returned: a reply that an async handler returns is a thenable, and awaited once more.
      sendAnswer(reply, answer);
    },
  });
}

function contextOf(
  { caller, headers }: FastifyRequest,
  { db, clocks, outbound, registries, risk, isSandbox, baseUrl }: Deps,
): Context {
  return {
    db,
    platformId: caller.platformId,
    caller,
    actor: `api_key:${caller.keyId}`,
    now: clocks.now(caller.platformId),
    clocks,
    vault: caller.vault,
    outbound,
    registries,
    risk,
    isSandbox,
    baseUrl: baseUrl(),
    assertVersion: versionAssertion(headers['if-match']),
  };
}

function idempotencyOn({ method, url, rawBody = NO_BODY, caller }: FastifyRequest, key: string | string[]) {
  // The input reader refuses a header that is not one key, before anything uses it.
  return idempotencyOf({ key: key as string, method, path: url, body: rawBody, caller });
}

function sendAnswer(reply: FastifyReply, answer: SerializedAnswer): void {
  reply.code(answer.status).header('content-type', 'application/json; charset=utf-8');
  if (answer.location !== null) reply.header('location', answer.location);
  if (answer.etag !== null) reply.header('etag', answer.etag);
  if (answer.isReplay) reply.header('idempotency-replayed', 'true');
  reply.send(answer.payload);
}

function fillPath(path: string, body: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(body[name]));
}
