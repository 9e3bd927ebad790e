/** Binds an operation to a route: translates HTTP to `runOperation` and back. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#infra/database/database';
import type { FileStore } from '#infra/files/file-store';
import type { OutboundHttp } from '#infra/outbound/http';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { Risk } from '#kernel/risk-source';
import type { Caller } from '#operation/caller';
import type { AnsweredFile } from '#operation/file-body';
import { idempotencyOf, type SerializedAnswer } from '#operation/idempotency';
import { compileInputReader, type RawInput } from '#operation/input-reader';
import {
  type AnyOperation,
  type Context,
  type Deprecation,
  type OperationResult,
  type OwnRateLimit,
  statusesOf,
  UNDER_REVIEW_STATUS,
} from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { compressedAnswer, negotiateEncoding } from './compression.ts';
import { connectionSignal } from './connection-signal.ts';
import { encodedEtag, etagOf, matchesNoneMatch, versionAssertion } from './entity-tag.ts';
import { sendFile } from './file-answer.ts';
import { fileOf } from './file-bodies.ts';
import type { Malformation } from './protocol-guard.ts';
import type { JsonPath } from './strict-json.ts';

/** [method, path, operation, the path of a created resource]. `{name}` in a path is a parameter. */
export type Route = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  operation: AnyOperation,
  location?: string,
];

/** The dependencies of bound operations. */
export interface Deps {
  db: Db;
  clocks: PlatformClocks;
  files: FileStore;
  outbound: OutboundHttp;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
  /** The URL at which the client of a request, or any client, reaches the service, without a trailing slash; known once it listens. */
  baseUrl(request?: FastifyRequest): string;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  /** Called after a write is committed: events may be waiting to be delivered. */
  onCommitted(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    rawBody: Buffer;
    /** The paths of integers in the body that are written with a fraction or an exponent. */
    decimals?: readonly JsonPath[];
    malformation: Malformation | null;
  }
  interface FastifyContextConfig {
    /** The route needs an API key. */
    isKeyed?: true;
    ownRateLimit?: OwnRateLimit;
    deprecationHeaders?: Record<string, string>;
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
    const payload = reply.code(status).serialize(result.body) as string;
    return {
      status,
      location: location ? fillPath(location, result.body as Record<string, unknown>) : null,
      etag: etagOf(result, payload),
      payload,
    };
  };

  const depsOf = ({ raw }: FastifyRequest): Deps =>
    operation.mayWait ? { ...deps, stopping: connectionSignal(raw.socket, deps.stopping) } : deps;

  const answerFile = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = contextOf(request, deps);
    const answerOf = (result: OperationResult<unknown>) => result.file as AnsweredFile;
    const input = inputOf(operation, request);
    return sendFile(request, reply, await runOperation(operation, { context, input, readInput, answerOf }));
  };

  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      response: Object.fromEntries(statusesOf(operation).map((status) => [status, operation.response])),
    },
    config: {
      isKeyed: true,
      ...(operation.rateLimit && { ownRateLimit: operation.rateLimit }),
      ...(operation.mayWait && { mayWait: operation.mayWait }),
      ...(operation.fileBody && { fileBody: operation.fileBody }),
      ...(operation.deprecated && { deprecationHeaders: deprecationHeaders(operation.deprecated) }),
    },
    ...(operation.fileBody && { bodyLimit: operation.fileBody.bytesMax }),
    async handler(request, reply) {
      if (operation.answersFile) return answerFile(request, reply);
      const idempotencyKey = isPost ? request.headers['idempotency-key'] : undefined;
      const answer = await runOperation(operation, {
        context: contextOf(request, depsOf(request)),
        input: inputOf(operation, request, idempotencyKey),
        readInput,
        answerOf: (result) => serialized(reply, result),
        idempotency: idempotencyKey === undefined ? undefined : idempotencyOn(request, idempotencyKey),
        onCommitted,
      });
      setHeaders(reply, answer);
      const encoding = operation.hasSecret ? null : negotiateEncoding(request, reply, answer.payload);
      if (answer.etag !== null) {
        reply.header('etag', encoding === null ? answer.etag : encodedEtag(answer.etag, encoding));
        const { 'if-none-match': ifNoneMatch } = request.headers;
        if (method === 'GET' && ifNoneMatch !== undefined && matchesNoneMatch(ifNoneMatch, answer.etag)) {
          sendNotModified(reply);
          return;
        }
      }
      // Returns nothing: a reply is a thenable, so returning it from an async handler would await it again.
      reply.send(encoding === null ? answer.payload : await compressedAnswer(answer.payload, encoding));
    },
  });
}

function inputOf(
  { fileBody }: AnyOperation,
  request: FastifyRequest,
  idempotencyKey?: string | string[],
): RawInput {
  const params = request.params as Record<string, unknown>;
  const query = request.query as Record<string, unknown>;
  // Spreading into the object would give V8 a new object shape for each combination.
  if (fileBody) return { params, query, file: fileOf(request), idempotencyKey };
  return { params, query, body: request.body, decimals: request.decimals, idempotencyKey };
}

function contextOf(
  request: FastifyRequest,
  { db, clocks, files, outbound, registries, risk, isSandbox, baseUrl, stopping }: Deps,
): Context {
  const { caller, headers } = request;
  return {
    db,
    platformId: caller.platformId,
    caller,
    actor: `api_key:${caller.keyId}`,
    now: clocks.now(caller.platformId),
    timeZone: caller.timeZone,
    clocks,
    vault: caller.vault,
    files,
    outbound,
    registries,
    risk,
    isSandbox,
    baseUrl: baseUrl(request),
    stopping,
    assertVersion: versionAssertion(headers['if-match']),
  };
}

function idempotencyOn({ method, url, rawBody = NO_BODY, caller }: FastifyRequest, key: string | string[]) {
  // The input reader refuses a header that is not one key, before anything uses it.
  return idempotencyOf({ key: key as string, method, path: url, body: rawBody, caller });
}

function setHeaders(reply: FastifyReply, { status, location, isReplay }: SerializedAnswer): void {
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  if (location !== null) reply.header('location', location);
  if (isReplay) reply.header('idempotency-replayed', 'true');
}

/** 304 with the headers of the 200, except those of the content (RFC 9110 §15.4.5). */
function sendNotModified(reply: FastifyReply): void {
  reply.removeHeader('content-type').removeHeader('content-encoding').code(304).send();
}

/** RFC 9745, RFC 8594. */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${since}`,
    sunset: new Date(sunset * 1_000).toUTCString(),
    ...(link !== undefined && { link: `<${link}>; rel="deprecation"; type="text/html"` }),
  };
}

function fillPath(path: string, body: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(body[name])));
}
