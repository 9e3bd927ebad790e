/** Refusals before any operation runs, and how they end the connection. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Issue, invalidRequest, Problem } from '#kernel/problem';
import { errorBody } from './problem-reply.ts';

export const HEADER_BYTES_MAX = 16 * 1024;

export const newRequestId = () => `req_${randomUUID()}`;

/** The code of Node's own timeouts. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** If one of these is sent twice, two programs on the path could read different values. Each has one bit. */
const HEADERS_SENT_ONCE = new Map(
  ['host', 'authorization', 'expect', 'idempotency-key', 'content-type', 'content-encoding'].map(
    (name, index) => [name, 1 << index],
  ),
);

/** RFC 9110 §7.2: host and port, nothing else. */
export const HOST = /^[\w.~%!$&'()*+;=:[\]-]+$/;

/** RFC 9112 §3.2.2: `http://host/path?query`. */
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * The path and query of the request target. The host of an absolute target (RFC 9112 §3.2.2) replaces the Host header, which must still be
 * sent. Any other target becomes `*`, which no route has and `findMalformation` refuses.
 */
export function requestTarget(request: IncomingMessage): string {
  const { headers, url = '' } = request;
  if (url.startsWith('/')) return url;
  const [, host = '', rest = ''] = ABSOLUTE_TARGET.exec(url) ?? [];
  if (!HOST.test(host) || !HOST.test(headers.host ?? '')) return '*';
  headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Why a request is refused with 400 before its operation runs. */
export interface Malformation {
  issue: Issue;
  /** True if it concerns only the body. It is then refused after the path and the API key have been checked. */
  isOfBody: boolean;
}

/**
 * A request that Node's parser accepts although two programs on the path could read it differently: a Host that is missing, empty or sent
 * twice, a target that is neither a path nor absolute, a transfer coding that HTTP/1.0 or this server does not know, a GET with a body.
 * Undefined for a well-formed request.
 */
export function findMalformation(request: IncomingMessage): Malformation | undefined {
  const { headers, httpVersion, method, rawHeaders, url = '' } = request;
  const coding = headers['transfer-encoding']?.toLowerCase();
  const repeated = repeatedHeader(rawHeaders);
  if (repeated !== undefined)
    return malformed(`headers.${repeated}`, 'must be sent only once', repeated.startsWith('content-'));
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return malformed('headers', 'the protocol must be HTTP/1.1');
  if (!HOST.test(headers.host ?? ''))
    return malformed('headers.host', 'must be a host, with or without a port');
  if (!url.startsWith('/')) return malformed('params', 'the request target must be a path or an http(s) URL');
  if (url.includes('#')) return malformed('params', 'the request target must have no fragment');
  if (url.includes('%') && !isDecodable(url)) return malformed('query', 'must be percent-encoded UTF-8');
  if (coding !== undefined && (coding !== 'chunked' || httpVersion === '1.0'))
    return malformed('headers.transfer-encoding', 'must be chunked, and HTTP/1.1');
  if ((headers.expect ?? '100-continue').toLowerCase() !== '100-continue')
    return malformed('headers.expect', 'must be 100-continue');
  if ((method === 'GET' || method === 'HEAD') && hasBody(headers))
    return malformed('body', `${method} takes no body`, true);
  return undefined;
}

function malformed(path: string, message: string, isOfBody = false): Malformation {
  return { issue: { code: 'INVALID_VALUE', path, message }, isOfBody };
}

function repeatedHeader(rawHeaders: string[]): string | undefined {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const bit = HEADERS_SENT_ONCE.get(name) ?? 0;
    if ((seen & bit) !== 0) return name;
    seen |= bit;
  }
  return undefined;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** Whether the headers announce a body of any length. */
export function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Answers `Expect: 100-continue` when the server starts to read the body: path, key, rate limit, media type and
 * Content-Length have been accepted by then. A request that one of them refuses gets its final answer without a 100.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    // Node also reads the body of an answered request, to discard it.
    if (!response.headersSent) response.writeContinue();
  });
}

/** Requests with their own time limit, to which the server's does not apply. */
const withOwnTime = new WeakSet<IncomingMessage>();

/** Gives a request `seconds` from now to arrive completely; after that it is refused like any slow request. */
export function limitTime(request: IncomingMessage, seconds: number, docsUrl: string): void {
  withOwnTime.add(request);
  const timer = setTimeout(() => {
    withOwnTime.delete(request);
    const tooSlow = Object.assign(new Error('too slow'), { code: TOO_SLOW });
    refuseConnection(tooSlow, request.socket, docsUrl);
  }, seconds * 1_000);
  request.once('close', () => clearTimeout(timer));
  timer.unref();
}

/** Less than one read of the socket returns. */
const SMALL_BODY_BYTES_MAX = 16 * 1024;

/** How long a refused client may continue to send before the connection is closed. */
const LINGER_MS = 2_000;

/**
 * Ends the connection with the answer if the body has not arrived completely. Closing while the client is still sending resets the
 * connection and may lose the answer, so the rest of the body is read and discarded for a moment.
 * @param options.readsSmallBody Keeps the connection if the body is small, because a new one costs an overloaded service more.
 */
export function endWithAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { readsSmallBody = false } = {},
): void {
  if (request.complete || !hasBody(request.headers)) return;
  if (readsSmallBody && isSmallBodyOnItsWay(request.headers)) return;
  const { socket } = request;
  response.setHeader('connection', 'close');
  // Node calls this on a connection after its last answer.
  socket.destroySoon = () => linger(socket);
}

/** Node reads it to its end after the answer. A client that expects a 100 may never send it. */
function isSmallBodyOnItsWay({ expect, 'content-length': length }: IncomingMessage['headers']): boolean {
  return expect === undefined && length !== undefined && Number(length) <= SMALL_BODY_BYTES_MAX;
}

function linger(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Answers input that never became a complete request (not HTTP, headers too large, too slow) and ends the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  // Already refused, but the client is still sending.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { _httpMessage: owed } = socket as { _httpMessage?: ServerResponse };
  if (error.code === TOO_SLOW && owed && withOwnTime.has(owed.req)) return;
  if (owed && (owed.req.complete || owed.headersSent)) {
    // The next answer belongs to an earlier request, which was not refused. The connection ends after it.
    owed.shouldKeepAlive = false;
    return;
  }
  const problem = connectionProblem(error, owed !== undefined);
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(problem, requestId, docsUrl));
  linger(
    socket,
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function connectionProblem({ code }: { code?: string }, isInBody: boolean): Problem {
  if (code === TOO_SLOW) return new Problem('REQUEST_TIMEOUT');
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? `must have at most ${HEADER_BYTES_MAX} bytes together`
      : 'must follow HTTP/1.1';
  return invalidRequest([{ code: 'INVALID_FORMAT', path: isInBody ? 'body' : 'headers', message }]);
}
