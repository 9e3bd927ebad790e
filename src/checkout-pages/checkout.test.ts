import { brotliDecompressSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutView } from '#modules/checkout';
import { VIEWS } from '#test/checkout-views';
import { type ShownCheckout, showCheckout } from '#test/shown-checkout';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('behind https, with a path prefix', () => {
  let shown: ShownCheckout;
  beforeAll(async () => {
    shown = await showCheckout({ views: VIEWS, baseUrl: 'https://pay.example/eu' });
  });
  afterAll(() => shown.close());
  const open = (path: string) => shown.app.inject(`/checkout/${path}`);
  const send = (path: string, headers: Record<string, string>): Promise<LightMyRequestResponse> =>
    shown.app.inject({
      method: 'POST',
      url: `/checkout/${path}`,
      headers: { ...FORM, ...headers },
      payload: '',
    });

  it('sets a session cookie that works in a frame of the platform, for the path of the link only', async () => {
    const { headers } = await open('company/company');
    expect(headers['set-cookie']).toBe(
      'tl_checkout=a-session; Max-Age=604800; Path=/eu/checkout/company; HttpOnly; Secure; Partitioned; SameSite=None',
    );
  });

  it('may be framed by the platform only', async () => {
    const { headers } = await open('company/company');
    expect(headers['content-security-policy']).toMatch(
      /frame-ancestors https:\/\/shop\.markthalle\.example$/,
    );
    const unknown = await open('nothing/company');
    expect(unknown.headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/);
  });

  it('has links that work with and without the prefix', async () => {
    for (const path of ['company/company', 'company/company/search?country=DE&query=x', 'review/review']) {
      const { body } = await open(path);
      const links = [...body.matchAll(/(?:href|src|action)="([^"]+)"/g)].map(([, link]) => link as string);
      const ours = links.filter(
        (link) => !/^(#|mailto:|https:\/\/(shop\.)?markthalle\.example\/)/.test(link),
      );
      expect(ours.length).toBeGreaterThan(5);
      for (const link of ours) expect(link).toMatch(/^(\.\.\/)*[a-z]/);
      for (const link of ours)
        expect(new URL(link, `https://pay.example/eu/checkout/${path}`).pathname).toMatch(
          /^\/eu\/checkout\//,
        );
    }
  });

  it('accepts forms from its configured origin only, whatever the Host header', async () => {
    expect((await send('company/company', { origin: 'https://pay.example' })).statusCode).toBe(422);
    for (const origin of [
      'http://pay.example',
      'http://localhost:80',
      'https://pay.example:8443',
      'https://pay.example.evil',
    ])
      expect((await send('company/company', { origin })).statusCode, origin).toBe(403);
    expect((await send('company/company', {})).statusCode).toBe(403);
  });
});

describe('on plain http', () => {
  it('accepts a form without an origin except under a local host name', async () => {
    const shown = await showCheckout({ views: VIEWS });
    const send = (host: string) =>
      shown.app.inject({
        method: 'POST',
        url: '/checkout/company/company',
        headers: { ...FORM, host },
        payload: '',
      });
    expect((await send('192.168.1.20:8080')).statusCode).toBe(422);
    for (const host of ['127.0.0.1:8080', 'localhost', 'shop.localhost:1', '[::1]:8080'])
      expect((await send(host)).statusCode, host).toBe(403);
    await shown.close();
  });
});

describe('guesses of tokens', () => {
  it('are limited by IPv4 address and by IPv6 network', async () => {
    const shown = await showCheckout({ views: VIEWS });
    const guess = (remoteAddress: string) =>
      shown.app.inject({ url: '/checkout/nothing/company', remoteAddress });
    for (let tries = 0; tries < 30; tries++) expect((await guess(`2001:db8::${tries}`)).statusCode).toBe(404);
    expect((await guess('2001:db8:0:0:ffff::1')).statusCode).toBe(429);
    expect((await guess('2001:db8:0:1::1')).statusCode).toBe(404);
    expect((await guess('192.0.2.1')).statusCode).toBe(404);
    const known = await shown.app.inject({ url: '/checkout/company/company', remoteAddress: '2001:db8::1' });
    expect(known.statusCode).toBe(200);
    await shown.close();
  });
});

describe('the first page', () => {
  const BYTES_MAX = 30_000;

  it.each(['EN', 'DE', 'AR'] as const)(
    'in %s transfers at most 30 kB with all that it loads',
    async (language) => {
      const view = VIEWS.company as CheckoutView;
      const shown = await showCheckout({ views: { first: { ...view, language } } });
      const get = async (path: string) => {
        const { statusCode, rawPayload, headers } = await shown.app.inject({
          url: path,
          headers: { 'accept-encoding': 'br' },
        });
        expect([statusCode, headers['content-encoding']]).toEqual([200, 'br']);
        return rawPayload;
      };
      const address = '/checkout/first/company';
      const page = await get(address);
      const html = brotliDecompressSync(page).toString();
      const loaded = [...html.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"]+)"/g)].map(
        ([, path]) => new URL(path as string, `http://checkout.example${address}`).pathname,
      );
      expect(loaded.length).toBeGreaterThanOrEqual(3);
      const assets = await Promise.all(loaded.map(get));
      const bytes = [page, ...assets].reduce((sum, payload) => sum + payload.length, 0);
      await shown.close();
      expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
    },
  );
});
