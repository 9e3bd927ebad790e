/**
 * A connection to one receiver, with one exchange at a time. undici parses HTTP/1.1 on a socket that this file opens: it
 * leads to a vetted address only, and the deadline also ends a connection attempt (undici continues it when its request
 * is aborted, nodejs/undici#386).
 */
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { Client } from 'undici';
import { exchangeFailure, failedAfter, OutboundFailed, openingFailure } from './failure.ts';
import type { OutboundTarget } from './url.ts';

export interface VettedAddress {
  address: string;
  family: 4 | 6;
}

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  readonly socket: Socket;
  /** Bytes still to be read of the head, then of the body, of the current response. */
  bytesLeft: number;
  onExcess: () => void;
}

export interface OutboundAnswer {
  status: number;
  retryAfter: string | null;
  /** The IP address that answered. */
  address: string;
  bodyHead: Buffer;
}

/** Shorter than the 5 s after which common servers close idle connections, so that requests seldom hit a closed one. */
const IDLE_MS = 4_000;
const BODY_HEAD_BYTES_MAX = 4_096;
/** Limit for informational responses, status and headers. More is a failure. */
const HEAD_BYTES_MAX = 16_384;
/** Limit for the body, including chunk framing and trailers. The rest is not read; the status is known by then. */
const BODY_BYTES_MAX = 16_384;
/**
 * Bytes passed to the parser in one call. A socket reads up to 64 KB, and undici parses a whole chunk even past its own limits: a flood of
 * headers cost 65 ms per request in one chunk and 1 ms in chunks of this size (measured).
 */
const PIECE_BYTES = 2_048;
/** A lost SYN is sent again after 1 s: Node's default of 250 ms gives up on distant receivers. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Opens a connection to one of the vetted addresses. Resolves no names. */
export async function openConnection(
  target: OutboundTarget,
  addresses: readonly VettedAddress[],
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Connection> {
  const socket = await openSocket(target, addresses, secureContext, signal);
  let isHandedOver = false;
  const client = new Client(target.origin, {
    connect: (_options, callback) => {
      // A client whose socket has closed reconnects for a request that it has not sent; that connection would not be vetted.
      const error = isHandedOver ? new OutboundFailed('CONNECTION', 'CLOSED_UNSENT') : null;
      isHandedOver = true;
      // undici overlooks the waiting request if it is called back synchronously.
      queueMicrotask(() => (error ? callback(error, null) : callback(null, socket)));
    },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    // The caller's deadline covers the whole request; undici's own timeouts restart with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const onExcess = () => socket.destroy();
  const connection: Connection = {
    origin: target.origin,
    client,
    socket,
    bytesLeft: HEAD_BYTES_MAX,
    onExcess,
  };
  boundReading(connection);
  return connection;
}

/** undici's limits do not count header separators, informational responses, reason phrases and chunk extensions. */
function boundReading(connection: Connection): void {
  const { socket } = connection;
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    const pieceBytes = Math.min(socket.readableLength, PIECE_BYTES);
    // Node calls read(0) to start reading.
    if (size !== undefined || pieceBytes === 0) return read(size);
    connection.bytesLeft -= pieceBytes;
    if (connection.bytesLeft < 0) connection.onExcess();
    return socket.destroyed ? null : read(pieceBytes);
  };
}

function openSocket(
  target: OutboundTarget,
  addresses: readonly VettedAddress[],
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  // Not called for an IP literal, which is the vetted address itself.
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
          // An IP address is not a server name (RFC 6066); the certificate is checked for the address instead.
          ...(target.isLiteral ? {} : { servername: target.hostname }),
          secureContext,
          // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp(options);
    let address: string | null = null;
    socket.on('connectionAttempt', (dialled) => {
      address = dialled;
    });
    const abort = () => {
      socket.destroy();
      reject(failedAfter({ address }, signal.reason));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort);
      resolve(socket);
    });
    // Stays for the life of the socket: an unhandled error event ends the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', abort);
      reject(failedAfter({ address }, openingFailure(error)));
    });
  });
}

/**
 * Sends one POST and reads the head of the response and the first 4 KB of its body. The connection can be used again
 * unless its socket is destroyed.
 */
export function exchange(
  connection: Connection,
  path: string,
  request: { headers: Record<string, string>; body: string | Buffer },
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { client, socket } = connection;
  return new Promise((resolve, reject) => {
    const address = socket.remoteAddress ?? '';
    const chunks: Buffer[] = [];
    let length = 0;
    let status: number | null = null;
    let retryAfter: string | null = null;
    const bodyHead = () => Buffer.concat(chunks, length);
    const finish = () => {
      signal.removeEventListener('abort', abort);
      resolve({ status: status ?? 0, retryAfter, address, bodyHead: bodyHead() });
    };
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      reject(failedAfter({ address: address || null, status, bodyHead: bodyHead() }, error));
    };
    const cut = () => {
      finish();
      socket.destroy();
    };
    const abort = () => fail(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    connection.bytesLeft = HEAD_BYTES_MAX;
    const refuse = () => fail(new OutboundFailed('PROTOCOL', 'HEAD_TOO_LARGE'));
    // V8 allocates a function literal that is assigned to a property among the old objects, and keeps the attempt that it refers to.
    connection.onExcess = refuse;
    client.dispatch(
      { path, method: 'POST', headers: request.headers, body: request.body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode, headers) {
          if (statusCode < 200) return;
          connection.bytesLeft = BODY_BYTES_MAX;
          connection.onExcess = cut;
          status = statusCode;
          retryAfter = [headers['retry-after']].flat()[0] ?? null;
        },
        onResponseData(_controller, chunk) {
          const kept = chunk.subarray(0, BODY_HEAD_BYTES_MAX - length);
          chunks.push(kept);
          length += kept.length;
          if (kept.length < chunk.length) cut();
        },
        onResponseEnd: finish,
        onResponseError: (_controller, error) => fail(exchangeFailure(error)),
      },
    );
  });
}
