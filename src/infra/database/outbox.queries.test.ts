import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { indexesOf, plansOf } from '#test/plans';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';
import { type Database, openDatabase } from './database.ts';
import { deleteOldEvents, positionEvents, writeEvents } from './outbox.queries.ts';

// The worker is off: the tests number and prune events.
describe('The event log', () => {
  let world: World;
  let platformId: number;
  let connection: pg.ClientConfig;
  const opened: Database[] = [];
  const clients: pg.Client[] = [];

  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    platformId = world.platform.platform_id;
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    connection = { ...inject('postgres').service, database: row?.name as string };
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    await world.sql('truncate events, event_positions cascade');
  });
  afterAll(async () => {
    for (const { close } of opened) await close();
    await world.close();
  });

  /** Opens a pool, as another process would. */
  const openProcess = () => {
    const database = openDatabase({ connection, connectionsMax: 4 });
    opened.push(database);
    return database.db;
  };
  const openTransaction = async () => {
    const client = new pg.Client(connection);
    clients.push(client);
    await client.connect();
    await client.query('begin');
    return client;
  };
  const recordIn = (client: pg.Client, resource: string, ofPlatform = platformId) =>
    client.query(
      `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      values ($1, gen_random_uuid(), 'BUYER.UPDATED', $2, 0, '{}')`,
      [ofPlatform, resource],
    );
  const positions = async (ofPlatform = platformId) =>
    (
      await world.sql<{ resource: string; position: string | null }>(
        `select resource_external_id as resource, position from events where platform_id = $1 order by position, ordinal`,
        [ofPlatform],
      )
    ).map(({ resource, position }) => `${position ?? '-'} ${resource}`);

  it('numbers committed events 1, 2, 3 … in the order of their writing', async () => {
    const db = openProcess();
    const events = ['a', 'b', 'c'].map((external_id, index) => ({
      platformId,
      type: 'BUYER.UPDATED',
      resourceExternalId: external_id,
      occurredAt: 1_000 - index,
      data: {},
      onlyRecipientId: null,
    }));
    await writeEvents(db, events, () => sql`select from input`);
    expect(await positionEvents(db, 100)).toBe(3);
    expect(await positions()).toEqual(['1 a', '2 b', '3 c']);
    expect(await positionEvents(db, 100)).toBe(0);
  });

  it('numbers an event that commits late after those already numbered', async () => {
    const db = openProcess();
    const [slow, quick] = [await openTransaction(), await openTransaction()];
    await recordIn(slow, 'slow');
    await recordIn(quick, 'quick');
    await quick.query('commit');
    await positionEvents(db, 100);
    expect(await positions()).toEqual(['1 quick']);
    await slow.query('commit');
    await positionEvents(db, 100);
    expect(await positions()).toEqual(['1 quick', '2 slow']);
  });

  it('leaves no gap for a transaction that is rolled back', async () => {
    const db = openProcess();
    const [lost, kept] = [await openTransaction(), await openTransaction()];
    await recordIn(lost, 'lost');
    await recordIn(kept, 'kept');
    await lost.query('rollback');
    await kept.query('commit');
    await positionEvents(db, 100);
    expect(await positions()).toEqual(['1 kept']);
  });

  it('continues where it stopped when events exceed a batch', async () => {
    const db = openProcess();
    const client = await openTransaction();
    for (let i = 0; i < 25; i++) await recordIn(client, `e${i}`);
    await client.query('commit');
    expect([
      await positionEvents(db, 10),
      await positionEvents(db, 10),
      await positionEvents(db, 10),
    ]).toEqual([10, 10, 5]);
    expect(await positions()).toEqual(Array.from({ length: 25 }, (_, i) => `${i + 1} e${i}`));
  });

  it('numbers each platform separately', async () => {
    const db = openProcess();
    const other = (await world.addPlatform()).platform.platform_id;
    const client = await openTransaction();
    for (const [resource, of] of [
      ['a', platformId],
      ['x', other],
      ['b', platformId],
      ['y', other],
    ] as const)
      await recordIn(client, resource, of);
    await client.query('commit');
    await positionEvents(db, 3);
    await positionEvents(db, 3);
    expect(await positions()).toEqual(['1 a', '2 b']);
    expect(await positions(other)).toEqual(['1 x', '2 y']);
  });

  it('has no gap, changes no number and keeps each resource in order under 8 writers and 3 numbering processes', async () => {
    const processes = [openProcess(), openProcess(), openProcess()];
    const seen = new Map<string, string>();
    let isWriting = true;
    const numbering = processes.map(async (db) => {
      while (isWriting) await positionEvents(db, 7);
    });
    // A reader that follows positions: a position never changes, and no event appears at or before the last position read.
    const surprises: string[] = [];
    const reading = (async () => {
      while (isWriting) {
        const rows = await world.sql<{ event_id: string; position: string }>(
          'select event_id, position from events where position is not null order by position',
        );
        for (const { event_id, position } of rows) {
          const known = seen.get(event_id);
          if (known !== undefined && known !== position) surprises.push(`${known} became ${position}`);
          if (known === undefined && Number(position) !== seen.size + 1)
            surprises.push(`${position} followed ${seen.size}`);
          seen.set(event_id, position);
        }
      }
    })();
    const writer = async (name: string) => {
      const client = await openTransaction();
      await client.query('commit');
      for (let i = 0; i < 25; i++) {
        await client.query('begin');
        await recordIn(client, `${name}-${String(i).padStart(2, '0')}`);
        // Varying delays put the commits out of order.
        await sleep((i * 7 + name.charCodeAt(0) * 3) % 5);
        await client.query(i % 10 === 9 ? 'rollback' : 'commit');
      }
    };
    await Promise.all([...'abcdefgh'].map(writer));
    isWriting = false;
    await Promise.all([...numbering, reading]);
    await until(async () => (await positionEvents(openProcess(), 100)) === 0 || undefined);

    expect(surprises).toEqual([]);
    const all = (await positions()).map((line) => line.split(' '));
    expect(all.map(([position]) => Number(position))).toEqual(
      Array.from({ length: 8 * 23 }, (_, i) => i + 1),
    );
    for (const name of 'abcdefgh') {
      const own = all.map(([, resource]) => resource).filter((resource) => resource?.startsWith(name));
      expect(own).toEqual([...own].sort());
    }
  });

  it('numbers concurrent changes of one buyer in the order of their sequence', async () => {
    const db = openProcess();
    await world.post('/v1/buyers', buyerBody({ external_id: 'busy' }));
    const { external_id: _, ...body } = buyerBody({ business_identifiers: [] });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        world.put('/v1/buyers/busy', { ...body, legal_name: `Name ${i}` }),
      ),
    );
    await positionEvents(db, 100);
    const rows = await world.sql<{ sequence: number }>(
      "select (body::json -> 'data' ->> 'sequence')::int as sequence from events order by position",
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  });

  describe('older than 30 days', () => {
    const noDependents = {
      pending: sql`pending as (select platform_id, position from front where false)`,
      deletions: sql`none as (select)`,
    };
    const age = (resource: string, days: number) =>
      world.sql(
        `update events set recorded_at = now() - interval '1 day' * $2 where resource_external_id = $1`,
        [resource, days],
      );

    it('is deleted without reusing its number', async () => {
      const db = openProcess();
      const client = await openTransaction();
      for (const resource of ['first', 'second']) await recordIn(client, resource);
      await client.query('commit');
      await positionEvents(db, 100);
      await age('first', 31);
      await age('second', 31);
      expect(await deleteOldEvents(db, { keptDays: 30, batchSizeMax: 10 }, noDependents)).toBe(2);
      await client.query('begin');
      await recordIn(client, 'third');
      await client.query('commit');
      await positionEvents(db, 100);
      expect(await positions()).toEqual(['3 third']);
    });

    it('is deleted only behind no younger one, and on all platforms, whatever one of them keeps', async () => {
      const db = openProcess();
      const other = (await world.addPlatform()).platform.platform_id;
      const client = await openTransaction();
      for (const resource of ['old-1', 'young', 'old-3', 'old-4', 'old-5']) await recordIn(client, resource);
      for (const resource of ['x', 'y', 'z']) await recordIn(client, resource, other);
      await client.query('commit');
      await positionEvents(db, 100);
      for (const resource of ['old-1', 'old-3', 'old-4', 'old-5']) await age(resource, 40);
      for (const resource of ['x', 'y', 'z']) await age(resource, 31);
      // A batch is smaller than the number of events that the first platform keeps.
      const prune = (batchSizeMax: number) =>
        deleteOldEvents(db, { keptDays: 30, batchSizeMax }, noDependents);
      expect(await prune(2)).toBe(4);
      expect(await positions()).toEqual(['2 young', '3 old-3', '4 old-4', '5 old-5']);
      expect(await positions(other)).toEqual([]);
      expect(await prune(2)).toBe(0);
      await age('young', 31);
      expect(await prune(2)).toBe(4);
    });

    // On a cluster, the plans are on the nodes.
    it.skipIf(isOnCluster())('is found by the indexes of time and of positions', async () => {
      await world.sql(
        `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, recorded_at, body)
        select $1, gen_random_uuid(), n, 'BUYER.UPDATED', 'many', 0, now() - make_interval(days => 31) + make_interval(mins => n), '{}'
        from generate_series(1, 20000) n`,
        [platformId],
      );
      await world.sql('vacuum analyze events');
      const plans = await plansOf(world, (db) =>
        deleteOldEvents(db, { keptDays: 30, batchSizeMax: 20 }, noDependents),
      );
      expect(indexesOf(plans)).toEqual(
        expect.arrayContaining(['events_by_recorded_at', 'events_by_position', 'events_pkey']),
      );
      expect(JSON.stringify(plans)).not.toContain('"Seq Scan"');
    });
  });
});
