import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createOutboundHttp, OutboundFailed, type OutboundReply } from '#infra/outbound/http';
import {
  expiredCertificate,
  receiverCertificate,
  selfSignedCertificate,
  testAuthority,
  wrongHostCertificate,
} from '#test/certificates';
import { HOSTILE_RECEIVERS, OK_LINE, says } from '#test/hostile-receivers';
import { patience } from '#test/patience';
import { drip, onEachRequest, type RawServer, startRawServer, writeEndlessly } from '#test/raw-server';

const TIMEOUT_MS = 300;
/** For receivers that must end earlier, even on a busy machine. */
const LONG_TIMEOUT_MS = patience(1);
/** The time that an attempt may take beyond its timeout. */
const GRACE_MS = patience(0.3);

const outbound = createOutboundHttp({
  allowLoopback: true,
  extraPorts: [],
  allowCidrs: [],
  extraCa: testAuthority,
});
const servers: RawServer[] = [];

afterAll(async () => {
  // Attempts that have not ended end when their connections close.
  await Promise.all(servers.map((server) => server.close()));
  await outbound.close();
});

async function start(...options: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...options);
  servers.push(server);
  return server;
}

/** Posts to the receiver, and fails unless the attempt ends in time with this status or kind of failure. */
async function expectOutcome(url: string, expected: string | number, body: string | Buffer = '{}') {
  const startedMs = performance.now();
  const timeoutMs = expected === 'TIMEOUT' ? TIMEOUT_MS : LONG_TIMEOUT_MS;
  const result = await Promise.race([
    outbound.post(url, { headers: {}, body, timeoutMs }).catch((error: unknown) => error),
    sleep(timeoutMs + GRACE_MS),
  ]);
  expect(performance.now() - startedMs).toBeLessThan(timeoutMs + GRACE_MS);
  if (result instanceof OutboundFailed) {
    expect(result.kind).toBe(expected);
    expect(result.message).not.toMatch(/\d+\.\d+\.\d|::/);
    return Buffer.alloc(0);
  }
  const reply = result as OutboundReply;
  expect(reply.status).toBe(expected);
  expect(reply.bodyHead.length).toBeLessThanOrEqual(4_096);
  return reply.bodyHead;
}

const hookOf = (server: RawServer) => `http://127.0.0.1:${server.port}/hook`;

describe.concurrent('a receiver that', () => {
  it.each(HOSTILE_RECEIVERS)('%s: %s', async (_name, expected, behave) => {
    const server = await start(behave);
    await expectOutcome(hookOf(server), expected);
  });

  it('does not listen: CONNECTION', async () => {
    const server = await startRawServer(() => {});
    await server.close();
    await expectOutcome(hookOf(server), 'CONNECTION');
  });

  it('does not read a large request: TIMEOUT', async () => {
    const server = await start((socket) => socket.pause());
    await expectOutcome(hookOf(server), 'TIMEOUT', Buffer.alloc(20_000_000));
  });

  it('sends a gzip bomb: the bytes stay packed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const head = `${OK_LINE}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
    const server = await start((socket) =>
      onEachRequest(socket, () => socket.write(head) && socket.write(bomb)),
    );
    expect(await expectOutcome(hookOf(server), 200)).toEqual(bomb.subarray(0, 4_096));
  });

  it.each([301, 302, 303, 307, 308])(
    'redirects (%i) to a neighbour: the neighbour sees nothing',
    async (status) => {
      const neighbour = await start(says(`${OK_LINE}content-length: 0\r\n\r\n`));
      const location = `http://127.0.0.1:${neighbour.port}/inside`;
      const server = await start(
        says(
          `HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\nrefresh: 0;url=${location}\r\ncontent-length: 0\r\n\r\n`,
        ),
      );
      await expectOutcome(hookOf(server), status);
      expect(neighbour.connections).toBe(0);
    },
  );

  it('answers twice: the second answer reaches no other request', async () => {
    let answers = 0;
    const server = await start((socket) =>
      onEachRequest(socket, () => {
        answers++;
        socket.write(
          `${OK_LINE}content-length: 1\r\n\r\n${answers}HTTP/1.1 500 Planted\r\ncontent-length: 0\r\n\r\n`,
        );
      }),
    );
    for (const expected of ['1', '2', '3']) {
      expect((await expectOutcome(hookOf(server), 200)).toString()).toBe(expected);
    }
    expect(server.connections).toBe(3);
  });

  it('plants an answer for later on an idle connection: the next request goes elsewhere', async () => {
    const server = await start((socket) =>
      onEachRequest(socket, () => {
        socket.write(`${OK_LINE}content-length: 0\r\n\r\n`);
        setTimeout(() => socket.write('HTTP/1.1 500 Planted\r\ncontent-length: 0\r\n\r\n'), 30);
      }),
    );
    await expectOutcome(hookOf(server), 200);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await expectOutcome(hookOf(server), 200);
    expect(server.connections).toBe(2);
  });
});

describe.concurrent('a receiver whose TLS', () => {
  const answers = says(`${OK_LINE}content-length: 2\r\n\r\nok`);
  const silent = () => {};

  it.each([
    ['is in order', 200, receiverCertificate],
    ['has a certificate for another host', 'TLS', wrongHostCertificate],
    ['has an expired certificate', 'TLS', expiredCertificate],
    ['has a self-signed certificate', 'TLS', selfSignedCertificate],
    ['speaks h2 only', 'TLS', { ...receiverCertificate, ALPNProtocols: ['h2'] }],
    [
      'stops at version 1.1',
      'TLS',
      { ...receiverCertificate, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' },
    ],
    [
      'wants a certificate of ours',
      'CONNECTION',
      { ...receiverCertificate, ca: testAuthority, requestCert: true, rejectUnauthorized: true },
    ],
  ] as const)('%s: %s', async (_name, expected, tls) => {
    const server = await start(answers, { tls });
    await expectOutcome(`https://localhost:${server.port}/hook`, expected);
    await expectOutcome(`https://127.0.0.1:${server.port}/hook`, expected);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['never starts', 'TIMEOUT', silent],
    ['drips', 'TIMEOUT', (socket) => drip(socket, '\x16\x03\x03\x00\x7a\x02', 60)],
    [
      'is plain HTTP',
      'TLS',
      (socket) => socket.once('data', () => socket.write(`${OK_LINE}content-length: 0\r\n\r\n`)),
    ],
    ['is garbage', 'TLS', (socket) => writeEndlessly(socket, 'garbage')],
    ['is reset', 'CONNECTION', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['is closed', 'CONNECTION', (socket) => socket.once('data', () => socket.end())],
  ])('%s: %s', async (_name, expected, behave) => {
    const server = await start(behave);
    await expectOutcome(`https://localhost:${server.port}/hook`, expected);
  });
});
