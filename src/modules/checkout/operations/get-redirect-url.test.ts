import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { freePort } from '#test/free-port';
import { addParties, STATES, type State } from '#test/order-statuses';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const WEEK_SECONDS = 604_800;
const platform = {
  redirect_url: 'https://shop.example/back',
  checkout_origins: ['https://pay.shop.example:8443', 'http://127.0.0.1:3000'],
};

describe('GET /v1/orders/{external_id}/redirect_url', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ platform });
    world.clock.set(NOW);
    await addParties(world);
  });
  afterAll(() => world.close());

  const orderIn = async (state: State) => {
    const id = `order-${++made}`;
    await STATES[state](world, id);
    return id;
  };
  const send = (id: string, query: Record<string, string> = {}, more = {}) =>
    world.get(`/v1/orders/${id}/redirect_url?${new URLSearchParams(query)}`, more);
  const tokenOf = (url: string) => url.split('/').at(-1) as string;
  const linksOf = (id: string) =>
    world.sql<Record<string, unknown>>(
      'select * from checkout_links where order_external_id = $1 order by created_at, token_sha256',
      [id],
    );

  describe('200', () => {
    it('returns a URL of this service that is valid for seven days', async () => {
      const { status, body } = await send(await orderIn('DRAFT'));
      expect(status).toBe(200);
      expect(body).toEqual({ url: expect.any(String), expires_at: NOW + WEEK_SECONDS });
      expect(body.url.replace(tokenOf(body.url), '')).toBe(`${world.baseUrl}/checkout/`);
      expect(tokenOf(body.url)).toMatch(/^[\w-]{48}$/);
    });

    it('stores the token hashed and sealed, never as it is, and the return URLs', async () => {
      const id = await orderIn('DRAFT');
      const query = {
        success_url: 'https://SHOP.example:443/thänks?order=1#top',
        error_url: 'http://127.0.0.1:3000',
      };
      const { body } = await send(id, query);
      const [link, ...others] = await linksOf(id);
      expect(others).toEqual([]);
      expect(link).toMatchObject({
        token_sha256: createHash('sha256').update(tokenOf(body.url)).digest(),
        success_url: 'https://shop.example/th%C3%A4nks?order=1#top',
        error_url: 'http://127.0.0.1:3000/',
        revoked_at: null,
      });
      const [row] = await world.sql<{ text: string }>(
        'select l::text as text from checkout_links l where order_external_id = $1',
        [id],
      );
      expect(row?.text).not.toContain(tokenOf(body.url));
    });

    it('stores no return URL where none is requested', async () => {
      const id = await orderIn('DRAFT');
      await send(id);
      expect(await linksOf(id)).toMatchObject([{ success_url: null, error_url: null }]);
    });

    it('expires by the platform’s clock', async () => {
      const { apiKey: key } = await world.addPlatform();
      await world.post('/v1/sandbox/clock', { advance_seconds: 1_000_000 }, { key });
      await world.post('/v1/buyers', buyerBody({}), { key });
      await world.post('/v1/merchants', merchantBody({}), { key });
      await world.post('/v1/orders/draft', draftOrderBody({ external_id: 'later' }), { key });
      expect((await send('later', {}, { key })).body.expires_at).toBe(NOW + 1_000_000 + WEEK_SECONDS);
    });

    it('creates a link on HEAD, which the next GET returns', async () => {
      const id = await orderIn('DRAFT');
      const { status, text } = await world.send('HEAD', `/v1/orders/${id}/redirect_url`);
      expect({ status, text }).toEqual({ status: 200, text: '' });
      await send(id);
      expect(await linksOf(id)).toHaveLength(1);
    });

    it('answers a key restricted to the order’s merchant', async () => {
      const key = await world.addKey({ scopes: ['orders:write'], merchantExternalId: 'merchant' });
      expect(await send(await orderIn('DRAFT'), {}, { key })).toMatchObject({ status: 200 });
    });
  });

  describe('400', () => {
    const MUST_BE_OWN =
      'must be at an origin of the platform, which has https://shop.example, https://pay.shop.example:8443, http://127.0.0.1:3000';
    it.each([
      ['https://other.example/', MUST_BE_OWN],
      ['https://shop.example.evil.example/', MUST_BE_OWN],
      ['https://sub.shop.example/', MUST_BE_OWN],
      ['https://shop.example:444/', MUST_BE_OWN],
      ['https://pay.shop.example/', MUST_BE_OWN],
      ['http://127.0.0.1:3001/', MUST_BE_OWN],
      ['http://[::1]:3000/', MUST_BE_OWN],
      ['http://shop.example/', 'must start with https://, or lead to this machine'],
      ['https://shop.example/?a=1&status=x', 'must not have the parameter status, which Tradeline appends'],
      ['https://user@shop.example/', 'must be an absolute http(s) URL'],
      ['https://@shop.example/', 'must not contain a user name or a password'],
      ['https://shop.example./', 'must be a complete URL, such as https://shop.example/back'],
      ['https:/shop.example/', 'must be a complete URL, such as https://shop.example/back'],
      ['https:\\\\shop.example/', 'must be a complete URL, such as https://shop.example/back'],
      ['javascript:alert(1)//https://shop.example', 'must be an absolute http(s) URL'],
      ['//evil.example', 'must be an absolute http(s) URL'],
      ['/back', 'must be an absolute http(s) URL'],
      ['https://shop.example/\nSet-Cookie: a=b', 'must be an absolute http(s) URL'],
      ['', 'must not be empty'],
      [`https://shop.example/${'a'.repeat(2_028)}`, 'must have at most 2048 characters'],
      [
        `https://shop.example/${'ä'.repeat(400)}`,
        'must have at most 2048 characters, including after encoding',
      ],
    ])('refuses %j: %s', async (url, message) => {
      const id = await orderIn('DRAFT');
      for (const name of ['success_url', 'error_url']) {
        const { status, body } = await send(id, { [name]: url });
        expect(status).toBe(400);
        expect(body.issues).toMatchObject([{ path: `query.${name}`, message }]);
      }
      expect(await linksOf(id)).toEqual([]);
    });

    it('reports both URLs at once, also for an unknown order', async () => {
      const url = 'https://other.example/';
      const { status, body } = await send('nobody', { success_url: url, error_url: url });
      expect(status).toBe(400);
      expect(body.issues.map(({ code, path }: Record<string, string>) => [code, path])).toEqual([
        ['INVALID_VALUE', 'query.success_url'],
        ['INVALID_VALUE', 'query.error_url'],
      ]);
    });

    it('refuses every URL on a platform without origins', async () => {
      const { apiKey: key } = await world.addPlatform();
      const { body } = await send('nobody', { success_url: 'https://shop.example/' }, { key });
      expect(body.issues).toMatchObject([
        { message: 'must be at an origin of the platform, which has none' },
      ]);
    });

    it.each([
      ['redirect=1'],
      ['renew=1'],
      ['renew='],
      ['renew=true&renew=true'],
      ['success_url=https://shop.example/&success_url=https://shop.example/'],
    ])('refuses ?%s', async (query) => {
      expect(await world.get(`/v1/orders/nobody/redirect_url?${query}`)).toMatchObject({ status: 400 });
    });
  });

  describe('403', () => {
    it('refuses a key without the scope orders:write', async () => {
      const key = await world.addKey({ scopes: ['read'] });
      const { status, body } = await send(await orderIn('DRAFT'), {}, { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'orders:write' } });
    });
  });

  describe('404', () => {
    it('answers alike for an unknown order, an order of another platform, and one of a merchant that the key may not see', async () => {
      const id = await orderIn('DRAFT');
      const other = await world.addPlatform();
      await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
      const restricted = await world.addKey({ merchantExternalId: 'other-merchant' });
      const unknown = await send('nobody');
      expect(unknown.status).toBe(404);
      for (const key of [other.apiKey, restricted]) {
        const { status, text } = await send(id, {}, { key });
        expect({ status, text }).toEqual({ status: 404, text: unknown.text });
      }
      expect(await linksOf(id)).toEqual([]);
    });
  });

  describe('409', () => {
    const others = (Object.keys(STATES) as State[]).filter((state) => state !== 'DRAFT');
    it.each(others)('refuses an order that is %s', async (state) => {
      const id = await orderIn(state);
      const { status, body } = await send(id);
      expect(status).toBe(409);
      expect(body).toMatchObject({
        reason: 'INVALID_STATUS_TRANSITION',
        details: {
          status: state.split(',')[0],
          trigger: 'complete_checkout',
          allowed: expect.any(Array),
        },
      });
      expect(await linksOf(id)).toEqual([]);
    });
  });
});

describe('GET /v1/orders/{external_id}/redirect_url in production, with a configured base URL', () => {
  it('returns a link under that address, and refuses a return URL over http', async () => {
    const port = await freePort();
    const world = await createWorld({
      settings: {
        TRADELINE_ENVIRONMENT: 'production',
        TRADELINE_BASE_URL: 'https://credit.example/b2b/',
        PORT: `${port}`,
      },
      platform,
    });
    try {
      const send = async (method: string, path: string, body?: object) => {
        const headers = {
          authorization: `Bearer ${world.apiKey}`,
          'content-type': 'application/json',
        };
        const sent = body && { body: JSON.stringify(body) };
        const answer = await fetch(`http://127.0.0.1:${port}/v1/${path}`, { method, headers, ...sent });
        return (await answer.json()) as Record<string, never>;
      };
      await send('POST', 'buyers', buyerBody({}));
      await send('POST', 'merchants', merchantBody({}));
      await send('POST', 'orders/draft', draftOrderBody({}));
      const { url } = await send('GET', 'orders/order/redirect_url');
      expect(url).toMatch(/^https:\/\/credit\.example\/b2b\/checkout\/[\w-]{48}$/);
      const { issues } = await send(
        'GET',
        'orders/order/redirect_url?success_url=http%3A%2F%2F127.0.0.1%3A3000%2F',
      );
      expect(issues).toMatchObject([{ path: 'query.success_url', message: 'must start with https://' }]);
    } finally {
      await world.close();
    }
  });
});
