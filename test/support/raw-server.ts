/** A server for tests on the level of bytes, which can misbehave in ways that an HTTP server would not. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface RawServer {
  port: number;
  /** TCP connections seen so far. */
  connections: number;
  close(): Promise<void>;
}

export interface RawServerOptions {
  tls?: TlsOptions;
  /** By default, every address of the machine. */
  host?: string;
}

/** Starts on a free port. `behave` gets each connection, after the TLS handshake if there is one. */
export async function startRawServer(
  behave: (socket: Socket) => void,
  { tls, host }: RawServerOptions = {},
): Promise<RawServer> {
  const server: Server = tls ? createTlsServer(tls, behave) : createServer(behave);
  const sockets = new Set<Socket>();
  const rawServer: RawServer = {
    port: 0,
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  server.on('connection', (socket) => {
    rawServer.connections++;
    sockets.add(socket);
    // These tests expect clients that give up.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  rawServer.port = (server.address() as AddressInfo).port;
  return rawServer;
}

/** Calls back once for each complete request with a content-length, with its head and its body. */
export function onEachRequest(socket: Socket, answer: (head: string, body: Buffer) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = received.subarray(0, headEnd).toString('latin1');
      const bodyStart = headEnd + 4;
      const bodyEnd = bodyStart + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < bodyEnd) return;
      const body = received.subarray(bodyStart, bodyEnd);
      received = received.subarray(bodyEnd);
      answer(head, body);
    }
  });
}

/** Writes for as long as the other side reads. */
export function writeEndlessly(socket: Socket, text: string): void {
  const piece = Buffer.from(text.repeat(Math.ceil(16_384 / text.length)));
  const more = () => {
    if (socket.destroyed) return;
    if (socket.write(piece)) setImmediate(more);
    else socket.once('drain', more);
  };
  more();
}

/** Writes one byte at a time. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  let position = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || position >= text.length) return clearInterval(timer);
    socket.write(text.charAt(position++), 'latin1');
  }, everyMs);
}
