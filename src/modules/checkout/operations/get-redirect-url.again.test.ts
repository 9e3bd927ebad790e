import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;

describe('GET /v1/orders/{external_id}/redirect_url, called again', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ platform: { redirect_url: 'https://shop.example/back' } });
    world.clock.set(NOW);
    await world.post('/v1/buyers', buyerBody({}));
    await world.post('/v1/merchants', merchantBody({}));
  });
  afterAll(() => world.close());

  const addDraft = async () => {
    const id = `order-${++made}`;
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: id }));
    return id;
  };
  const send = (id: string, query: Record<string, string> = {}, more = {}) =>
    world.get(`/v1/orders/${id}/redirect_url?${new URLSearchParams(query)}`, more);
  const statusOf = async (url: string) => (await fetch(url)).status;
  const linksOf = (id: string) =>
    world.sql<Record<string, unknown>>('select * from checkout_links where order_external_id = $1', [id]);

  it('returns the same link to every call, of which 40 come at once', async () => {
    const id = await addDraft();
    const replies = await Promise.all(Array.from({ length: 40 }, () => send(id)));
    const [first] = replies;
    expect(first?.body).toEqual({ url: expect.any(String), expires_at: NOW + WEEK_SECONDS });
    for (const { body } of replies) expect(body).toEqual(first?.body);
    expect(await linksOf(id)).toHaveLength(1);
    expect(await statusOf(first?.body.url)).toBe(200);
  });

  it('returns a link of its own for other return URLs', async () => {
    const id = await addDraft();
    const success_url = 'https://shop.example/thanks';
    const error_url = 'https://shop.example/sorry';
    const queries = [{}, { success_url }, { error_url }, { success_url, error_url }];
    const urlsOf = async () =>
      Promise.all(queries.map(async (query) => (await send(id, query)).body.url as string));
    const urls = await urlsOf();
    expect(new Set(urls).size).toBe(queries.length);
    expect(await urlsOf()).toEqual(urls);
  });

  it('creates a new link with renew=true, which later calls return; the earlier one stays valid', async () => {
    const id = await addDraft();
    const { url: earlier } = (await send(id)).body;
    const { url: renewed } = (await send(id, { renew: 'true' })).body;
    expect(renewed).not.toBe(earlier);
    expect((await send(id)).body.url).toBe(renewed);
    expect((await send(id, { renew: 'false' })).body.url).toBe(renewed);
    expect([await statusOf(earlier), await statusOf(renewed)]).toEqual([200, 200]);
    expect((await linksOf(id)).filter(({ token_sealed }) => token_sealed !== null)).toHaveLength(1);
  });

  it('creates a new link when the earlier one ends within a day, or was revoked', async () => {
    const { apiKey: key, platform } = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({}), { key });
    await world.post('/v1/merchants', merchantBody({}), { key });
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: 'ending' }), { key });
    const advance = (advance_seconds: number) =>
      world.post('/v1/sandbox/clock', { advance_seconds }, { key });
    const { url } = (await send('ending', {}, { key })).body;
    await advance(WEEK_SECONDS - DAY_SECONDS - 1);
    expect((await send('ending', {}, { key })).body.url).toBe(url);
    await advance(1);
    const next = (await send('ending', {}, { key })).body;
    expect(next.url).not.toBe(url);
    expect(next.expires_at).toBe(NOW + 2 * WEEK_SECONDS - DAY_SECONDS);
    await world.sql('update checkout_links set revoked_at = created_at where platform_id = $1', [
      platform.platform_id,
    ]);
    expect((await send('ending', {}, { key })).body.url).not.toBe(next.url);
  });

  it('does not return a link of a mail, or of before, whose token is only hashed', async () => {
    const id = await addDraft();
    const { url } = (await send(id)).body;
    await world.sql('update checkout_links set token_sealed = null where order_external_id = $1', [id]);
    expect((await send(id)).body.url).not.toBe(url);
    expect(await statusOf(url)).toBe(200);
  });
});
