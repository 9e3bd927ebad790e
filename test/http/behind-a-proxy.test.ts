import { request as httpRequest } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiverCertificate, testAuthority } from '#test/certificates';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { freePort } from '#test/free-port';
import { createWorld, type World } from '#test/world';

/** The address from which the proxy reaches the service. */
const PROXY = '127.0.0.9';
const STRANGER = '127.0.0.10';

let world: World;
let checkout: CheckoutWorld;
let proxy: Server;
/** The address at which clients reach the proxy. */
let publicUrl: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_TRUSTED_PROXIES: `${PROXY}, fd00::/8` } });
  checkout = await createCheckout(world);
  proxy = await startTlsProxy(world.baseUrl);
  publicUrl = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
const agents: Agent[] = [];
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  await new Promise((resolve) => proxy.close(resolve));
  await world.close();
});

/** Ends TLS and passes on the client's address and protocol, as nginx, Caddy and load balancers do. */
async function startTlsProxy(target: string): Promise<Server> {
  const { hostname, port } = new URL(target);
  const server = createServer(receiverCertificate, (incoming, outgoing) => {
    const { 'x-forwarded-for': earlier, host, ...headers } = incoming.headers;
    const from = incoming.socket.remoteAddress ?? '';
    const forwarded = httpRequest({
      ...{ hostname, port, path: incoming.url, method: incoming.method, localAddress: PROXY },
      headers: {
        ...headers,
        'x-forwarded-for': earlier === undefined ? from : `${earlier}, ${from}`,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': host,
      },
    });
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

interface Sent {
  from: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send(url: string, { from, headers = {}, body }: Sent) {
  const agent = new Agent({ localAddress: from, connect: { ca: testAuthority, localAddress: from } });
  agents.push(agent);
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await request(url, {
    dispatcher: agent,
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const authorization = () => ({ authorization: `Bearer ${world.apiKey}` });
async function linkOf(base: string, from: string, headers: Record<string, string> = {}): Promise<string> {
  const { id } = await checkout.draft();
  const path = `/v1/orders/${id}/redirect_url`;
  const { status, text } = await send(base + path, { from, headers: { ...authorization(), ...headers } });
  expect(status).toBe(200);
  return JSON.parse(text).url;
}

describe('behind a trusted proxy that ends TLS', () => {
  it('links have the address and the scheme at which the client reached the proxy', async () => {
    expect(await linkOf(publicUrl, '127.0.0.1')).toMatch(new RegExp(`^${publicUrl}/checkout/[\\w-]{48}$`));
  });

  it('the cookie of a checkout is sent over https only, and its forms are taken', async () => {
    const link = await linkOf(publicUrl, '127.0.0.1');
    const page = await send(`${link}/company`, { from: '127.0.0.1' });
    expect(page.status).toBe(200);
    const cookie = [page.headers['set-cookie']].flat().join();
    expect(cookie).toMatch(/; HttpOnly; Secure; Partitioned; SameSite=None$/);
    const headers = {
      cookie: cookie.split(';')[0] as string,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    };
    const choose = (origin: string) =>
      send(`${link}/language`, { from: '127.0.0.1', headers: { ...headers, origin }, body: 'language=FR' });
    expect((await choose(publicUrl)).status).toBe(303);
    expect((await choose('https://elsewhere.test')).status).toBe(403);
    // The address of the service differs from that of its pages.
    expect((await choose(world.baseUrl)).status).toBe(403);
  });

  it('limits count the client, whatever else it claims to be', async () => {
    const guess = (from: string, headers: Record<string, string> = {}) =>
      send(`${publicUrl}/checkout/nothing/company`, { from, headers });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => guess('127.0.0.21', { 'x-forwarded-for': `198.51.100.${nth}` })),
    );
    expect(answers.map(({ status }) => status)).toContain(429);
    expect((await guess('127.0.0.22')).status).toBe(404);
  });
});

describe('from an address that is no trusted proxy', () => {
  it('the headers of a proxy change no link', async () => {
    const spoofed = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' };
    expect(await linkOf(world.baseUrl, STRANGER, spoofed)).toMatch(new RegExp(`^${world.baseUrl}/checkout/`));
  });

  it('they do not get around a limit', async () => {
    const guess = (nth: number) =>
      send(`${world.baseUrl}/checkout/nothing/company`, {
        from: STRANGER,
        headers: { 'x-forwarded-for': `198.51.100.${nth}` },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, nth) => guess(nth)));
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});

describe('from a trusted proxy', () => {
  const direct = (headers: Record<string, string>) => linkOf(world.baseUrl, PROXY, headers);

  it.each([
    [{}, null],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.test, credit.test' }, 'https://credit.test'],
    [{ 'x-forwarded-host': 'credit.test:8443' }, 'http://credit.test:8443'],
    [{ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'credit.test' }, null],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'user@evil.test/path' }, null],
    [{ 'x-forwarded-for': 'no address' }, null],
  ])('%j leads to %s', async (headers, origin) => {
    expect(await direct(headers as Record<string, string>)).toMatch(
      new RegExp(`^${origin ?? world.baseUrl}/checkout/`),
    );
  });
});

it('TRADELINE_BASE_URL counts more than what a proxy says', async () => {
  const port = await freePort();
  const configured = await createWorld({
    settings: {
      ...{ PORT: `${port}`, TRADELINE_BASE_URL: `http://localhost:${port}` },
      TRADELINE_TRUSTED_PROXIES: '127.0.0.0/8',
    },
  });
  const { id } = await (await createCheckout(configured)).draft();
  const { body } = await configured.get(`/v1/orders/${id}/redirect_url`, {
    headers: { 'x-forwarded-host': 'other.test', 'x-forwarded-proto': 'https' },
  });
  expect(body.url).toMatch(new RegExp(`^http://localhost:${port}/checkout/`));
  await configured.close();
});
