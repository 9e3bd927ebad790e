/** The edge: what is refused before any operation hears of it, and how a connection ends with a refusal. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Issue, invalidRequest, Problem } from '#kernel/problem';
import { errorBody } from './problem-reply.ts';

export const HEADER_BYTES_MAX = 16 * 1024;

export const newRequestId = () => `req_${randomUUID()}`;

/** Each says one thing: sent twice, two programs on the way could believe two different ones. One bit for each. */
const HEADERS_SENT_ONCE = new Map(
  ['host', 'authorization', 'content-type', 'content-encoding', 'expect', 'idempotency-key'].map(
    (name, index) => [name, 1 << index],
  ),
);

/** RFC 9110 §7.2: host and port, nothing else. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]+$/;

/**
 * What Node's parser lets through and two programs on the way could read differently: a Host that is missing, sent twice
 * or none, a target that is not a path, a GET with a body, a transfer coding that HTTP/1.0 or we do not know. Undefined
 * for a request without such an oddity.
 */
export function findMalformation(request: IncomingMessage): Issue | undefined {
  const { headers, httpVersion, method, rawHeaders, url = '' } = request;
  const coding = headers['transfer-encoding']?.toLowerCase();
  const repeated = repeatedHeader(rawHeaders);
  if (repeated !== undefined) return malformed(`headers.${repeated}`, 'must be sent only once');
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return malformed('headers', 'the protocol must be HTTP/1.1');
  if (!HOST.test(headers.host ?? ''))
    return malformed('headers.host', 'must be a host, with or without a port');
  if (!url.startsWith('/')) return malformed('params', 'the request target must be a path');
  if (url.includes('#')) return malformed('params', 'the request target must have no fragment');
  if (url.includes('%') && !isDecodable(url)) return malformed('query', 'must be percent-encoded UTF-8');
  if (coding !== undefined && (coding !== 'chunked' || httpVersion === '1.0'))
    return malformed('headers.transfer-encoding', 'must be chunked, and HTTP/1.1');
  if ((method === 'GET' || method === 'HEAD') && hasBody(headers))
    return malformed('body', `${method} takes no body`);
  if ((headers.expect ?? '100-continue').toLowerCase() !== '100-continue')
    return malformed('headers.expect', 'must be 100-continue');
  return undefined;
}

function malformed(path: string, message: string): Issue {
  return { code: 'INVALID_VALUE', path, message };
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

/** Whether a body is announced, of whatever length. */
export function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** How long a refused client may go on sending before it is cut off. */
const LINGER_MS = 2_000;

/**
 * Where a body has not arrived whole, ends the connection with the answer. Closing on a client that is still sending
 * resets it, and the answer may be lost on the way: so what still comes is read and dropped for a moment.
 */
export function endWithAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !hasBody(request.headers)) return;
  const { socket } = request;
  response.setHeader('connection', 'close');
  // What Node calls on a connection after its last answer.
  socket.destroySoon = () => linger(socket);
}

function linger(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** What never became a whole request: not HTTP, headers too large, or too slow. The connection ends with the answer. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  // Refused already: this is what the client goes on sending.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { _httpMessage: owed } = socket as { _httpMessage?: ServerResponse };
  if (owed && (owed.req.complete || owed.headersSent)) {
    // The next answer belongs to an earlier request, which must not be told that it was refused. Then the connection ends.
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
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('REQUEST_TIMEOUT');
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? `must have at most ${HEADER_BYTES_MAX} bytes together`
      : 'must follow HTTP/1.1';
  return invalidRequest([{ code: 'INVALID_FORMAT', path: isInBody ? 'body' : 'headers', message }]);
}
