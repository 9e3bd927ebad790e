import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activateMerchant, deactivateMerchant } from '#modules/merchants';
import { merchantBody } from '#test/bodies';
import { operate } from '#test/operator';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { enrolls_merchants: false } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const create = (external_id: string) => world.post('/v1/merchants', merchantBody({ external_id }));
const input = (external_id: string, reason = 'checked') => ({ params: { external_id }, body: { reason } });
const eventsOf = async (id: string) =>
  (await recordedEvents(world, id)).map(({ type, data }) => [type, data.previous_status, data.sequence]);

describe('activateMerchant', () => {
  it('enrols a merchant that the platform has registered as pending, and reports it', async () => {
    expect((await create('new')).body.status).toBe('PENDING');
    expect(await eventsOf('new')).toEqual([]);
    world.clock.set(NOW + 5);
    const activated = await operate(world, activateMerchant, input('new', 'papers seen'));
    expect(activated).toMatchObject({ status: 'ENROLLED', updated_at: NOW + 5 });
    expect((await world.get('/v1/merchants/new')).body.status).toBe('ENROLLED');
    expect(await eventsOf('new')).toEqual([['MERCHANT.ENROLLED', 'PENDING', 2]]);
    const history = await world.sql(
      'select trigger, from_status, to_status, actor, reason, version from merchant_transitions order by version',
    );
    expect(history).toEqual([
      {
        ...{ trigger: 'create_pending', from_status: null, to_status: 'PENDING', reason: null, version: 1 },
        actor: expect.stringMatching(/^api_key:/),
      },
      {
        ...{ trigger: 'activate', from_status: 'PENDING', to_status: 'ENROLLED', version: 2 },
        ...{ actor: 'operator:ada', reason: 'papers seen' },
      },
    ]);
  });

  it('enrols an inactive one again', async () => {
    await create('again');
    await operate(world, deactivateMerchant, input('again'));
    expect(await operate(world, activateMerchant, input('again'))).toMatchObject({ status: 'ENROLLED' });
    expect(await eventsOf('again')).toEqual([['MERCHANT.ENROLLED', 'INACTIVE', 3]]);
  });

  it('refuses one that is enrolled, and one that does not exist', async () => {
    await create('twice');
    await operate(world, activateMerchant, input('twice'));
    await expect(operate(world, activateMerchant, input('twice'))).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: { status: 'ENROLLED', allowed: ['deactivate'] },
    });
    await expect(operate(world, activateMerchant, input('nobody'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
