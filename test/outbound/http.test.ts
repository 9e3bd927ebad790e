import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { OutboundFailed } from '#infra/outbound/http';
import { expiredCertificate, receiverCertificate, testAuthority } from '#test/certificates';
import { answers, client, OK, request, resolveInTurn, server } from '#test/outbound';
import { patience } from '#test/patience';
import { onEachRequest } from '#test/raw-server';
import { until } from '#test/until';

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

  it('is answered with status, retry-after, the address, the first 4 KB and the time it took', async () => {
    const body = 'abcdefgh'.repeat(1_000);
    const head = `HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nretry-after: 7\r\ncontent-length: ${body.length}`;
    const listener = await server((socket) =>
      onEachRequest(socket, () => setTimeout(() => socket.write(`${head}\r\n\r\n${body}`), 50)),
    );
    const reply = await client({ allowLoopback: true }).post(`http://127.0.0.1:${listener.port}/`, request);
    expect(reply).toEqual({
      status: 503,
      retryAfter: '120',
      address: '127.0.0.1',
      bodyHead: Buffer.from(body.slice(0, 4_096)),
      durationMs: expect.any(Number),
    });
    expect(reply.durationMs).toBeGreaterThan(40);
    expect(reply.durationMs).toBeLessThan(patience(1));
  });

  it('that fails within its answer has the status and what arrived of the body', async () => {
    const head = 'HTTP/1.1 500 No\r\ncontent-length: 5000\r\n\r\n';
    const listener = await server(answers(`${head}${'a'.repeat(3_000)}`));
    const outbound = client({ allowLoopback: true });
    const attempt = outbound.post(`http://127.0.0.1:${listener.port}/`, {
      ...request,
      timeoutMs: patience(0.2),
    });
    await expect(attempt).rejects.toMatchObject({
      ...{ kind: 'TIMEOUT', message: 'The receiver did not finish its answer in time.' },
      progress: { address: '127.0.0.1', status: 500, bodyHead: Buffer.alloc(3_000, 'a') },
    });
  });

  it('that fails before its answer has the address that was dialled last', async () => {
    const silent = await server(() => {});
    const expired = await server(answers(OK), { tls: expiredCertificate, host: '127.0.0.1' });
    const outbound = client({
      ...{ allowLoopback: true, extraCa: testAuthority },
      resolve: resolveInTurn(['127.0.0.2', '127.0.0.1']),
    });
    const failureOf = (url: string, timeoutMs: number) =>
      outbound.post(url, { ...request, timeoutMs }).then(null, (error: OutboundFailed) => error);
    expect(await failureOf(`https://receiver.test:${expired.port}/`, request.timeoutMs)).toMatchObject({
      ...{ kind: 'TLS', code: 'CERT_HAS_EXPIRED' },
      progress: { address: '127.0.0.1', status: null, bodyHead: Buffer.alloc(0) },
    });
    for (const scheme of ['http', 'https'])
      expect(await failureOf(`${scheme}://127.0.0.1:${silent.port}/`, 200)).toMatchObject({
        ...{ kind: 'TIMEOUT', message: 'The receiver did not answer in time.' },
        progress: { address: '127.0.0.1', status: null, bodyHead: Buffer.alloc(0) },
      });
  });

  it('ends in time if its name is never resolved', async () => {
    const outbound = client({ resolve: () => new Promise(() => {}) });
    const startedMs = performance.now();
    const attempt = outbound.post('https://example.com/', { ...request, timeoutMs: 200 });
    await expect(attempt).rejects.toMatchObject({
      kind: 'TIMEOUT',
      progress: { address: null, status: null },
    });
    expect(performance.now() - startedMs).toBeLessThan(patience(0.7));
  });

  it('shares the lookup of a name that is under way', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate });
    const resolve = resolveInTurn(['127.0.0.1']);
    const outbound = client({ allowLoopback: true, extraCa: testAuthority, resolve });
    const urls = Array.from({ length: 8 }, (_, index) => `https://receiver.test:${listener.port}/${index}`);
    const replies = await Promise.all(urls.map((url) => outbound.post(url, request)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(resolve.calls()).toBe(1);
  });
});

/** Resolves when the close has been sent, before the event loop reads the bytes that have arrived. */
function closedUnnoticed(socket: Socket): Promise<void> {
  return new Promise((resolve) =>
    socket.end(() => {
      setTimeout(resolve, 1);
      const startedAtMs = performance.now();
      while (performance.now() < startedAtMs + 3);
    }),
  );
}

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
    let closed = 0;
    const listener = await server((socket) => {
      socket.on('close', () => closed++);
      onEachRequest(socket, () => {
        socket.write(OK);
        setTimeout(() => socket.end(), 20);
      });
    });
    const outbound = client({ allowLoopback: true });
    for (let round = 0; round < 3; round++) {
      await outbound.post(`http://127.0.0.1:${listener.port}/hook`, request);
      await until(() => closed === round + 1);
    }
    expect(listener.connections).toBe(3);
  });

  it('that the receiver closes as they are taken are replaced, and a request is still sent once', async () => {
    let idle: Socket | null = null;
    let requests = 0;
    const listener = await server((socket) =>
      onEachRequest(socket, () => {
        requests++;
        socket.write(OK);
        idle = socket;
      }),
    );
    const outbound = client({ allowLoopback: true });
    for (let round = 0; round < 20; round++) {
      if (idle) await closedUnnoticed(idle);
      await outbound.post(`http://127.0.0.1:${listener.port}/hook`, request);
    }
    expect(requests).toBe(20);
    expect(listener.connections).toBe(20);
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
    await until(() => open === 256);
    await outbound.close();
    await until(() => open === 0);
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
    await until(() => open === 1);
    await outbound.close();
    await until(() => status === 200);
    await until(() => open === 0);
    await expect(outbound.post(url, request)).rejects.toThrow('closed');
  });
});
