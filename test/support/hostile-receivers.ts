/** Receivers that misbehave in different ways. */
import type { Socket } from 'node:net';
import { drip, onEachRequest, writeEndlessly } from './raw-server.ts';

export const OK_LINE = 'HTTP/1.1 200 OK\r\n';

/** Answers each request with these bytes. */
export const says = (text: string) => (socket: Socket) =>
  onEachRequest(socket, () => socket.write(text, 'latin1'));
const saysAndCloses = (text: string) => (socket: Socket) =>
  onEachRequest(socket, () => socket.end(text, 'latin1'));
const saysAndResets = (text: string) => (socket: Socket) =>
  onEachRequest(socket, () =>
    socket.write(text, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), 20)),
  );
const saysEndlessly = (start: string, repeated: string) => (socket: Socket) =>
  onEachRequest(socket, () => {
    socket.write(start);
    writeEndlessly(socket, repeated);
  });
const drips = (start: string, rest: string) => (socket: Socket) =>
  onEachRequest(socket, () => {
    socket.write(start);
    drip(socket, rest, 20);
  });

/** The behaviour of each, the expected outcome of an attempt, and the implementation. */
export const HOSTILE_RECEIVERS: [
  name: string,
  expected: string | number,
  behave: (socket: Socket) => void,
][] = [
  ['takes the connection and says nothing', 'TIMEOUT', () => {}],
  ['reads the request and says nothing', 'TIMEOUT', (socket) => socket.resume()],
  ['drips its headers', 'TIMEOUT', drips('', `${OK_LINE}x-a: ${'a'.repeat(500)}`)],
  [
    'drips a body of known length',
    'TIMEOUT',
    drips(`${OK_LINE}content-length: 500\r\n\r\n`, 'a'.repeat(500)),
  ],
  [
    'drips chunks',
    'TIMEOUT',
    drips(`${OK_LINE}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(100)),
  ],
  ['drips informational answers', 'TIMEOUT', drips('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20))],
  ['stops within its headers', 'TIMEOUT', says(`${OK_LINE}x-a: b\r\n`)],
  ['stops within its body', 'TIMEOUT', says(`${OK_LINE}content-length: 10\r\n\r\nabc`)],
  ['never says where its body ends', 'TIMEOUT', says(`${OK_LINE}\r\nabc`)],
  ['resets at once', 'CONNECTION', (socket) => socket.resetAndDestroy()],
  ['closes at once', 'CONNECTION', (socket) => socket.end()],
  ['resets after the request', 'CONNECTION', saysAndResets('')],
  ['resets within its headers', 'CONNECTION', saysAndResets(`${OK_LINE}x-a: b\r\n`)],
  ['resets within its body', 'CONNECTION', saysAndResets(`${OK_LINE}content-length: 10\r\n\r\nabc`)],
  ['closes after the request', 'CONNECTION', saysAndCloses('')],
  ['closes within its headers', 'CONNECTION', saysAndCloses(`${OK_LINE}x-a: b\r\n`)],
  ['closes within its body', 'CONNECTION', saysAndCloses(`${OK_LINE}content-length: 10\r\n\r\nabc`)],
  [
    'closes within a chunk',
    'CONNECTION',
    saysAndCloses(`${OK_LINE}transfer-encoding: chunked\r\n\r\nff\r\nabc`),
  ],
  ['sends one endless header', 'PROTOCOL', saysEndlessly(`${OK_LINE}x-a: `, 'a')],
  ['sends endless headers', 'PROTOCOL', saysEndlessly(OK_LINE, 'x-a: b\r\n')],
  [
    'sends 20 KB of headers',
    'PROTOCOL',
    says(`${OK_LINE}${'x-a: b\r\n'.repeat(5_000)}content-length: 0\r\n\r\n`),
  ],
  ['sends 8 KB of headers', 200, says(`${OK_LINE}${'x-a: b\r\n'.repeat(1_000)}content-length: 0\r\n\r\n`)],
  ['sends an endless reason', 'PROTOCOL', saysEndlessly('HTTP/1.1 200 ', 'a')],
  ['sends endless informational answers', 'PROTOCOL', saysEndlessly('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  [
    'sends an endless chunk extension',
    200,
    saysEndlessly(`${OK_LINE}transfer-encoding: chunked\r\n\r\n1;`, 'a'),
  ],
  [
    'sends endless trailers',
    200,
    saysEndlessly(`${OK_LINE}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-a: b\r\n'),
  ],
  ['speaks something else', 'PROTOCOL', says('SSH-2.0-OpenSSH_9.9\r\n')],
  ['speaks HTTP/0.9', 'PROTOCOL', saysAndCloses('<html>hello</html>')],
  ['speaks HTTP/2', 'PROTOCOL', says('\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64')],
  [
    'sends garbage for a chunk',
    'PROTOCOL',
    says(`${OK_LINE}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n`),
  ],
  ['sends two lengths', 'PROTOCOL', says(`${OK_LINE}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`)],
  [
    'sends a length and chunks',
    'PROTOCOL',
    says(`${OK_LINE}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
  ],
  ['sends a negative length', 'PROTOCOL', says(`${OK_LINE}content-length: -1\r\n\r\n`)],
  ['sends NUL in a header', 'PROTOCOL', says(`${OK_LINE}x-a: \0\r\ncontent-length: 0\r\n\r\n`)],
  [
    'wants another protocol',
    'PROTOCOL',
    says('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['answers 30 MB', 200, says(`${OK_LINE}content-length: 30000000\r\n\r\n${'a'.repeat(30_000_000)}`)],
  ['sends an endless body', 200, saysEndlessly(`${OK_LINE}\r\n`, 'a')],
  ['sends endless chunks', 200, saysEndlessly(`${OK_LINE}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n')],
  ['sends more than its length says', 200, says(`${OK_LINE}content-length: 3\r\n\r\nabcdef`)],
  ['sends its own kind of status', 999, says('HTTP/1.1 999 Whatever\r\ncontent-length: 0\r\n\r\n')],
  [
    'sends hints before its answer',
    204,
    says('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
  ],
  ['is gone', 410, says('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n')],
];
