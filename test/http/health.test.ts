import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';

describe('the health of a service', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());
  const probe = (path: string) => world.get(path, { key: null });

  it('GET /healthz says that the process answers', async () => {
    const { status, body, headers } = await probe('/healthz');
    expect([status, body, headers.get('cache-control')]).toEqual([200, { status: 'ok' }, 'no-store']);
  });

  it('GET /readyz says that database, migrations and worker are there', async () => {
    const { status, body, headers } = await probe('/readyz');
    expect([status, body]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', migrations: 'ok', worker: 'ok' } },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await world.send('HEAD', '/readyz', { key: null })).status).toBe(200);
  });

  it('GET /readyz is 503 where the database has not every migration, and GET /healthz is not', async () => {
    const [last] = await world.sql(
      'delete from schema_migrations where id = (select max(id) from schema_migrations) returning *',
    );
    expect(await probe('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', checks: { database: 'ok', migrations: 'failed', worker: 'ok' } },
    });
    expect((await probe('/healthz')).status).toBe(200);
    await world.sql('insert into schema_migrations values ($1, $2, $3)', [
      last?.id,
      last?.name,
      last?.run_on,
    ]);
    expect((await probe('/readyz')).status).toBe(200);
  });
});

it('a process that does no background work is ready', async () => {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  expect(await world.get('/readyz', { key: null })).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { worker: 'off' } },
  });
  await world.close();
});
