/**
 * One connection to one receiver, and one exchange on it at a time. undici parses HTTP/1.1; the socket is ours, so that
 * it leads to a vetted address and nowhere else, and so that the deadline also ends a connection under way (undici
 * leaves one alone when its request is aborted, nodejs/undici#386).
 */
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { Client } from 'undici';
import { exchangeFailure, OutboundFailed, openingFailure } from './outbound-failure.ts';
import type { OutboundTarget } from './outbound-url.ts';

export interface Address {
  address: string;
  family: 4 | 6;
}

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  readonly socket: Socket;
  /** What the socket had read before the exchange under way. */
  bytesReadBefore: number;
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  bodyHead: Buffer;
}

/** Shorter than the 5 s after which common servers close an idle connection, so that a request seldom meets that. */
export const IDLE_MS = 4_000;
const BODY_HEAD_BYTES_MAX = 4_096;
/**
 * Everything a receiver may send before its answer is over or cut, its headers among it. 16 KB of headers is generous
 * and one read from a socket is at most 64 KB. undici's own limit (maxHeaderSize) is set out of the way: it does not
 * count separators, informational answers, reason phrases or chunk extensions, and past it undici makes an error for
 * each further header, 65 ms of work for a flood that ends here after 4 ms (measured).
 */
const ANSWER_BYTES_MAX = 131_072;
/** A lost first packet is sent again after 1 s: a shorter wait would give up on far receivers (Node's own is 250 ms). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Opens a connection to one of these addresses, which are already vetted. Nothing is resolved here. */
export async function openConnection(
  target: OutboundTarget,
  addresses: readonly Address[],
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Connection> {
  const socket = await openSocket(target, addresses, secureContext, signal);
  let isUsed = false;
  const client = new Client(target.origin, {
    connect: (_options, callback) => {
      // A client reconnects by itself where a socket died; that connection would not be vetted.
      const gone = isUsed || socket.destroyed;
      isUsed = true;
      // undici overlooks the request that is waiting when it is called back at once.
      queueMicrotask(() =>
        gone ? callback(new OutboundFailed('CONNECTION', 'CLOSED'), null) : callback(null, socket),
      );
    },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: 2 * ANSWER_BYTES_MAX,
    // The caller's deadline is over everything; undici's own timeouts start again with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const connection: Connection = { origin: target.origin, client, socket, bytesReadBefore: 0 };
  socket.on('readable', () => {
    if (socket.bytesRead - connection.bytesReadBefore <= ANSWER_BYTES_MAX) return;
    socket.destroy(new OutboundFailed('PROTOCOL', 'ENDLESS_ANSWER'));
  });
  return connection;
}

function openSocket(
  target: OutboundTarget,
  addresses: readonly Address[],
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  // Not called for an IP literal: that one is the vetted address itself.
  const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, [...addresses]);
  const options = {
    host: target.hostname,
    port: target.port,
    noDelay: true,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  };
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = target.isSecure
      ? connectTls({
          ...options,
          // An IP address is no server name (RFC 6066); the certificate is then checked for the address.
          ...(target.isLiteral ? {} : { servername: target.hostname }),
          secureContext,
          // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no say.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp(options);
    const abort = () => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort);
      resolve(socket);
    });
    // Stays for the socket's whole life: an error nobody listens to would end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', abort);
      reject(openingFailure(error));
    });
  });
}

/**
 * Sends one POST and reads the answer's head and the first 4 KB of its body. Afterwards the connection is good for
 * another exchange unless its socket is destroyed.
 */
export function exchange(
  connection: Connection,
  path: string,
  request: { headers: Record<string, string>; body: string | Buffer },
  signal: AbortSignal,
): Promise<Answer> {
  const { client, socket } = connection;
  connection.bytesReadBefore = socket.bytesRead;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let status = 0;
    let retryAfter: string | null = null;
    const finish = () => {
      signal.removeEventListener('abort', abort);
      resolve({ status, retryAfter, bodyHead: Buffer.concat(chunks, length) });
    };
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    client.dispatch(
      { path, method: 'POST', headers: request.headers, body: request.body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode, headers) {
          // Informational answers come first, and the final one has the last word.
          status = statusCode;
          retryAfter = [headers['retry-after']].flat()[0] ?? null;
        },
        onResponseData(_controller, chunk) {
          const kept = chunk.subarray(0, BODY_HEAD_BYTES_MAX - length);
          chunks.push(kept);
          length += kept.length;
          if (kept.length === chunk.length) return;
          finish();
          socket.destroy();
        },
        onResponseEnd: finish,
        onResponseError: (_controller, error) => fail(exchangeFailure(error)),
      },
    );
  });
}
