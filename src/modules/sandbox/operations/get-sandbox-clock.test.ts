import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

const PATH = '/v1/sandbox/clock';

describe('GET /v1/sandbox/clock', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(1_763_640_000);
  });
  afterAll(() => world.close());

  it('shows the real time until it is set', async () => {
    expect(await world.get(PATH)).toMatchObject({ status: 200, body: { now: 1_763_640_000 } });
  });

  it('shows what it was set to, to every key of the platform that may read', async () => {
    await world.post(PATH, { advance_seconds: 7 });
    const restricted = await world.addKey({ scopes: ['read'], merchantExternalId: 'm1' });
    expect((await world.get(PATH, { key: restricted })).body).toEqual({ now: 1_763_640_007 });
  });

  it('403: needs the scope read', async () => {
    const key = await world.addKey({ scopes: ['orders:write'] });
    expectProblem(await world.get(PATH, { key }), 'FORBIDDEN', 'INSUFFICIENT_SCOPE');
  });
});
