/**
 * One connection to one receiver, and one exchange on it at a time. undici parses HTTP/1.1; the socket is ours, so that
 * it leads to a vetted address and nowhere else, and so that the deadline also ends a connection under way (undici
 * leaves one alone when its request is aborted, nodejs/undici#386).
 */
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { Client } from 'undici';
import { exchangeFailure, OutboundFailed, openingFailure } from './failure.ts';
import type { OutboundTarget } from './url.ts';

export interface VettedAddress {
  address: string;
  family: 4 | 6;
}

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  readonly socket: Socket;
  /** How much more is read of the head, then of the body, of the answer under way. */
  bytesLeft: number;
  onExcess: () => void;
}

export interface OutboundAnswer {
  status: number;
  retryAfter: string | null;
  bodyHead: Buffer;
}

/** Shorter than the 5 s after which common servers close an idle connection, so that a request seldom meets that. */
const IDLE_MS = 4_000;
const BODY_HEAD_BYTES_MAX = 4_096;
/** What is read before the body: informational answers, status, headers. More is a failure. */
const HEAD_BYTES_MAX = 16_384;
/** What is read of the body, its chunks' wrapping and trailers among it. More is cut, the status is known by then. */
const BODY_BYTES_MAX = 16_384;
/**
 * How much the parser gets at once. A socket reads up to 64 KB, and undici finishes a piece even when a limit of its
 * own is passed within: a flood of headers cost 65 ms a request in one piece, 1 ms in these (measured).
 */
const PIECE_BYTES = 2_048;
/** A lost first packet is sent again after 1 s: a shorter wait would give up on far receivers (Node's own is 250 ms). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Opens a connection to one of these addresses, which are already vetted. Nothing is resolved here. */
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
      // A client reconnects by itself where a socket died; that connection would not be vetted.
      const error = isHandedOver ? new OutboundFailed('CONNECTION', 'CLOSED') : null;
      isHandedOver = true;
      // undici overlooks the request that is waiting when it is called back at once.
      queueMicrotask(() => (error ? callback(error, null) : callback(null, socket)));
    },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    // The caller's deadline is over everything; undici's own timeouts start again with each chunk.
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

/** undici's own limits count neither what separates headers nor informational answers, reasons or chunk extensions. */
function boundReading(connection: Connection): void {
  const { socket } = connection;
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    const pieceBytes = Math.min(socket.readableLength, PIECE_BYTES);
    // Node itself asks for 0 bytes, which means: start reading.
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
): Promise<OutboundAnswer> {
  const { client, socket } = connection;
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
    const cut = () => {
      finish();
      socket.destroy();
    };
    const abort = () => fail(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    connection.bytesLeft = HEAD_BYTES_MAX;
    connection.onExcess = () => fail(new OutboundFailed('PROTOCOL', 'HEAD_TOO_LARGE'));
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
