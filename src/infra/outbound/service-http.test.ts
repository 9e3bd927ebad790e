import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  expiredCertificate,
  receiverCertificate,
  selfSignedCertificate,
  testAuthority,
  wrongHostCertificate,
} from '#test/certificates';
import { onEachRequest, startRawServer, writeEndlessly } from '#test/raw-server';
import { answers, cutOff, huge, json, reset, silent, startRegistryServers } from '#test/registry-servers';
import { createServiceHttp, type ServiceHttpOptions } from './service-http.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function servers(tls?: { key: string; cert: string }) {
  const started = await startRegistryServers(tls);
  cleanUps.push(() => started.close());
  return started;
}

function client(baseUrl: string, options: Omit<ServiceHttpOptions, 'baseUrl'> = {}) {
  const http = createServiceHttp({ baseUrl, ...options });
  cleanUps.push(() => http.close());
  return http;
}

async function rawServer(answer: string) {
  const server = await startRawServer((socket) => onEachRequest(socket, () => socket.write(answer)), {
    host: '127.0.0.1',
  });
  cleanUps.push(() => server.close());
  return client(`http://127.0.0.1:${server.port}`);
}

const get = { method: 'GET', path: '/x' } as const;

describe('a request to a service', () => {
  it('goes to a path below the base URL, with its headers and a JSON body', async () => {
    const { url, requests, behave } = await servers();
    behave('vies', json({ a: 1 }));
    const http = client(`${url('vies')}//`, { headers: { 'x-key': 'k' } });
    const reply = await http.send({ method: 'POST', path: '/y?q=%26', body: { b: 2 } });
    expect(reply).toEqual({ status: 200, retryAfterMs: null, body: Buffer.from('{"a":1}') });
    expect(requests).toMatchObject([{ method: 'POST', path: '/y', body: '{"b":2}' }]);
    expect(requests[0]?.headers).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' });
    expect(requests[0]?.search.get('q')).toBe('&');
  });

  it('keeps its connection for the next request', async () => {
    const { url, connections, behave } = await servers();
    behave('vies', json({}));
    const http = client(url('vies'));
    for (let count = 0; count < 20; count++) await http.send(get);
    // A response arrives a moment before its connection is idle.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['soon', null],
    ['-5', null],
    ['Wed, 21 Oct 2015 07:28:30 GMT', 30_000],
    ['Wed, 21 Oct 2015 07:20:00 GMT', 0],
  ])('reads Retry-After: %s', async (value, retryAfterMs) => {
    const { url, behave } = await servers();
    behave('vies', answers(429, '', { 'retry-after': value, date: 'Wed, 21 Oct 2015 07:28:00 GMT' }));
    expect(await client(url('vies')).send(get)).toMatchObject({ status: 429, retryAfterMs });
  });

  it('does not follow a redirect', async () => {
    const [here, there] = [await servers(), await servers()];
    here.behave('vies', answers(302, '', { location: `${there.url('gleif')}/lei-records` }));
    expect(await client(here.url('vies')).send(get)).toMatchObject({ status: 302 });
    expect([here.requests.length, there.requests.length]).toEqual([1, 0]);
  });

  it('rejects with the reason of its signal', async () => {
    const { url, behave, arrived } = await servers();
    behave('vies', silent);
    const controller = new AbortController();
    const sending = client(url('vies')).send({ ...get, signal: controller.signal });
    await arrived(1);
    const reason = new Error('No more time.');
    controller.abort(reason);
    await expect(sending).rejects.toBe(reason);
  });

  it.each([
    '',
    'ftp://host/x',
    'host',
    'https://user:secret@host/',
    'https://host/?key=1',
    'https://host/#a',
  ])('is refused below %j', (baseUrl) => {
    expect(() => createServiceHttp({ baseUrl })).toThrow(TypeError);
    expect(() => createServiceHttp({ baseUrl })).not.toThrow(/secret/);
  });

  it('is refused with certificate authorities that contain no certificate', () => {
    expect(() => createServiceHttp({ baseUrl: 'https://host', extraCa: 'none' })).toThrow(TypeError);
  });
});

describe('a response', () => {
  it.each([
    ['reset', reset, 'CONNECTION'],
    ['cut off', cutOff, 'CONNECTION'],
    ['without an end', huge, 'TOO_LARGE'],
  ])('fails: %s', async (_what, behaviour, kind) => {
    const { url, behave } = await servers();
    behave('vies', behaviour);
    await expect(client(url('vies')).send(get)).rejects.toMatchObject({ name: 'ServiceFailed', kind });
  });

  it('is limited to 1 MB', async () => {
    const { url, behave } = await servers();
    const http = client(url('vies'));
    behave('vies', answers(200, 'x'.repeat(1_048_576)));
    expect((await http.send(get)).body).toHaveLength(1_048_576);
    behave('vies', answers(200, 'x'.repeat(1_048_577)));
    await expect(http.send(get)).rejects.toMatchObject({ kind: 'TOO_LARGE' });
  });

  it('fails if the server does not listen', async () => {
    const server = await startRawServer(() => {}, { host: '127.0.0.1' });
    await server.close();
    const sending = client(`http://127.0.0.1:${server.port}`).send(get);
    await expect(sending).rejects.toMatchObject({ kind: 'CONNECTION', code: 'ECONNREFUSED' });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', 'PROTOCOL'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'TOO_LARGE'],
  ])('fails: %s', async (_what, answer, kind) => {
    const http = await rawServer(answer);
    await expect(http.send(get)).rejects.toMatchObject({ kind });
  });

  it('without end in empty chunks does not fill the memory', async () => {
    const server = await startRawServer(
      (socket) =>
        onEachRequest(socket, () => {
          socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
          writeEndlessly(socket, '1000\r\n'.concat('z'.repeat(4_096), '\r\n'));
        }),
      { host: '127.0.0.1' },
    );
    cleanUps.push(() => server.close());
    const sending = client(`http://127.0.0.1:${server.port}`).send(get);
    await expect(sending).rejects.toMatchObject({ kind: 'TOO_LARGE' });
  });
});

describe('TLS', () => {
  it('is verified against the given authorities', async () => {
    const { url, behave } = await servers(receiverCertificate);
    behave('vies', json({}));
    expect(await client(url('vies'), { extraCa: testAuthority }).send(get)).toMatchObject({ status: 200 });
    await expect(client(url('vies')).send(get)).rejects.toMatchObject({ kind: 'TLS' });
  });

  it.each([
    ['of another host', wrongHostCertificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', expiredCertificate, 'CERT_HAS_EXPIRED'],
    ['signed by itself', selfSignedCertificate, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('refuses a certificate %s, independent of the environment', async (_what, certificate, code) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { url, requests } = await servers(certificate);
    const sending = client(url('vies'), { extraCa: testAuthority }).send(get);
    await expect(sending).rejects.toMatchObject({ kind: 'TLS', code });
    expect(requests).toEqual([]);
  });

  it('refuses a server without TLS', async () => {
    const { url } = await servers();
    const sending = client(url('vies').replace('http:', 'https:')).send(get);
    await expect(sending).rejects.toMatchObject({ kind: 'TLS' });
  });
});
