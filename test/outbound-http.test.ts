import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { exchange, openConnection } from '#infra/outbound-connection';
import {
  createOutboundHttp,
  type OutboundHttp,
  type OutboundPolicy,
  OutboundRefused,
} from '#infra/outbound-http';
import { readTarget } from '#infra/outbound-url';
import {
  receiverCertificate,
  selfSignedCertificate,
  testAuthority,
  testAuthorityPath,
  wrongHostCertificate,
} from '#test/certificates';
import { onEachRequest, type RawServer, type RawServerOptions, startRawServer } from '#test/raw-server';

const PUBLIC_ADDRESS = '93.184.215.14';
const REBINDS = 1_000;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const request = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 2_000 };

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function client(policy: Partial<OutboundPolicy> = {}): OutboundHttp {
  const outbound = createOutboundHttp({
    allowLoopback: false,
    extraPorts: [],
    allowCidrs: [],
    extraCa: testAuthority,
    ...policy,
  });
  cleanUps.push(() => outbound.close());
  return outbound;
}

async function server(behave: (socket: Socket) => void, options?: RawServerOptions): Promise<RawServer> {
  const started = await startRawServer(behave, options);
  cleanUps.push(() => started.close());
  return started;
}

const answers = (text: string) => (socket: Socket) => onEachRequest(socket, () => socket.write(text));

/** Resolves every name to the next list, and to the last one for good. */
function resolveInTurn(...lists: string[][]) {
  let calls = 0;
  return Object.assign(
    async () => {
      const list = lists[Math.min(calls++, lists.length - 1)] ?? [];
      return list.map((address) => ({
        address,
        family: address.includes(':') ? (6 as const) : (4 as const),
      }));
    },
    { calls: () => calls },
  );
}

describe('a name that changes its address', () => {
  const ownAddresses = Object.values(networkInterfaces())
    .flat()
    .map((networkInterface) => networkInterface?.address ?? '')
    .filter((address) => /^(10|127|172\.(1[6-9]|2\d|3[01])|192\.168)\.|^::1$|^f[cde]/.test(address));
  const inside = [
    ...[
      '127.0.0.1',
      '127.0.0.2',
      '127.255.255.254',
      '0.0.0.0',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
    ],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254'],
    ...['100.64.0.1', 'fd00::1', 'fe80::1', '2606:4700::5efe:7f00:1', 'localhost', '127.1'],
    ...ownAddresses,
  ];
  const mixtures = inside.flatMap((address) => [
    [address],
    [address, PUBLIC_ADDRESS],
    [PUBLIC_ADDRESS, address],
    [PUBLIC_ADDRESS, '2606:4700::6810:1', address],
    [...Array(50).fill(PUBLIC_ADDRESS), address],
    [address, address],
  ]);

  it('is refused each time: no connection is made', async () => {
    const listener = await server(answers(OK));
    const url = `https://rebinding.example:${listener.port}/hook`;
    const reasons: string[] = [];
    for (let rebind = 0; rebind < REBINDS; rebind++) {
      const mixture = mixtures[rebind % mixtures.length] ?? [];
      const resolve = resolveInTurn([PUBLIC_ADDRESS], mixture);
      const outbound = createOutboundHttp({
        allowLoopback: false,
        extraPorts: [listener.port],
        allowCidrs: [],
        resolve,
      });
      await outbound.vet(url);
      const error = await outbound.post(url, request).catch((reason: unknown) => reason);
      reasons.push(error instanceof OutboundRefused ? error.reason : String(error));
      expect(resolve.calls()).toBe(2);
    }
    expect(reasons).toEqual(Array(REBINDS).fill('ADDRESS'));
    expect(listener.connections).toBe(0);
  });

  it('is refused at the next connection, after one that was allowed', async () => {
    const closing = (socket: Socket) =>
      onEachRequest(socket, () =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'),
      );
    const listener = await server(closing, { tls: receiverCertificate });
    for (const address of inside.filter((other) => other !== '127.0.0.1')) {
      const resolve = resolveInTurn(['127.0.0.1'], [address]);
      const outbound = client({ extraPorts: [listener.port], allowCidrs: ['127.0.0.1/32'], resolve });
      const url = `https://receiver.test:${listener.port}/hook`;
      const before = listener.connections;
      expect(await outbound.post(url, request)).toMatchObject({ status: 200 });
      await expect(outbound.post(url, request)).rejects.toMatchObject({ reason: 'ADDRESS' });
      expect(listener.connections).toBe(before + 1);
    }
  });

  it('is refused without a word about where it leads', async () => {
    for (const address of inside) {
      const outbound = createOutboundHttp({
        allowLoopback: false,
        extraPorts: [],
        allowCidrs: [],
        resolve: resolveInTurn([address]),
      });
      await expect(outbound.post('https://rebinding.example/', request)).rejects.toThrow(
        /^The host of the url does not lead to a public address\.$/,
      );
    }
  });
});

describe('a connection', () => {
  it('goes to the address that was vetted, without asking again', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate, host: '127.0.0.1' });
    const resolve = resolveInTurn(['127.0.0.1'], ['10.255.255.1']);
    const outbound = client({ extraPorts: [listener.port], allowCidrs: ['127.0.0.0/8'], resolve });
    const url = `https://receiver.test:${listener.port}/hook`;
    expect(await outbound.post(url, request)).toMatchObject({ status: 200, bodyHead: Buffer.from('ok') });
    expect(resolve.calls()).toBe(1);
  });

  it('goes to the next vetted address where the first does not answer', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate, host: '127.0.0.1' });
    const resolve = resolveInTurn(['127.0.0.2', '127.0.0.1']);
    const outbound = client({ extraPorts: [listener.port], allowCidrs: ['127.0.0.0/8'], resolve });
    const url = `https://receiver.test:${listener.port}/hook`;
    expect(await outbound.post(url, request)).toMatchObject({ status: 200 });
  });

  it('tries a few of the addresses, not all', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate, host: '127.0.0.1' });
    const resolve = resolveInTurn(['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.1']);
    const outbound = client({ extraPorts: [listener.port], allowCidrs: ['127.0.0.0/8'], resolve });
    await expect(outbound.post(`https://receiver.test:${listener.port}/`, request)).rejects.toMatchObject({
      kind: 'CONNECTION',
    });
    expect(listener.connections).toBe(0);
  });

  it('does not open again by itself once it is closed', async () => {
    const listener = await server(answers(OK));
    const target = readTarget(`http://127.0.0.1:${listener.port}/`, { allowLoopback: true, extraPorts: [] });
    const { signal } = new AbortController();
    const addresses = [{ address: '127.0.0.1', family: 4 as const }];
    for (const usesBefore of [0, 1]) {
      const connection = await openConnection(target, addresses, createSecureContext(), signal);
      if (usesBefore > 0) await exchange(connection, '/', request, signal);
      connection.socket.destroy();
      await expect(exchange(connection, '/', request, signal)).rejects.toMatchObject({ kind: 'CONNECTION' });
    }
    expect(listener.connections).toBe(2);
  });

  it('is neither made nor used after the deadline', async () => {
    const listener = await server(answers(OK));
    const target = readTarget(`http://127.0.0.1:${listener.port}/`, { allowLoopback: true, extraPorts: [] });
    const addresses = [{ address: '127.0.0.1', family: 4 as const }];
    const late = AbortSignal.abort(new Error('late'));
    await expect(openConnection(target, addresses, createSecureContext(), late)).rejects.toThrow('late');
    const { signal } = new AbortController();
    const connection = await openConnection(target, addresses, createSecureContext(), signal);
    await expect(exchange(connection, '/', request, late)).rejects.toThrow('late');
    expect(connection.socket.destroyed).toBe(true);
    expect(listener.connections).toBe(1);
  });

  it('names the host to the receiver, but not an address', async () => {
    const names: unknown[] = [];
    const listener = await server(
      (socket) => {
        names.push((socket as TLSSocket).servername);
        answers(OK)(socket);
      },
      { tls: receiverCertificate },
    );
    const outbound = client({ allowLoopback: true, resolve: resolveInTurn(['127.0.0.1']) });
    for (const host of ['receiver.test', 'RECEIVER.test.', 'a.receiver.test', '127.0.0.1']) {
      expect(await outbound.post(`https://${host}:${listener.port}/`, request)).toMatchObject({
        status: 200,
      });
    }
    expect(names).toEqual(['receiver.test', 'a.receiver.test', false]);
  });

  it('is secure only where the certificate is for the name that was asked, not for the address', async () => {
    const listener = await server(answers(OK), { tls: wrongHostCertificate });
    const outbound = client({ allowLoopback: true, resolve: resolveInTurn(['127.0.0.1']) });
    for (const host of ['receiver.test', 'localhost', '127.0.0.1', 'b.elsewhere.test']) {
      await expect(outbound.post(`https://${host}:${listener.port}/`, request)).rejects.toMatchObject({
        kind: 'TLS',
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      });
    }
    expect(await outbound.post(`https://elsewhere.test:${listener.port}/`, request)).toMatchObject({
      status: 200,
    });
  });

  it('trusts the default authorities beside the extra one, whatever the environment says', async () => {
    const trusted = await server(answers(OK), { tls: receiverCertificate });
    const stranger = await server(answers(OK), { tls: wrongHostCertificate });
    const extra = await server(answers(OK), { tls: selfSignedCertificate });
    const script = `
      import { createOutboundHttp } from '${new URL('../src/infra/outbound-http.ts', import.meta.url)}';
      const extraCa = ${JSON.stringify(selfSignedCertificate.cert)};
      const outcomes = [];
      for (const policy of [{ extraCa }, {}]) {
        const outbound = createOutboundHttp({ allowLoopback: true, extraPorts: [], allowCidrs: [], ...policy });
        for (const port of [${trusted.port}, ${extra.port}, ${stranger.port}]) {
          const request = { headers: {}, body: '', timeoutMs: 2000 };
          const reply = outbound.post('https://127.0.0.1:' + port, request);
          outcomes.push(await reply.then(({ status }) => status, ({ code }) => code));
        }
        await outbound.close();
      }
      console.log(JSON.stringify(outcomes));`;
    const proxy = 'http://127.0.0.1:9';
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        NODE_EXTRA_CA_CERTS: testAuthorityPath,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        NODE_USE_ENV_PROXY: '1',
        ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy, ALL_PROXY: proxy },
      },
    });
    expect(JSON.parse(stdout)).toEqual([
      ...[200, 200, 'ERR_TLS_CERT_ALTNAME_INVALID'],
      ...[200, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ]);
  });

  it('cannot be set up with authorities that are none', () => {
    for (const extraCa of ['', 'not a certificate', testAuthority.replace('MII', 'MIX')]) {
      expect(() => client({ extraCa })).toThrow();
    }
  });
});

describe('a request', () => {
  it('carries the headers and the bytes it was given, and nothing of ours', async () => {
    const bodies = [
      Buffer.from([0, 255, 128, 10, 13, 10]),
      'é\u2028"\ud83d\ude00',
      '',
      Buffer.alloc(100_000, 7),
    ];
    const seen: { head: string; body: Buffer }[] = [];
    const listener = await server((socket) =>
      onEachRequest(socket, (head, body) => {
        seen.push({ head, body: Buffer.from(body) });
        socket.write(OK);
      }),
    );
    const outbound = client({ allowLoopback: true });
    const headers = { 'Service-Signature': 't=1,v1=ab', 'User-Agent': 'tradeline' };
    for (const body of bodies) {
      await outbound.post(`http://127.0.0.1:${listener.port}/hook?a=%20b`, { ...request, headers, body });
    }
    expect(seen.map(({ body }) => body)).toEqual(bodies.map((body) => Buffer.from(body)));
    expect(seen[0]?.head.split('\r\n')).toEqual([
      'POST /hook?a=%20b HTTP/1.1',
      `host: 127.0.0.1:${listener.port}`,
      'connection: keep-alive',
      'Service-Signature: t=1,v1=ab',
      'User-Agent: tradeline',
      'content-length: 6',
    ]);
  });

  it.each(['Authorization', 'cookie', 'Host', 'Proxy-Authorization', 'Transfer-Encoding', 'Connection'])(
    'never carries %s',
    async (name) => {
      const attempt = client().post('https://example.com/', { ...request, headers: { [name]: 'x' } });
      await expect(attempt).rejects.toThrow(TypeError);
    },
  );

  it('cannot be split by a header', async () => {
    const listener = await server(answers(OK));
    const headers = { 'x-a': 'b\r\nx-c: d' };
    const attempt = client({ allowLoopback: true }).post(`http://127.0.0.1:${listener.port}/`, {
      ...request,
      headers,
    });
    await expect(attempt).rejects.toThrow('invalid x-a header');
  });

  it('is answered with status, retry-after, the first 4 KB and the time it took', async () => {
    const body = 'abcdefgh'.repeat(1_000);
    const head = `HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nretry-after: 7\r\ncontent-length: ${body.length}`;
    const listener = await server((socket) =>
      onEachRequest(socket, () => setTimeout(() => socket.write(`${head}\r\n\r\n${body}`), 50)),
    );
    const reply = await client({ allowLoopback: true }).post(`http://127.0.0.1:${listener.port}/`, request);
    expect(reply).toEqual({
      status: 503,
      retryAfter: '120',
      bodyHead: Buffer.from(body.slice(0, 4_096)),
      durationMs: expect.any(Number),
    });
    expect(reply.durationMs).toBeGreaterThan(40);
    expect(reply.durationMs).toBeLessThan(1_000);
  });

  it('ends in time where its name is never resolved', async () => {
    const outbound = client({ resolve: () => new Promise(() => {}) });
    const startedMs = performance.now();
    const attempt = outbound.post('https://example.com/', { ...request, timeoutMs: 200 });
    await expect(attempt).rejects.toMatchObject({ kind: 'TIMEOUT' });
    expect(performance.now() - startedMs).toBeLessThan(700);
  });

  it('shares the lookup of a name that is under way', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate });
    const resolve = resolveInTurn(['127.0.0.1']);
    const outbound = client({ allowLoopback: true, resolve });
    const urls = Array.from({ length: 8 }, (_, index) => `https://receiver.test:${listener.port}/${index}`);
    const replies = await Promise.all(urls.map((url) => outbound.post(url, request)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(resolve.calls()).toBe(1);
  });
});

describe('connections', () => {
  it('are used again, one request at a time', async () => {
    const listener = await server(answers(OK));
    const outbound = client({ allowLoopback: true });
    const url = `http://127.0.0.1:${listener.port}/hook`;
    for (let round = 0; round < 20; round++) await outbound.post(url, request);
    expect(listener.connections).toBe(1);
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 8 }, () => outbound.post(url, request)));
    }
    expect(listener.connections).toBe(8);
  });

  it('are used again however much they carried', async () => {
    const head = `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(14_000)}\r\ncontent-length: 4096\r\n\r\n`;
    const listener = await server(answers(`${head}${'a'.repeat(4_096)}`));
    const outbound = client({ allowLoopback: true });
    for (let round = 0; round < 100; round++) {
      const reply = await outbound.post(`http://127.0.0.1:${listener.port}/hook`, request);
      expect(reply.bodyHead.length).toBe(4_096);
    }
    expect(listener.connections).toBe(1);
  });

  it('are not used again after an answer that was cut', async () => {
    const long = `HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'a'.repeat(5_000)}`;
    const listener = await server(answers(long));
    const outbound = client({ allowLoopback: true });
    for (let round = 0; round < 3; round++) {
      await outbound.post(`http://127.0.0.1:${listener.port}/hook`, request);
    }
    expect(listener.connections).toBe(3);
  });

  it('that the receiver closed while idle are replaced', async () => {
    const listener = await server((socket) =>
      onEachRequest(socket, () => {
        socket.write(OK);
        setTimeout(() => socket.end(), 20);
      }),
    );
    const outbound = client({ allowLoopback: true });
    for (let round = 0; round < 3; round++) {
      await outbound.post(`http://127.0.0.1:${listener.port}/hook`, request);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(listener.connections).toBe(3);
  });

  it('are not shared between origins', async () => {
    const one = await server(answers(OK));
    const other = await server(answers(OK.replace('ok', 'no')));
    const outbound = client({ allowLoopback: true });
    const bodies: string[] = [];
    for (const port of [one.port, other.port, one.port, other.port]) {
      const reply = await outbound.post(`http://127.0.0.1:${port}/`, request);
      bodies.push(reply.bodyHead.toString());
    }
    expect(bodies).toEqual(['ok', 'no', 'ok', 'no']);
    expect([one.connections, other.connections]).toEqual([1, 1]);
  });

  it('stay few while idle, however many origins there are', async () => {
    let open = 0;
    const listener = await server((socket) => {
      open++;
      socket.on('close', () => open--);
      answers(OK)(socket);
    });
    const outbound = client({ allowLoopback: true, resolve: resolveInTurn(['127.0.0.1']) });
    for (let origin = 0; origin < 300; origin++) {
      await outbound.post(`http://receiver-${origin}.example:${listener.port}/`, request);
    }
    await expect.poll(() => open).toBe(256);
    await outbound.close();
    await expect.poll(() => open).toBe(0);
  });

  it('that are busy end in peace when the client closes', async () => {
    let open = 0;
    const listener = await server((socket) => {
      open++;
      socket.on('close', () => open--);
      onEachRequest(socket, () => setTimeout(() => socket.write(OK), 100));
    });
    const outbound = client({ allowLoopback: true });
    const url = `http://127.0.0.1:${listener.port}/hook`;
    let status = 0;
    void outbound.post(url, request).then((reply) => {
      status = reply.status;
    });
    await expect.poll(() => open).toBe(1);
    await outbound.close();
    await expect.poll(() => status, { timeout: 20 }).toBe(200);
    await expect.poll(() => open).toBe(0);
    await expect(outbound.post(url, request)).rejects.toThrow('closed');
  });
});
