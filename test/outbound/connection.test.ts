import { execFile } from 'node:child_process';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exchange, openConnection } from '#infra/outbound/connection';
import { readTarget } from '#infra/outbound/url';
import {
  receiverCertificate,
  selfSignedCertificate,
  testAuthority,
  testAuthorityPath,
  wrongHostCertificate,
} from '#test/certificates';
import { answers, client, OK, request, resolveInTurn, server } from '#test/outbound';

const trusting = { extraCa: testAuthority };

describe('a connection', () => {
  it('connects to the checked address, without another DNS query', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate, host: '127.0.0.1' });
    const resolve = resolveInTurn(['127.0.0.1'], ['10.255.255.1']);
    const outbound = client({
      ...trusting,
      extraPorts: [listener.port],
      allowCidrs: ['127.0.0.0/8'],
      resolve,
    });
    const url = `https://receiver.test:${listener.port}/hook`;
    expect(await outbound.post(url, request)).toMatchObject({ status: 200, bodyHead: Buffer.from('ok') });
    expect(resolve.calls()).toBe(1);
  });

  it('connects to the next checked address if the first does not answer', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate, host: '127.0.0.1' });
    const resolve = resolveInTurn(['127.0.0.2', '127.0.0.1']);
    const outbound = client({
      ...trusting,
      extraPorts: [listener.port],
      allowCidrs: ['127.0.0.0/8'],
      resolve,
    });
    const url = `https://receiver.test:${listener.port}/hook`;
    expect(await outbound.post(url, request)).toMatchObject({ status: 200 });
  });

  it('tries a few of the addresses, not all', async () => {
    const listener = await server(answers(OK), { tls: receiverCertificate, host: '127.0.0.1' });
    const resolve = resolveInTurn(['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.1']);
    const outbound = client({
      ...trusting,
      extraPorts: [listener.port],
      allowCidrs: ['127.0.0.0/8'],
      resolve,
    });
    await expect(outbound.post(`https://receiver.test:${listener.port}/`, request)).rejects.toMatchObject({
      kind: 'CONNECTION',
    });
    expect(listener.connections).toBe(0);
  });

  it('does not reopen once it is closed', async () => {
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
    const outbound = client({ ...trusting, allowLoopback: true, resolve: resolveInTurn(['127.0.0.1']) });
    for (const host of ['receiver.test', 'RECEIVER.test.', 'a.receiver.test', '127.0.0.1']) {
      expect(await outbound.post(`https://${host}:${listener.port}/`, request)).toMatchObject({
        status: 200,
      });
    }
    expect(names).toEqual(['receiver.test', 'a.receiver.test', false]);
  });

  it('is secure only if the certificate is for the requested name, not for the address', async () => {
    const listener = await server(answers(OK), { tls: wrongHostCertificate });
    const outbound = client({ ...trusting, allowLoopback: true, resolve: resolveInTurn(['127.0.0.1']) });
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

  it('trusts the default authorities besides the extra one, whatever the environment contains', async () => {
    const trusted = await server(answers(OK), { tls: receiverCertificate });
    const stranger = await server(answers(OK), { tls: wrongHostCertificate });
    const extra = await server(answers(OK), { tls: selfSignedCertificate });
    const script = `
      import { createOutboundHttp } from '${new URL('../../src/infra/outbound/http.ts', import.meta.url)}';
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
