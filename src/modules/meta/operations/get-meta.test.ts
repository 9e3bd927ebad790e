import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

describe('GET /v1/meta', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(NOW);
  });
  afterAll(() => world.close());

  it('answers the version of the program, the environment and the time', async () => {
    const { status, body } = await world.get('/v1/meta');
    expect({ status, body }).toEqual({
      status: 200,
      body: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), environment: 'sandbox', time: NOW },
    });
  });

  it('shows the clock of the platform, which is ahead of others', async () => {
    const { apiKey: key } = await world.addPlatform();
    await world.post('/v1/sandbox/clock', { advance_seconds: 3_600 }, { key });
    expect((await world.get('/v1/meta', { key })).body.time).toBe(NOW + 3_600);
    expect((await world.get('/v1/meta')).body.time).toBe(NOW);
  });

  it('is open to every key, whatever its scopes and its merchant', async () => {
    const key = await world.addKey({ scopes: ['webhooks:write'], merchantExternalId: 'm1' });
    expect((await world.get('/v1/meta', { key })).status).toBe(200);
  });

  it('401 without a key', async () => {
    expectProblem(await world.get('/v1/meta', { key: null }), 'UNAUTHORIZED');
  });
});
