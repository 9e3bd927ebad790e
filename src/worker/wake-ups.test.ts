import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { CommitListener } from '#infra/database/wake-ups.queries';
import { buyerBody } from '#test/bodies';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

describe('A process without a worker', () => {
  let world: World;
  let listener: CommitListener;
  let notices = 0;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    listener = world.installation.listen(() => {
      notices++;
    });
    // The first call shows that the listener listens.
    await until(() => notices === 1);
  });
  afterAll(async () => {
    await listener.close();
    await world.close();
  });

  const createBuyer = (external_id: string) => world.post('/v1/buyers', buyerBody({ external_id }));

  it('tells the workers of other processes of a commit', async () => {
    const before = notices;
    await createBuyer('one');
    await until(() => notices > before);
  });

  it('tells them of commits that come together with fewer notices', async () => {
    const before = notices;
    const created = await Promise.all(Array.from({ length: 60 }, (_, nth) => createBuyer(`many-${nth}`)));
    expect(created.map(({ status }) => status)).toEqual(Array(60).fill(201));
    await until(() => notices > before);
    expect(notices - before).toBeLessThan(60);
  });

  it('is heard again after the connection of the listener was lost', async () => {
    const before = notices;
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    const client = new pg.Client(inject('postgres').superuser);
    await client.connect();
    const { rows } = await client.query(
      "select pg_terminate_backend(pid) as is_ended from pg_stat_activity where datname = $1 and query like 'listen %'",
      [row?.name],
    );
    await client.end();
    expect(rows).toEqual([{ is_ended: true }]);
    await until(() => notices > before);
    const listening = notices;
    await createBuyer('after');
    await until(() => notices > listening);
  });
});
