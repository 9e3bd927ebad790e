/** An HTTP client on the level of bytes, which can send what no HTTP library would. */
import { connect, type Socket } from 'node:net';
import { patience } from './patience.ts';
import { waitingFor } from './until.ts';

export interface RawAnswer {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

export interface Exchange {
  /** Every answer, without interim ones (1xx). */
  answers: RawAnswer[];
  /** Whether the server closed the connection afterwards; otherwise it answered the next request. */
  isClosed: boolean;
}

/** On an idle reference machine. */
const WAIT_SECONDS_MAX = 20;
const NEXT_PATH = '/the-next-request-on-this-connection';

/**
 * Sends the bytes and waits for an answer or the end. If the connection is still open, sends one more request on it, which the earlier
 * bytes must not affect. Rejects if the server neither answers nor closes.
 */
export async function exchange(baseUrl: string, bytes: string | Buffer, isHead = false): Promise<Exchange> {
  const client = await openRawClient(baseUrl);
  try {
    client.send(bytes);
    await client.waitFor(() => client.isEnded || client.answers(isHead).length > 0);
    const last = client.answers(isHead).at(-1);
    if (!client.isEnded && last?.headers.get('connection') !== 'close')
      client.send(`GET ${NEXT_PATH} HTTP/1.1\r\nHost: next\r\nConnection: close\r\n\r\n`);
    await client.waitFor(() => client.isEnded);
    const answers = client.answers(isHead);
    const next = answers.at(-1);
    const isAnswerToNext =
      last !== undefined &&
      answers.length > 1 &&
      next?.status === 404 &&
      next.headers.get('connection') === 'close';
    return isAnswerToNext ? { answers: answers.slice(0, -1), isClosed: false } : { answers, isClosed: true };
  } finally {
    client.close();
  }
}

export interface RawClient {
  send(bytes: string | Buffer): void;
  /** The complete answers so far. With `isHead`, they have no bodies. */
  answers(isHead?: boolean): RawAnswer[];
  /** Everything received so far. */
  text(): string;
  /** Whether the server has sent its last byte. */
  readonly isEnded: boolean;
  /** Whether the connection is closed in both directions. */
  readonly isClosed: boolean;
  /** The error of the connection, such as a reset; null without one. */
  readonly error: Error | null;
  /** Resolves once `isTrue` holds, which is checked whenever data arrives; rejects after `patience`. */
  waitFor(isTrue: () => boolean): Promise<void>;
  close(): void;
}

export async function openRawClient(baseUrl: string): Promise<RawClient> {
  const { hostname, port } = new URL(baseUrl);
  let received = Buffer.alloc(0);
  let isEnded = false;
  let isClosed = false;
  let error: Error | null = null;
  let check = () => {};
  const socket: Socket = await new Promise((resolve, reject) => {
    const opening = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () =>
      resolve(opening),
    );
    opening.once('error', reject);
  });
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    check();
  });
  socket.on('end', () => {
    isEnded = true;
    check();
  });
  socket.on('error', (reset) => {
    error = reset;
  });
  socket.on('close', () => {
    isEnded = true;
    isClosed = true;
    check();
  });
  return {
    send: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    answers: (isHead = false) => readAnswers(received, isHead),
    text: () => received.toString('latin1'),
    get isEnded() {
      return isEnded;
    },
    get isClosed() {
      return isClosed;
    },
    get error() {
      return error;
    },
    waitFor: (isTrue) =>
      waitingFor(
        `on the connection: ${isTrue}`,
        () =>
          new Promise<void>((resolve, reject) => {
            const limitMs = patience(WAIT_SECONDS_MAX);
            const timer = setTimeout(
              () =>
                reject(
                  new Error(
                    `Waited ${limitMs / 1_000} s in vain for ${isTrue} after: ${received.toString('latin1')}`,
                  ),
                ),
              limitMs,
            );
            check = () => {
              if (!isTrue()) return;
              clearTimeout(timer);
              resolve();
            };
            check();
          }),
      ),
    close: () => socket.destroy(),
  };
}

function readAnswers(bytes: Buffer, isHead: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return answers;
    const [statusLine = '', ...lines] = bytes.subarray(at, headEnd).toString('latin1').split('\r\n');
    const match = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine);
    if (!match) throw new Error(`Not the start of an answer: ${bytes.subarray(at).toString('latin1')}`);
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const status = Number(match[1]);
    const length = isHead || status < 200 ? 0 : Number(headers.get('content-length') ?? 0);
    const bodyEnd = headEnd + 4 + length;
    if (bytes.length < bodyEnd) return answers;
    const text = bytes.subarray(headEnd + 4, bodyEnd).toString();
    if (status >= 200) answers.push({ status, statusText: match[2] ?? '', headers, text });
    at = bodyEnd;
  }
}
