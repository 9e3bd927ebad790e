import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { describeIfMatch } from '#test/if-match';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

describe('PUT /v1/buyers/{external_id}, version by version', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const make = async () => {
    const external_id = `buyer-${++made}`;
    await world.post('/v1/buyers', buyerBody({ external_id }));
    return `/v1/buyers/${external_id}`;
  };
  const wanted = (nth: number) => {
    const { external_id: _, ...rest } = buyerBody({ business_identifiers: [], legal_name: `Name ${nth}` });
    return rest;
  };

  describeIfMatch({
    world: () => world,
    make,
    change: (path, nth, more) => world.put(path, wanted(nth), more),
  });

  describe('412', () => {
    it('answers a stale If-Match even if the request would change nothing', async () => {
      const path = await make();
      await world.put(path, wanted(1));
      const reply = await world.put(path, wanted(1), { headers: { 'if-match': '"1"' } });
      expect(reply.status).toBe(412);
    });
  });

  describe('20 different ones at the same time', () => {
    it('are served one after the other: each its version, each its event', async () => {
      const path = await make();
      const replies = await Promise.all(Array.from({ length: 20 }, (_, nth) => world.put(path, wanted(nth))));
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const etags = replies.map(({ headers }) => headers.get('etag'));
      expect(new Set(etags)).toEqual(new Set(Array.from({ length: 20 }, (_, index) => `"${index + 2}"`)));

      const last = await world.get(path);
      expect(last.headers.get('etag')).toBe('"21"');
      const winner = replies.find(({ headers }) => headers.get('etag') === '"21"');
      expect(last.text).toBe(winner?.text);

      const [created, ...updates] = await recordedEvents(world, path.split('/')[3] as string);
      expect(created?.type).toBe('BUYER.CREATED');
      expect(updates.map(({ data }) => data.sequence)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 2),
      );
    });
  });

  describe('20 identical ones at the same time', () => {
    it('make one change and one event', async () => {
      const path = await make();
      const replies = await Promise.all(Array.from({ length: 20 }, () => world.put(path, wanted(1))));
      expect(replies.map(({ headers }) => headers.get('etag'))).toEqual(Array(20).fill('"2"'));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(await recordedEvents(world, path.split('/')[3] as string)).toHaveLength(2);
    });
  });
});
