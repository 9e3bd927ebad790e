import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, merchantBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

describe('GET /v1/events', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const id of ['b1', 'b2', 'b3']) await world.post('/v1/buyers', buyerBody({ external_id: id }));
    await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
    await until(async () => (await world.get('/v1/events')).body.items.length === 4);
    await world.sql(`update events set occurred_at = 1000 + position`);
  });
  afterAll(() => world.close());

  const list = (query = '', more = {}) => world.get(`/v1/events${query}`, more);
  const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.items.map(({ data }: { data: { external_id: string } }) => data.external_id);

  describe('200', () => {
    it('lists all events by position, each as receivers get it', async () => {
      const { status, body } = await list();
      expect(status).toBe(200);
      const [stored] = await world.sql<{ body: string }>('select body from events where position = 1');
      expect(body.items[0]).toEqual({ position: 1, ...JSON.parse(stored?.body as string) });
      expect(body.items.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3, 4]);
      expect(body).toMatchObject({ limit: 100, next: 4, has_more: false });
    });

    it('pages: next is the after of the next page', async () => {
      const first = await list('?limit=3');
      expect(first.body).toMatchObject({ next: 3, has_more: true });
      const second = await list(`?limit=3&after=${first.body.next}`);
      expect(second.body).toMatchObject({ next: 4, has_more: false });
      expect([...idsOf(first), ...idsOf(second)]).toEqual(['b1', 'b2', 'b3', 'm1']);
      expect((await list('?after=4')).body).toEqual({ items: [], limit: 100, next: 4, has_more: false });
    });

    it.each([
      ['type=MERCHANT', ['m1']],
      ['type=BUYER.CREATED', ['b1', 'b2', 'b3']],
      ['type=BUYER,MERCHANT.ENROLLED', ['b1', 'b2', 'b3', 'm1']],
      ['resource_external_id=b2,m1', ['b2', 'm1']],
      ['occurred_at=1002..1003', ['b2', 'b3']],
      ['occurred_at=1004', ['m1']],
      ['type=ORDER', []],
      ['type=BUYER&after=1', ['b2', 'b3']],
    ])('with %s lists %j, and goes on behind all that it left out', async (query, ids) => {
      const page = await list(`?${query}`);
      expect(idsOf(page)).toEqual(ids);
      expect(page.body).toMatchObject({ next: 4, has_more: false });
    });

    it('looks at 10,000 events at most, and says where it goes on', async () => {
      const other = await world.addPlatform({ code: 'busy' });
      await world.sql(
        `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
        select $1, gen_random_uuid(), n, case n when 10002 then 'MERCHANT.ENROLLED' else 'BUYER.CREATED' end, 'x', 1,
          '{"id":"","occurred_at":1,"type":"BUYER.CREATED","data":{}}'
        from generate_series(1, 10002) n`,
        [other.platform.platform_id],
      );
      await world.sql('insert into event_positions values ($1, 10002)', [other.platform.platform_id]);
      const key = { key: other.apiKey };
      expect((await list('?type=MERCHANT', key)).body).toMatchObject({
        items: [],
        next: 10_000,
        has_more: true,
      });
      const rest = await list('?type=MERCHANT&after=10000', key);
      expect(rest.body).toMatchObject({ items: [{ position: 10_002 }], next: 10_002, has_more: false });
    });

    it('waits for an event, also for one that the filters let through', async () => {
      const waiting = list('?after=4&wait=30&type=MERCHANT');
      await world.post('/v1/buyers', buyerBody({ external_id: 'b4' }));
      await until(async () => (await list('?after=4')).body.items.length === 1);
      await world.post('/v1/merchants', merchantBody({ external_id: 'm2' }));
      const { body } = await waiting;
      expect(body).toMatchObject({ items: [{ position: 6, data: { external_id: 'm2' } }], next: 6 });
    });

    it('waits no longer than asked', async () => {
      const startedMs = performance.now();
      expect((await list('?after=6&wait=1')).body.items).toEqual([]);
      expect(performance.now() - startedMs).toBeGreaterThan(900);
    });

    it('lists only the events of the platform', async () => {
      const { apiKey } = await world.addPlatform({ code: 'quiet' });
      expect((await list('', { key: apiKey })).body).toMatchObject({ items: [], next: 0, has_more: false });
    });
  });

  describe('400', () => {
    it('refuses a cursor whose next event is deleted, and tells the oldest', async () => {
      const { platform, apiKey } = await world.addPlatform({ code: 'old' });
      await world.sql(
        `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
        values ($1, gen_random_uuid(), 8, 'BUYER.CREATED', 'x', 1, '{"id":"","occurred_at":1,"type":"BUYER.CREATED","data":{}}')`,
        [platform.platform_id],
      );
      await world.sql('insert into event_positions values ($1, 8)', [platform.platform_id]);
      const key = { key: apiKey };
      const { status, body } = await list('?after=6', key);
      expect([status, body.issues[0].code, body.issues[0].path]).toEqual([400, 'TOO_SMALL', 'query.after']);
      expect(body.details).toMatchObject({ oldest: 7, newest: 8 });
      expect((await list('?after=7', key)).body.items).toHaveLength(1);
      // Without a cursor, a reader requests the existing events.
      expect((await list('', key)).body.items).toHaveLength(1);
      await world.sql('delete from events where platform_id = $1', [platform.platform_id]);
      expect((await list('?after=7', key)).body.details).toMatchObject({ oldest: 8, newest: 8 });
      expect((await list('?after=8', key)).body).toMatchObject({ items: [], next: 8 });
    });

    it('refuses the cursor of another platform, which is beyond the last event', async () => {
      const { status, body } = await list('?after=1000');
      expect([status, body.issues[0].code]).toEqual([400, 'TOO_BIG']);
    });

    it.each([
      ['after=-1', 'TOO_SMALL query.after'],
      ['after=x', 'INVALID_TYPE query.after'],
      ['wait=31', 'TOO_BIG query.wait'],
      ['limit=101', 'TOO_BIG query.limit'],
      ['offset=1', 'UNRECOGNIZED_KEYS query.offset'],
      ['type=NOTHING', 'INVALID_ENUM query.type'],
    ])('refuses %s', async (query, issue) => {
      const { status, body } = await list(`?${query}`);
      expect(status).toBe(400);
      expect(body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([issue]);
    });
  });

  it('403 for a key of one merchant: events concern the whole platform', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    const replies = [await list('', { key }), await world.get(`/v1/events/${crypto.randomUUID()}`, { key })];
    expect(replies.map(({ status, body }) => [status, body.reason])).toEqual(
      replies.map(() => [403, 'MERCHANT_NOT_ALLOWED']),
    );
  });

  // Closing a world there drops its databases.
  it.skipIf(isOnCluster())('a stopping server ends what waits', async () => {
    const stopped = await createWorld();
    const waiting = Promise.all(Array.from({ length: 20 }, () => stopped.get('/v1/events?wait=30')));
    await sleep(200);
    const startedMs = performance.now();
    await stopped.close();
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([200]));
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
