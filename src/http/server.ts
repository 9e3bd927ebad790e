/** The HTTP server: the rules for every request, before and after its operation. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import { readBearerKey } from '#kernel/api-key';
import { invalidRequest, Problem, refusal } from '#kernel/problem';
import { CODES } from '#kernel/problem-codes';
import type { Caller } from '#operation/caller';
import type { OwnRateLimit } from '#operation/operation';
import type { RateLimit } from '#operation/rate-limit';
import { bind, type Deps, type Route } from './bind.ts';
import { compressed, negotiateEncoding } from './compression.ts';
import { readFileBodies } from './file-bodies.ts';
import type { TrustProxy } from './forwarded.ts';
import { missingRouteFinder } from './missing-route.ts';
import { errorBody, isDefect, problemOf } from './problem-reply.ts';
import {
  continueWhenRead,
  endWithAnswer,
  findMalformation,
  HEADER_BYTES_MAX,
  hasBody,
  type Malformation,
  newRequestId,
  refuseConnection,
  requestTarget,
} from './protocol-guard.ts';
import { measureRequests } from './request-metrics.ts';
import { traceRequests } from './request-traces.ts';
import { trackRequests } from './running-requests.ts';
import { isShed, shedLoad } from './shed-load.ts';
import { readStrictJson } from './strict-json.ts';

export interface ServerOptions extends Deps {
  routes: readonly Route[];
  isTrustedProxy: TrustProxy;
  /** The caller of an `Authorization` header, or null for anything but a currently valid key. */
  authenticate(authorization: string | undefined): Promise<Caller | null> | Caller | null;
  rateLimit: RateLimit | null;
  /** Limits of single operations. Their requests also count towards `rateLimit`. */
  ownRateLimits: Record<OwnRateLimit, RateLimit | null>;
  clock: Pick<Clock, 'elapsedMs'>;
  log: Log;
  /** The registry for the metrics of requests; null if they are not measured. */
  metrics: Registry | null;
  isTraced: boolean;
  /** May answer an address that cannot be decoded, for pages that people open. Returns whether it did. */
  answerMalformedAddress?(request: FastifyRequest, reply: FastifyReply): boolean;
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
    trustProxy: options.isTrustedProxy,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // The protocol guard refuses a missing Host, as a problem.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newRequestId,
    logger: false,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, docsUrlOf(options)),
    frameworkErrors: (error, request, reply) => {
      if (!options.answerMalformedAddress?.(request, reply)) sendProblem(error, request, reply, options);
    },
    rewriteUrl: requestTarget,
    // The schema limits the length of an id.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  // Without these listeners Node answers both expectations before the request is judged.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    app.server.emit('request', request, response);
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options));
  const routes = options.routes.filter(([, , { isSandboxOnly }]) => options.isSandbox || !isSandboxOnly);
  const missing = missingRouteFinder(routes);
  app.setNotFoundHandler((request, reply) => sendProblem(missing(request, reply), request, reply, options));
  trackRequests(app);
  if (options.isTraced) traceRequests(app);
  guardRequests(app, missing);
  shedLoad(app, options);
  readJsonBodies(app);
  logAnswers(app, options.log);
  if (options.metrics) measureRequests(app, options.metrics);

  app.register(async (api) => {
    admitCallers(api, options);
    for (const route of routes.filter(([, , { fileBody }]) => !fileBody)) bind(api, route, options);
    api.register(async (files) => {
      readFileBodies(files, () => docsUrlOf(options));
      for (const route of routes.filter(([, , { fileBody }]) => fileBody)) bind(files, route, options);
    });
  });
  return app;
}

/** Refuses malformed requests, unknown paths and methods, before the body is read. */
function guardRequests(
  app: FastifyInstance,
  missing: (request: FastifyRequest, reply: FastifyReply) => Problem,
): void {
  app.decorateRequest('malformation', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    const malformation = findMalformation(request.raw);
    if (malformation && !malformation.isOfBody) refuseMalformed(malformation, reply);
    // Checked here because the handler is called only after the body was read.
    if (request.is404) throw missing(request, reply);
    if (malformation && request.routeOptions.config.isKeyed) request.malformation = malformation;
    else if (malformation) refuseMalformed(malformation, reply);
    done();
  });
}

/** Finds the caller of each request and counts it towards the rate limits, before the body is examined. */
function admitCallers(
  api: FastifyInstance,
  {
    authenticate,
    rateLimit,
    ownRateLimits,
  }: Pick<ServerOptions, 'authenticate' | 'rateLimit' | 'ownRateLimits'>,
): void {
  api.decorateRequest('caller', null as never);
  const admit = (caller: Caller | null, request: FastifyRequest, reply: FastifyReply) => {
    if (!caller) throw unauthorized(request.headers.authorization);
    request.caller = caller;
    const { ownRateLimit, deprecationHeaders } = request.routeOptions.config;
    if (deprecationHeaders) reply.headers(deprecationHeaders);
    const setHeader = (name: string, value: string) => reply.header(name, value);
    rateLimit?.take(caller.keyId, setHeader);
    // The headers of the narrower limit replace those of the wider one.
    if (ownRateLimit) ownRateLimits[ownRateLimit]?.take(caller.keyId, setHeader);
    if (request.malformation) refuseMalformed(request.malformation, reply);
  };
  // A callback instead of async: the usual case, a known key, costs no promise.
  api.addHook('onRequest', (request, reply, done) => {
    const found = authenticate(request.headers.authorization);
    if (found instanceof Promise)
      found.then((caller) => admit(caller, request, reply)).then(() => done(), done);
    else {
      admit(found, request, reply);
      done();
    }
  });
}

/** Distinguishes only what the header itself shows. The answer does not reveal whether a well-formed key exists. */
function unauthorized(authorization = ''): Problem {
  if (readBearerKey(authorization)) return new Problem('UNAUTHORIZED');
  const { error } = CODES.UNAUTHORIZED;
  return refusal(authorization.trim() === '' ? 'API_KEY_MISSING' : 'API_KEY_MALFORMED', error);
}

function refuseMalformed({ issue }: Malformation, reply: FastifyReply): never {
  reply.header('connection', 'close');
  throw invalidRequest([issue]);
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined);
    const { 'content-type': mediaType = '', 'content-encoding': coding = 'identity' } = request.headers;
    if (coding.toLowerCase() !== 'identity' || !isUtf8(mediaType))
      return done(new Problem('UNSUPPORTED_MEDIA_TYPE'));
    request.rawBody = bytes;
    const reading = readStrictJson(bytes);
    if (!reading.ok) return done(invalidRequest([reading.issue]));
    request.decimals = reading.decimals;
    done(null, reading.value);
  });
  // The type of an empty body does not matter: some clients send it with every request.
  app.addContentTypeParser('*', (request, _, done) => {
    if (hasBody(request.headers)) done(new Problem('UNSUPPORTED_MEDIA_TYPE'));
    else done(null, undefined);
  });
}

/** RFC 8259 §8.1: JSON between systems is UTF-8, whether or not a charset says so. */
function isUtf8(mediaType: string): boolean {
  const charsets = [...mediaType.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)];
  return charsets.every(([, charset = '']) => /^utf-?8$/i.test(charset));
}

function logAnswers(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
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
    done();
  });
}

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): FastifyReply {
  const problem = problemOf(request.raw.errored ? new Problem('BAD_REQUEST') : error);
  if (isDefect(error, problem))
    options.log.error({ request_id: request.id, err: error as Error }, problem.message);
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  if (problem.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  endWithAnswer(request.raw, reply.raw, { readsSmallBody: isShed(problem) });
  reply
    .code(problem.status)
    .header('request-id', request.id)
    .header('content-type', 'application/json; charset=utf-8');
  const text = JSON.stringify(errorBody(problem, request.id, docsUrlOf(options, request)));
  const encoding = negotiateEncoding(request, reply, text);
  return reply.send(encoding === null ? text : compressed(text, encoding));
}

/** The page that explains each code and reason. */
const docsUrlOf = ({ baseUrl }: Pick<ServerOptions, 'baseUrl'>, request?: FastifyRequest) =>
  `${baseUrl(request)}/docs/errors`;
