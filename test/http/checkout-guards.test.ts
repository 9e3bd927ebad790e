import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckout, type Drafted } from '#test/checkout';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
let drafted: Drafted;
beforeAll(async () => {
  world = await createWorld();
  drafted = await (await createCheckout(world)).draft();
});
afterAll(() => world.close());

type Headers = Record<string, string>;
const OWN: Headers = { 'sec-fetch-site': 'same-origin' };
const check = (path: string, headers: Headers = {}) =>
  world.get(`/checkout/${path}`, { key: null, headers: { 'accept-encoding': 'identity', ...headers } });
const send = (path: string, body = '', headers: Headers = OWN) =>
  fetchText(`/checkout/${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

async function fetchText(path: string, init: RequestInit): Promise<Reply> {
  const answer = await fetch(world.baseUrl + path, { redirect: 'manual', ...init });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text };
}

const unknownToken = () => randomBytes(32).toString('base64url');

const PAGES = ['company', 'terms', 'cancel', 'company/search?country=DE&query=Morgenrot'];
const STEP_PATHS = ['', '/', '/details', '/payment', '/review', '/outcome', '/code'];
const FORMS = [
  'code',
  'code/send',
  'code/skip',
  'payment/appeal',
  'company',
  'details',
  'payment',
  'review',
  'cancel',
  'language',
];

function expectGuarded({ headers }: Reply): void {
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  });
  expect(headers.get('permissions-policy')).toContain('camera=()');
}

describe('every page', () => {
  it('has the security headers, and contains its token nowhere', async () => {
    for (const path of PAGES) {
      const page = await check(`${drafted.token}/${path}`);
      expect(page.status, path).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expectGuarded(page);
      expect(page.text).not.toContain(drafted.token);
      expect(page.text).toContain('<html lang="en-GB" dir="ltr">');
    }
  });

  it('redirects to the current step before its turn', async () => {
    for (const path of STEP_PATHS) {
      const changed = await check(drafted.token + path);
      expect(changed.status, path).toBe(303);
      const location = new URL(
        changed.headers.get('location') as string,
        `${world.baseUrl}/checkout/${drafted.token}${path}`,
      );
      expect(location.pathname).toBe(`/checkout/${drafted.token}/company`);
      expectGuarded(changed);
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const head = await fetchText(`/checkout/${drafted.token}/company`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expectGuarded(head);
  });

  it('sets a session cookie that scripts and other pages cannot read', async () => {
    const cookie = (await check(`${drafted.token}/company`)).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      new RegExp(
        `^tl_checkout=[\\w-]{43}; Max-Age=604800; Path=/checkout/${drafted.token}; HttpOnly; SameSite=Lax$`,
      ),
    );
    const known = { cookie: cookie.split(';')[0] as string };
    expect((await check(`${drafted.token}/company`, known)).headers.get('set-cookie')).toBeNull();
  });

  it('returns the outcome as JSON for polling', async () => {
    const { status, body, headers } = await check(`${drafted.token}/status`);
    expect([status, body]).toEqual([200, { outcome: null, version: 1 }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is compressed as the browser accepts', async () => {
    const plain = (await check(`${drafted.token}/terms`)).text;
    for (const [encoding, inflate] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await rawGet(`${drafted.token}/terms`, encoding);
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'accept-encoding, accept-language',
      });
      expect(inflate(rawPayload).toString()).toBe(plain);
    }
    const none = await rawGet(`${drafted.token}/terms`, 'br;q=0, gzip;q=0');
    expect(none.headers['content-encoding']).toBeUndefined();
  });
});

/** Without decompression, which fetch would do. */
async function rawGet(path: string, encoding: string) {
  const { request } = await import('node:http');
  return new Promise<{ headers: Record<string, unknown>; rawPayload: Buffer }>((resolve, reject) => {
    request(`${world.baseUrl}/checkout/${path}`, { headers: { 'accept-encoding': encoding } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => resolve({ headers: answer.headers, rawPayload: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the first page', () => {
  it('is at most 15 KB with its assets', async () => {
    const page = (await check(`${drafted.token}/company`)).text;
    const assets = [...page.matchAll(/(?:href|src)="\.\.\/(assets\/[^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(assets).toHaveLength(3);
    const sizes = await Promise.all(
      [`${drafted.token}/company`, ...assets].map(
        async (path) => (await rawGet(path, 'br')).rawPayload.length,
      ),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(15_000);
  });

  it('has assets that a browser may cache', async () => {
    const page = (await check(`${drafted.token}/company`)).text;
    for (const [, path] of page.matchAll(/(?:href|src)="\.\.\/(assets\/[^"]+)"/g)) {
      const part = await check(path as string);
      expect(part.status).toBe(200);
      expect(Object.fromEntries(part.headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      });
      const squeezed = await rawGet(path as string, 'gzip');
      expect(gunzipSync(squeezed.rawPayload).toString()).toBe(part.text);
    }
  });
});

describe('a form', () => {
  it.each([
    ['no origin header', {}],
    ['another origin', { origin: 'https://evil.example' }],
    ['another origin that claims to be the same site', { origin: 'https://evil.example', ...OWN }],
    ['a null origin, from another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a null origin, from the same site', { origin: 'null', 'sec-fetch-site': 'same-site' }],
    ['a null origin, from no site', { origin: 'null', 'sec-fetch-site': 'none' }],
    ['a null origin', { origin: 'null' }],
  ])('with %s is refused', async (_, headers: Headers) => {
    for (const path of FORMS) {
      const answer = await send(`${drafted.token}/${path}`, 'version=1', headers);
      expect(answer.status, path).toBe(403);
      expect(answer.text).toContain('Open the checkout again');
      expectGuarded(answer);
    }
  });

  it.each([
    ['from our own origin', () => ({ origin: world.baseUrl })],
    ['from a page that sends no referrer', () => ({ origin: 'null', ...OWN })],
    ['from a browser that sends no origin', () => OWN],
  ])('%s is accepted', async (_, headers) => {
    const answer = await send(`${drafted.token}/language`, 'language=EN&at=terms', headers());
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'terms']);
  });

  it('redirects only to our own pages', async () => {
    for (const at of ['https://evil.example', '//evil.example', '../../x', 'javascript:alert(1)', 'status']) {
      const answer = await send(`${drafted.token}/language`, `language=EN&at=${encodeURIComponent(at)}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, 'company']);
    }
  });

  it('from a browser without cookies is answered with that error', async () => {
    const answer = await send(`${drafted.token}/company`, 'version=1&legalName=Typed+AG');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Allow cookies for this page and try again.');
    expect(answer.text).toContain('value="Typed AG"');
    expectGuarded(answer);
  });

  it('that is too long or malformed is refused with a page', async () => {
    const long = await send(`${drafted.token}/company`, 'x'.repeat(65 * 1_024));
    const json = await send(`${drafted.token}/company`, '{}', { ...OWN, 'content-type': 'application/json' });
    const packed = await send(`${drafted.token}/company`, 'a=b', { ...OWN, 'content-encoding': 'gzip' });
    expect([long.status, json.status, packed.status]).toEqual([413, 415, 415]);
    for (const answer of [long, json, packed]) {
      expect(answer.text).toContain('That didn’t work');
      expectGuarded(answer);
    }
  });
});

describe('an invalid address', () => {
  it('is answered with a page in the browser’s language', async () => {
    const answer = await check('nothing/here/at-all', { 'accept-language': 'xx, en;q=0.5' });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('This link no longer works');
    expectGuarded(answer);
  });

  it('that is truncated within a character is answered with that page too', async () => {
    for (const path of ['abc%', 'abc%2', 'abc%ff/company', `${drafted.token}/company%`]) {
      const answer = await check(path);
      expect(answer.status, path).toBe(404);
      expect(answer.text).toContain('This link no longer works');
      expectGuarded(answer);
    }
    expect((await world.get('/v1/orders/abc%')).body).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('lists its methods in answers to others', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetchText(`/checkout/${drafted.token}/company`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
      expect(answer.text).toContain('<!doctype html>');
      expectGuarded(answer);
    }
    const get = await check(`${drafted.token}/code/send`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a token', () => {
  it('that is unknown is limited after some requests, and a valid one is not', async () => {
    const paths = ['company', 'status', 'terms', 'outcome'];
    const [first, ...others] = await Promise.all(
      [unknownToken(), unknownToken(), 'a', '%00', '..%2f', 'x'.repeat(5_000)].flatMap((token) =>
        paths.map((path) => check(`${token}/${path}`)),
      ),
    );
    expect(first?.status).toBe(404);
    for (const other of others) {
      expect(comparable(other)).toEqual(comparable(first as Reply));
      expect(other.text).toBe(first?.text);
    }
    const sent = await send(`${unknownToken()}/company`, 'version=1');
    expect([sent.status, sent.text]).toEqual([404, first?.text]);

    const guesses = await Promise.all(Array.from({ length: 40 }, () => check(`${unknownToken()}/company`)));
    const slowed = guesses.filter(({ status }) => status === 429);
    expect(slowed.length).toBeGreaterThan(20);
    for (const answer of slowed) {
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.text).toContain('Just a moment');
      expectGuarded(answer);
    }
    const known = await Promise.all(Array.from({ length: 40 }, () => check(`${drafted.token}/company`)));
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

/** The headers that differ between answers: the date and the request id. */
function comparable({ status, headers }: Reply): unknown {
  const { date: _, 'request-id': __, ...rest } = Object.fromEntries(headers);
  return { status, rest };
}
