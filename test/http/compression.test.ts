import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';
import { v1 } from '../../src/api/v1.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const note = 'A long note about this buyer. '.repeat(40);
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  for (let nth = 0; nth < 70; nth += 1)
    await world.post('/v1/buyers', buyerBody({ external_id: `b${nth}`, custom_data: { note } }));
  await world.post(
    '/v1/orders/draft',
    draftOrderBody({ external_id: 'o1', buyer_external_id: 'b1', merchant_external_id: 'm1' }),
  );
});
afterAll(() => world.close());

/** The answer as sent: fetch would request compression and decompress. */
async function rawly(path: string, acceptEncoding: string | null, options: RawOptions = {}) {
  const { statusCode, headers, body } = await request(world.baseUrl + path, {
    method: options.method ?? 'GET',
    headers: {
      authorization: `Bearer ${world.apiKey}`,
      ...(acceptEncoding !== null && { 'accept-encoding': acceptEncoding }),
      ...options.headers,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}
interface RawOptions {
  method?: 'GET' | 'POST' | 'HEAD';
  headers?: Record<string, string>;
  body?: object;
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync };

describe('an answer above 1 KB', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['BR', 'br'],
  ] as const)('is compressed for a client that sends Accept-Encoding: %s', async (accepted, encoding) => {
    // One buyer, and a list that is compressed on another thread.
    for (const path of ['/v1/buyers/b1', '/v1/buyers?limit=70']) {
      const plain = await rawly(path, null);
      expect(plain.bytes.length).toBeGreaterThan(1_024);
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
      const { status, headers, bytes } = await rawly(path, accepted);
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'accept-encoding']);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(DECODERS[encoding](bytes).toString()).toBe(plain.bytes.toString());
    }
  });

  it.each(['', 'identity', 'deflate', 'zstd', 'br;q=0, gzip;q=0.0', 'brotli', null])(
    'is uncompressed for a client that sends Accept-Encoding: %s',
    async (accepted) => {
      const { headers, bytes } = await rawly('/v1/buyers/b1', accepted);
      expect(headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(bytes.toString())).toMatchObject({ external_id: 'b1' });
    },
  );

  it('has an ETag per coding, and each is accepted in If-Match and If-None-Match', async () => {
    const path = '/v1/buyers/b2';
    const tags = await Promise.all(
      [null, 'br', 'gzip'].map(async (accepted) => (await rawly(path, accepted)).headers.etag as string),
    );
    expect(tags).toEqual(['"1"', '"1-br"', '"1-gzip"']);
    for (const tag of tags) {
      const cached = await rawly(path, 'br', { headers: { 'if-none-match': tag } });
      expect([cached.status, cached.headers.etag, cached.bytes.length]).toEqual([304, '"1-br"', 0]);
      expect(cached.headers['content-encoding']).toBeUndefined();
    }
    const { external_id: _, ...rest } = buyerBody({ business_identifiers: [] });
    const headers = { 'if-match': tags[1] as string };
    expect((await world.put(path, rest, { headers })).status).toBe(200);
  });

  it('answers HEAD with the headers of GET', async () => {
    const got = await rawly('/v1/buyers/b1', 'br');
    const head = await rawly('/v1/buyers/b1', 'br', { method: 'HEAD' });
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
  });

  it('is compressed as a refusal too', async () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`unknown_${nth}`, nth]));
    const { status, headers, bytes } = await rawly('/v1/buyers', 'gzip', { method: 'POST', body });
    expect([status, headers['content-encoding']]).toEqual([400, 'gzip']);
    expect(JSON.parse(gunzipSync(bytes).toString()).issues.length).toBeGreaterThan(40);
  });

  it('is compressed as a replay too', async () => {
    const headers = { 'idempotency-key': 'compressed' };
    const body = buyerBody({ external_id: 'replayed', custom_data: { note: 'x'.repeat(2_000) } });
    const first = await rawly('/v1/buyers', null, { method: 'POST', body, headers });
    const again = await rawly('/v1/buyers', 'br', { method: 'POST', body, headers });
    expect([again.headers['content-encoding'], again.headers['idempotency-replayed']]).toEqual([
      'br',
      'true',
    ]);
    expect(brotliDecompressSync(again.bytes).toString()).toBe(first.bytes.toString());
  });
});

describe('an answer up to 1 KB', () => {
  it('is uncompressed, and does not vary', async () => {
    const { headers } = await rawly('/v1/platform', 'br, gzip');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });
});

describe('an answer with a secret', () => {
  // Long enough to be compressed, but it contains a secret.
  const url = `http://127.0.0.1:9/${'x'.repeat(1_500)}`;
  it.each([
    ['createWebhook', 'POST', '/v1/webhooks', { type: 'BUYER', url }],
    ['rotateWebhookKey', 'POST', '/v1/webhooks/BUYER/signature_key', undefined],
  ] as const)('is never compressed: %s', async (_, method, path, body) => {
    const { status, headers, bytes } = await rawly(path, 'br, gzip', {
      method,
      ...(body !== undefined && { body }),
    });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([
      expect.any(Number),
      undefined,
      undefined,
    ]);
    expect(status).toBeLessThan(300);
    expect(JSON.parse(bytes.toString())).toBeTypeOf('object');
  });

  it('is any response with a signing key or the token of a link', () => {
    const secret = v1.filter(([, , { hasSecret }]) => hasSecret).map(([, , { id }]) => id);
    expect(secret.sort()).toEqual(['createPageLink', 'createWebhook', 'getRedirectUrl', 'rotateWebhookKey']);
    const showing = v1.filter(([, , { response }]) => 'signing_secret' in (response.properties ?? {}));
    expect(showing.map(([, , { id }]) => id).filter((id) => !secret.includes(id))).toEqual([]);
  });
});
