import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES, SUBSCRIBABLE_TYPES } from '#kernel/event';
import { createWorld, type World } from '#test/world';

// A literal address, so that tests do not wait for a name server. Nothing is sent to it.
const URL = 'https://93.184.215.14/hooks';
/** 32 random bytes: 256 bits. */
const SECRET = /^tl_whsec_[A-Za-z0-9_-]{43}$/;

describe('POST /v1/webhooks', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  beforeEach(async () => {
    await world.sql('delete from webhook_subscription_transitions');
    await world.sql('delete from webhook_subscriptions');
  });
  afterAll(() => world.close());

  const subscribe = (more: object = {}, key?: string) =>
    world.post('/v1/webhooks', { url: URL, type: 'BUYER', ...more }, key === undefined ? {} : { key });

  describe('201', () => {
    it('returns every field of the subscription and its secret', async () => {
      world.clock.set(1_800_000_000);
      const { status, body, headers } = await subscribe();
      expect(status).toBe(201);
      expect(headers.get('etag')).toBe('"1"');
      expect(headers.get('location')).toBe('/v1/webhooks/BUYER');
      expect(body).toEqual({
        type: 'BUYER',
        url: URL,
        status: 'ACTIVE',
        created_at: 1_800_000_000,
        updated_at: 1_800_000_000,
        previous_secret_until: null,
        signing_secret: expect.stringMatching(SECRET),
      });
    });

    it('lists event types and all their prefixes', () => {
      expect(SUBSCRIBABLE_TYPES).toEqual(
        expect.arrayContaining([
          'FACILITY',
          'FACILITY.RENEWAL',
          'FACILITY.RENEWAL.ACCEPTED',
          'ORDER',
          'BUYER',
        ]),
      );
      const types = EVENT_TYPES;
      const isOneOrAbove = (text: string) => types.some((type) => `${type}.`.startsWith(`${text}.`));
      expect(SUBSCRIBABLE_TYPES.filter((text) => !isOneOrAbove(text))).toEqual([]);
      expect(new Set(SUBSCRIBABLE_TYPES).size).toBe(SUBSCRIBABLE_TYPES.length);
    });

    it.each(SUBSCRIBABLE_TYPES)('accepts the type %s', async (type) => {
      expect((await subscribe({ type })).status).toBe(201);
    });

    it.each([
      'https://hooks.shop.example',
      'https://93.184.215.14:8443/a/b?c=d',
      'https://[2606:2800:220:1:248:1893:25c8:1946]/',
      'http://127.0.0.1:9/hooks',
      'http://localhost:3000/hooks',
      'http://[::1]:3000/hooks',
      'https://localhost:4443/hooks',
      `https://93.184.215.14/${'x'.repeat(2_048 - 'https://93.184.215.14/'.length)}`,
    ])('accepts the URL %s in the sandbox, unchanged', async (url) => {
      const { status, body } = await subscribe({ url });
      expect({ status, url: body.url }).toEqual({ status: 201, url });
    });

    it.each([
      [
        'https://xn--bcher-kva.example',
        ['https://bücher.example/', 'HTTPS://BÜCHER.example.:443/a', 'https://xn--bcher-kva.example:?b'],
      ],
      [
        'https://93.184.215.14',
        ['https://1572394766/', 'https://0x5db8d70e', 'https://93.184.215.14.:0443/'],
      ],
      ['http://127.0.0.1:9', ['http://127.1:9/', 'http://2130706433:09']],
    ])('stores the origin %s for all spellings of it', async (origin, urls) => {
      for (const [nth, url] of urls.entries())
        expect((await subscribe({ url, type: SUBSCRIBABLE_TYPES[nth] })).body.url).toBe(url);
      const stored = await world.sql('select distinct receiver_origin as origin from webhook_subscriptions');
      expect(stored).toEqual([{ origin }]);
    });

    it('gives each subscription its own secret', async () => {
      const secrets = [];
      for (const type of SUBSCRIBABLE_TYPES) secrets.push((await subscribe({ type })).body.signing_secret);
      expect(new Set(secrets).size).toBe(SUBSCRIBABLE_TYPES.length);
    });

    it('subscribes a type and its prefix together, and one type on two platforms', async () => {
      const { apiKey } = await world.addPlatform();
      const replies = [
        await subscribe(),
        await subscribe({ type: 'BUYER.CREATED' }),
        await subscribe({}, apiKey),
      ];
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    });

    it('shows the same secret again for the same Idempotency-Key, and subscribes once', async () => {
      const send = () =>
        world.post(
          '/v1/webhooks',
          { url: URL, type: 'BUYER' },
          { headers: { 'idempotency-key': 'subscribe' } },
        );
      const [first, again] = [await send(), await send()];
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });

    it('stores the secret encrypted: no table contains it in clear', async () => {
      const { body } = await world.post(
        '/v1/webhooks',
        { url: URL, type: 'MERCHANT' },
        { headers: { 'idempotency-key': 'sealed' } },
      );
      const secret: string = body.signing_secret;
      const forms = [secret, secret.slice('tl_whsec_'.length)].flatMap((text) => [
        text,
        Buffer.from(text).toString('hex'),
        Buffer.from(text.slice('tl_whsec_'.length), 'base64url').toString('hex'),
      ]);
      const tables = await world.sql<{ name: string }>(
        "select tablename as name from pg_tables where schemaname = 'public'",
      );
      expect(tables.length).toBeGreaterThan(10);
      for (const { name } of tables) {
        const rows = await world.sql<{ text: string }>(`select t::text as text from "${name}" t`);
        for (const form of forms.filter((text) => text !== ''))
          expect(rows.some(({ text }) => text.includes(form))).toBe(false);
      }
    });
  });

  describe('400', () => {
    it.each<[string, object, string]>([
      ['url missing', { url: undefined }, 'REQUIRED body.url'],
      ['url null', { url: null }, 'INVALID_TYPE body.url'],
      ['url empty', { url: '' }, 'TOO_SHORT body.url'],
      ['url without a scheme', { url: 'hooks.shop.example' }, 'INVALID_FORMAT body.url'],
      ['url of another scheme', { url: 'ftp://hooks.shop.example/' }, 'INVALID_FORMAT body.url'],
      ['url of 2049 characters', { url: `https://h.example/${'x'.repeat(2_031)}` }, 'TOO_LONG body.url'],
      ['url with credentials', { url: 'https://user:word@hooks.shop.example/' }, 'INVALID_FORMAT body.url'],
      ['url with a user name alone', { url: 'https://user@hooks.shop.example/' }, 'INVALID_FORMAT body.url'],
      ['url with a fragment', { url: 'https://hooks.shop.example/#top' }, 'INVALID_VALUE body.url'],
      ['url with a blank', { url: 'https://hooks.shop.example/a b' }, 'INVALID_FORMAT body.url'],
      ['http to a public address', { url: 'http://93.184.215.14/' }, 'INVALID_VALUE body.url'],
      ['http to a name that leads nowhere', { url: 'http://hooks.shop.invalid/' }, 'INVALID_VALUE body.url'],
      ['a port no receiver listens on', { url: 'https://93.184.215.14:22/' }, 'INVALID_VALUE body.url'],
      ['a private address', { url: 'https://10.1.2.3/' }, 'INVALID_VALUE body.url'],
      ['a link-local address', { url: 'https://169.254.169.254/latest' }, 'INVALID_VALUE body.url'],
      ['an address that no interface has', { url: 'https://0.0.0.0/' }, 'INVALID_VALUE body.url'],
      ['a unique local address', { url: 'https://[fd00::1]/' }, 'INVALID_VALUE body.url'],
      ['an IPv6 that embeds an IPv4', { url: 'https://[::ffff:10.0.0.1]/' }, 'INVALID_VALUE body.url'],
      ['a private address written as a number', { url: 'https://167772161/' }, 'INVALID_VALUE body.url'],
      ['type missing', { type: undefined }, 'REQUIRED body.type'],
      ['type null', { type: null }, 'INVALID_TYPE body.type'],
      ['type empty', { type: '' }, 'INVALID_ENUM body.type'],
      ['an unknown type', { type: 'INVOICE.PRINTED' }, 'INVALID_ENUM body.type'],
      ['a type in lower case', { type: 'buyer' }, 'INVALID_ENUM body.type'],
      ['half a word of a type', { type: 'BUY' }, 'INVALID_ENUM body.type'],
      ['a prefix with its dot', { type: 'BUYER.' }, 'INVALID_ENUM body.type'],
      ['a wildcard', { type: 'BUYER.*' }, 'INVALID_ENUM body.type'],
      ['a list of types', { type: ['BUYER'] }, 'INVALID_TYPE body.type'],
      ['an unknown field', { secret: 'mine' }, 'UNRECOGNIZED_KEYS body.secret'],
    ])('refuses %s', async (_, more, issue) => {
      const { status, body } = await subscribe(more);
      expect(status).toBe(400);
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
      expect((await world.get('/v1/webhooks')).body.total).toBe(0);
    });
  });

  describe('403', () => {
    it('refuses a key restricted to a merchant: events concern the whole platform', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      const { status, body } = await subscribe({}, key);
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
    });

    it('refuses a key without the scope webhooks:write', async () => {
      const key = await world.addKey({ scopes: ['read', 'orders:write'] });
      const { status, body } = await subscribe({}, key);
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'webhooks:write' } });
    });
  });

  describe('409', () => {
    it('for a type that is subscribed already; the subscription is unchanged', async () => {
      await subscribe();
      const { status, body } = await subscribe({ url: 'https://93.184.215.14/elsewhere' });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'WEBHOOK_TYPE_EXISTS' });
      expect((await world.get('/v1/webhooks')).body.items).toMatchObject([{ type: 'BUYER', url: URL }]);
    });

    it('for a disabled subscription too, which PUT enables', async () => {
      await subscribe();
      await world.sql("update webhook_subscriptions set status = 'DISABLED'");
      expect((await subscribe()).body.reason).toBe('WEBHOOK_TYPE_EXISTS');
    });

    it('for seven of eight concurrent subscriptions of one type', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => subscribe()));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    });
  });
});

describe('POST /v1/webhooks in production', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_ENVIRONMENT: 'production' } });
  });
  afterAll(() => world.close());

  it.each([
    'http://93.184.215.14/',
    'http://127.0.0.1:9/hooks',
    'https://127.0.0.1/hooks',
    'https://localhost/hooks',
    'https://[::1]/hooks',
    'https://93.184.215.14:9443/',
  ])('refuses %s with 400', async (url) => {
    const { status, body } = await world.post('/v1/webhooks', { url, type: 'BUYER' });
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([{ code: 'INVALID_VALUE', path: 'body.url' }]);
  });

  it('accepts https to a name, resolvable or not', async () => {
    const url = 'https://hooks.shop.example/tradeline';
    expect((await world.post('/v1/webhooks', { url, type: 'BUYER' })).status).toBe(201);
  });
});
