import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reference } from '#api/reference';
import { v1 } from '#api/v1';
import { CODES, ISSUE_CODES } from '#kernel/problem-codes';
import { REASONS } from '#kernel/problem-reasons';
import { OPENAPI_FILE } from '#test/api-document';
import { createWorld, type World } from '#test/world';

const printed = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'));
const NO_SUCH_PATH = {
  error: 'No entity found',
  code: 'NOT_FOUND',
  details: {
    remedy: 'There is no such path. GET /openapi.json lists all paths.',
    docs: expect.stringContaining('/docs/errors#NOT_FOUND'),
  },
};

describe('without a base URL', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());
  const visit = (path: string, headers: Record<string, string> = {}) =>
    world.get(path, { key: null, headers });
  const bundle = async () => /docs\/scalar-[\d.]+\.js/.exec((await visit('/docs')).text)?.[0];

  describe('GET /', () => {
    it('leads to the reference, as does the reference with a slash', async () => {
      for (const path of ['/', '/docs/']) {
        const { status, headers } = await visit(path);
        expect([status, headers.get('location')]).toEqual([302, '/docs']);
      }
    });
  });

  describe('GET /openapi.json', () => {
    it('is openapi.json of the repository', async () => {
      const { status, headers, body } = await visit('/openapi.json');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual(printed);
    });

    it('answers 304 to a client with the same version, and 200 to any other', async () => {
      const { headers } = await visit('/openapi.json');
      const etag = headers.get('etag') as string;
      const again = await visit('/openapi.json', { 'if-none-match': `"other", ${etag}` });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect((await visit('/openapi.json', { 'if-none-match': 'W/"other"' })).status).toBe(200);
    });
  });

  describe('GET /docs', () => {
    it('allows no inline script, and styles with a nonce that no other answer has', async () => {
      const first = await visit('/docs');
      const policy = first.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("connect-src 'self'");
      const nonce = /'nonce-([^']{22,})'/.exec(policy)?.[1] as string;
      expect(first.text).toContain(`content="${nonce}"`);
      expect(first.headers.get('cache-control')).toBe('no-store');
      expect((await visit('/docs')).headers.get('content-security-policy')).not.toContain(nonce);
    });

    it('names only what is served', async () => {
      const { text } = await visit('/docs');
      const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => `/${path}`);
      expect(named.length).toBeGreaterThan(6);
      for (const path of named) expect((await visit(path)).status, path).toBe(200);
    });

    it('has the bundle under an address that a browser may keep, gzipped or not', async () => {
      const path = `/${await bundle()}`;
      const headers = await headersOf(world, path, { 'accept-encoding': 'gzip' });
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
      expect(Number(headers['content-length'])).toBeLessThan(2_000_000);
      for (const refusal of ['identity', 'gzip;q=0', 'br']) {
        const plain = await headersOf(world, path, { 'accept-encoding': refusal });
        expect(plain['content-encoding'], refusal).toBeUndefined();
        expect(Number(plain['content-length'])).toBeGreaterThan(3_000_000);
      }
    });
  });

  describe('GET /docs/errors', () => {
    it('has one anchor for each code, reason and issue code, and no script', async () => {
      const { text, headers } = await visit('/docs/errors');
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      for (const table of [CODES, REASONS, ISSUE_CODES])
        expect(ids).toEqual(expect.arrayContaining(Object.keys(table)));
      expect(new Set(ids).size).toBe(ids.length);
      expect(text).not.toContain('<script');
      expect(headers.get('content-security-policy')).not.toContain('script-src');
    });

    it('is where the link of a refusal leads', async () => {
      const { body } = await world.get('/v1/buyers', {
        key: await world.addKey({ scopes: ['orders:write'] }),
      });
      const { origin, pathname, hash } = new URL(body.details.docs);
      expect(origin).toBe(world.baseUrl);
      expect((await visit(pathname)).text).toContain(`id="${hash.slice(1)}"`);
    });

    it('is named in the description of the API', () => {
      expect(printed.info.description).toContain('](docs/errors)');
    });
  });

  it.each(['/docs', '/docs/errors', '/docs/start.js', '/openapi.json'])(
    'HEAD %s has the headers of GET',
    async (path) => {
      const head = await world.send('HEAD', path, { key: null });
      const get = await visit(path);
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('request-id')).toMatch(/^req_/);
      expect(head.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it.each(['/docs/nothing', '/docs/scalar-0.0.0.js', '/docs/errors/', '/docs/style.css/x', '/openapi.yaml'])(
    'GET %s is not found, as anywhere else',
    async (path) => {
      const { status, body, headers } = await visit(path);
      expect([status, body]).toEqual([404, NO_SUCH_PATH]);
      expect(headers.get('request-id')).toMatch(/^req_/);
    },
  );

  it('serves no file but its own, however the path is written', async () => {
    for (const path of ['/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/reference.ts', '/docs/../app.ts']) {
      const { status } = await rawly(world, path);
      expect(status, path).toBe(404);
    }
  });

  it('does not affect the API: 401, 404 and 405 are unchanged', async () => {
    expect((await visit('/v1/platform')).status).toBe(401);
    expect((await world.post('/docs', {})).body).toEqual(NO_SUCH_PATH);
    const { status, headers } = await world.send('PATCH', '/v1/platform');
    expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
  });
});

describe('with a base URL that has a path', () => {
  it('names it as the server, and leads below it', async () => {
    // Only the plugin, without the server: its base URL cannot be reached from here.
    const app = fastify();
    await app.register(reference, { routes: v1, baseUrl: 'https://credit.example.com/tradeline' });
    const { body } = await app.inject('/openapi.json');
    expect(JSON.parse(body)).toEqual({
      ...printed,
      servers: [{ url: 'https://credit.example.com/tradeline' }],
    });
    expect((await app.inject('/')).headers.location).toBe('/tradeline/docs');
    const { body: page } = await app.inject('/docs/errors');
    expect(page.match(/(?:src|href)="\//g)).toBeNull();
    await app.close();
  });
});

/** The path as it is written: fetch would tidy it. */
function rawly(world: World, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(world.baseUrl);
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const requested = httpRequest({ hostname, port, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      requested.on('error', reject).end();
    },
  );
}

async function headersOf(world: World, path: string, headers: Record<string, string>) {
  const reply = await rawly(world, path, headers);
  const text = reply.headers['content-encoding'] === 'gzip' ? gunzipSync(reply.body) : reply.body;
  expect(text.includes('createApiReference')).toBe(true);
  return reply.headers;
}
