/** The HTTP server: what holds for every request before and after its operation. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '#infra/log';
import { invalidRequest, notFound, Problem } from '#kernel/problem';
import { bind, type Route, type Surroundings } from './bind.ts';
import type { Caller } from './caller.ts';
import { errorBody, problemOf } from './problem-reply.ts';
import type { RateLimit } from './rate-limit.ts';
import { readStrictJson } from './strict-json.ts';

export interface ServerOptions extends Surroundings {
  routes: readonly Route[];
  /** The caller of an `Authorization` header, or null for anything but a key that is good now. */
  authenticate(authorization: string | undefined): Promise<Caller | null> | Caller | null;
  rateLimit: RateLimit | null;
  log: Log;
  /** Where reasons are explained; each has an anchor. */
  docsUrl: string;
}

const BODY_BYTES_MAX = 256 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
const CONNECTIONS_CHECK_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const CONNECTIONS_MAX = 10_000;

export function createServer(options: ServerOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CONNECTIONS_CHECK_MS },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => `req_${randomUUID()}`,
    logger: false,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, options.docsUrl),
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, options),
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: false },
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options));
  app.setNotFoundHandler((request, reply) =>
    sendProblem(missingRoute(request.url, reply, options.routes), request, reply, options),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id);
    refuseOddRequest(request.raw);
  });
  readJsonBodies(app);
  logAnswers(app, options.log);

  app.register(async (api) => {
    api.decorateRequest('caller', null as never);
    api.addHook('onRequest', async (request, reply) => {
      const found = options.authenticate(request.headers.authorization);
      const caller = found instanceof Promise ? await found : found;
      if (!caller) throw new Problem('UNAUTHORIZED');
      request.caller = caller;
      options.rateLimit?.take(caller.keyId, (name, value) => reply.header(name, value));
    });
    for (const route of options.routes) bind(api, route, options);
  });
  return app;
}

/**
 * What Node's parser lets through and two programs on the way could read differently: a second Host, an absolute-form
 * target, a GET with a body, chunks in HTTP/1.0.
 */
function refuseOddRequest(raw: IncomingMessage): void {
  const refuse = (path: string, message: string) => {
    throw invalidRequest([{ code: 'INVALID_VALUE', path, message }]);
  };
  if (raw.headersDistinct.host?.length !== 1) refuse('headers.host', 'must be sent exactly once');
  if (!raw.url?.startsWith('/')) refuse('headers', 'the request target must be a path');
  const isChunked = raw.headers['transfer-encoding'] !== undefined;
  if (isChunked && raw.httpVersion === '1.0')
    refuse('headers.transfer-encoding', 'does not exist in HTTP/1.0');
  const hasBody = isChunked || Number(raw.headers['content-length'] ?? 0) > 0;
  if (hasBody && (raw.method === 'GET' || raw.method === 'HEAD'))
    refuse('body', `${raw.method} takes no body`);
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    const isIdentity = (request.headers['content-encoding'] ?? 'identity') === 'identity';
    if ((charset && !/^utf-?8$/i.test(charset)) || !isIdentity)
      return done(new Problem('UNSUPPORTED_MEDIA_TYPE'));
    request.rawBody = bytes;
    if (bytes.length === 0) return done(null, undefined);
    const reading = readStrictJson(bytes);
    if (reading.ok) done(null, reading.value);
    else done(invalidRequest([reading.issue]));
  });
}

function logAnswers(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        platform_id: request.caller?.platformId,
        key_id: request.caller?.keyId,
      },
      'request',
    );
  });
}

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, docsUrl }: ServerOptions,
): FastifyReply {
  const problem = problemOf(error);
  if (problem.status >= 500) log.error({ request_id: request.id, err: error as Error }, problem.message);
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  // The rest of an unread body must not be taken for the next request.
  if (request.raw.readableEnded === false && problem.status !== 404) reply.header('connection', 'close');
  return reply
    .code(problem.status)
    .header('request-id', request.id)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(problem, request.id, docsUrl));
}

function missingRoute(url: string, reply: FastifyReply, routes: readonly Route[]): Problem {
  const path = url.split('?')[0] as string;
  const allowed = routes
    .filter(([, pattern]) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(([method]) => method);
  if (allowed.length === 0) return notFound();
  reply.header('allow', [...new Set(allowed)].sort().join(', '));
  return new Problem('METHOD_NOT_ALLOWED');
}

/** What never became a request: not HTTP, headers too large, or too slow. The connection ends with the answer. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const problem =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Problem('REQUEST_TIMEOUT')
      : invalidRequest([
          {
            code: 'INVALID_FORMAT',
            path: 'headers',
            message:
              error.code === 'HPE_HEADER_OVERFLOW'
                ? 'are larger than 16 KiB'
                : 'this is not a well-formed HTTP/1.1 request',
          },
        ]);
  const requestId = `req_${randomUUID()}`;
  const body = JSON.stringify(errorBody(problem, requestId, docsUrl));
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.message}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
