import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  status: number;
  /** Status line and headers. */
  head: string;
  body: Buffer;
}

/**
 * A keep-alive HTTP/1.1 connection with one request at a time. It parses only status, length and body of a response, so
 * that the client takes little processor time from the server.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isOpen = true;
  #waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => {
      this.#isOpen = false;
      this.#waiting?.reject(new Error('the connection ended before the answer did'));
    });
  }

  static async open(baseUrl: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends a complete raw request and returns the response. */
  send(request: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    const received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    this.#received = received;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = received.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return void this.#socket.destroy(new Error(`no length in the answer: ${head}`));
    const end = headEnd + 4 + Number(length);
    if (received.length < end) return;
    this.#received = received.subarray(end);
    const waiting = this.#waiting;
    this.#waiting = null;
    // `HTTP/1.1 ` takes nine characters.
    waiting?.resolve({ status: Number(head.slice(9, 12)), head, body: received.subarray(headEnd + 4, end) });
  }
}
