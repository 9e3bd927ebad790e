/** The HTTP server: what holds for every request before and after its operation. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '#infra/log';
import { invalidRequest, notFound, Problem } from '#kernel/problem';
import type { Caller } from '#operation/caller';
import type { OwnRateLimit } from '#operation/operation';
import type { RateLimit } from '#operation/rate-limit';
import { bind, type Deps, type Route } from './bind.ts';
import { errorBody, problemOf } from './problem-reply.ts';
import {
  endWithAnswer,
  findMalformation,
  HEADER_BYTES_MAX,
  hasBody,
  newRequestId,
  refuseConnection,
} from './protocol-guard.ts';
import { readStrictJson } from './strict-json.ts';

export interface ServerOptions extends Deps {
  routes: readonly Route[];
  /** The caller of an `Authorization` header, or null for anything but a key that is good now. */
  authenticate(authorization: string | undefined): Promise<Caller | null> | Caller | null;
  rateLimit: RateLimit | null;
  /** For operations that have one of their own; what they take counts for the limit of all requests too. */
  ownRateLimits: Record<OwnRateLimit, RateLimit | null>;
  log: Log;
  /** Where reasons are explained; each has an anchor. */
  docsUrl: string;
  /** Answers an address that cannot be decoded, and says whether it did: for those that persons open rather than programs. */
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
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // Node would refuse in words of its own.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newRequestId,
    logger: false,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, options.docsUrl),
    frameworkErrors: (error, request, reply) => {
      if (!options.answerMalformedAddress?.(request, reply)) sendProblem(error, request, reply, options);
    },
    // How long an id may be is for its schema to say.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  // An expectation we do not know is refused like any other oddity, instead of by Node in words of its own.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options));
  const routes = options.routes.filter(([, , { isSandboxOnly }]) => options.isSandbox || !isSandboxOnly);
  const missing = missingRouteFinder(routes);
  app.setNotFoundHandler((request, reply) => sendProblem(missing(request, reply), request, reply, options));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    const malformation = findMalformation(request.raw);
    if (malformation) {
      reply.header('connection', 'close');
      throw invalidRequest([malformation]);
    }
    // Here rather than in the handler, which is called after the body was read.
    if (request.is404) throw missing(request, reply);
    done();
  });
  readJsonBodies(app);
  logAnswers(app, options.log);

  app.register(async (api) => {
    api.decorateRequest('caller', null as never);
    const admit = (caller: Caller | null, request: FastifyRequest, reply: FastifyReply) => {
      if (!caller) throw new Problem('UNAUTHORIZED');
      request.caller = caller;
      const setHeader = (name: string, value: string) => reply.header(name, value);
      options.rateLimit?.take(caller.keyId, setHeader);
      const { ownRateLimit } = request.routeOptions.config;
      // The headers then tell of the narrower limit: they are set once more.
      if (ownRateLimit) options.ownRateLimits[ownRateLimit]?.take(caller.keyId, setHeader);
    };
    // With a callback rather than async: a key that is known, as nearly all are, costs no promise.
    api.addHook('onRequest', (request, reply, done) => {
      const found = options.authenticate(request.headers.authorization);
      if (found instanceof Promise)
        found.then((caller) => admit(caller, request, reply)).then(() => done(), done);
      else {
        admit(found, request, reply);
        done();
      }
    });
    for (const route of routes) bind(api, route, options);
  });
  return app;
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
    if (reading.ok) done(null, reading.value);
    else done(invalidRequest([reading.issue]));
  });
  // Of no body the type does not matter: some clients name it with every request.
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
  { log, docsUrl }: ServerOptions,
): FastifyReply {
  const problem = problemOf(request.raw.errored ? new Problem('BAD_REQUEST') : error);
  if (problem.status >= 500) log.error({ request_id: request.id, err: error as Error }, problem.message);
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  if (problem.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  endWithAnswer(request.raw, reply.raw);
  return reply
    .code(problem.status)
    .header('request-id', request.id)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(problem, request.id, docsUrl));
}

/** 405 where the path is there for other methods, which `Allow` then lists; else 404. */
function missingRouteFinder(
  routes: readonly Route[],
): (request: FastifyRequest, reply: FastifyReply) => Problem {
  const patterns = routes.map(([method, path]) => ({
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return ({ url }, reply) => {
    const path = url.split('?')[0] as string;
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) return notFound();
    reply.header('allow', [...new Set(methods)].sort().join(', '));
    return new Problem('METHOD_NOT_ALLOWED');
  };
}
