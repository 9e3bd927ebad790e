import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { sepaBody } from '#test/payees';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const PATH = '/v1/sandbox/payout_instructions';

describe('POST /v1/sandbox/payout_instructions', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
    await world.post('/v1/payout_instructions', sepaBody({ external_id: 'a1', merchant_external_id: 'm1' }));
  });
  afterAll(() => world.close());

  it('200: verifies and takes the verification back, with the events', async () => {
    const verified = await world.post(PATH, { external_id: 'a1', trigger: 'verify' });
    expect([verified.status, verified.body.is_verified]).toEqual([200, true]);
    const taken = await world.post(PATH, { external_id: 'a1', trigger: 'unverify' });
    expect(taken.body).toMatchObject({ is_verified: false, status: 'REJECTED' });
    expect((await recordedEvents(world, 'a1')).map(({ type }) => type)).toEqual([
      'PAYOUT_INSTRUCTION.VERIFIED',
      'PAYOUT_INSTRUCTION.UNVERIFIED',
    ]);
  });

  it('403: refuses a key of one merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    expect((await world.post(PATH, { external_id: 'a1', trigger: 'verify' }, { key })).status).toBe(403);
  });

  it('404: names an unknown instruction', async () => {
    const { status, body } = await world.post(PATH, { external_id: 'nothing', trigger: 'verify' });
    expect([status, body.details]).toEqual([404, expect.objectContaining({ value: 'nothing' })]);
  });

  it('409: refuses to verify a rejected one', async () => {
    const { status, body } = await world.post(PATH, { external_id: 'a1', trigger: 'verify' });
    expect([status, body.details]).toEqual([
      409,
      { ...body.details, status: 'REJECTED', allowed: ['replace', 'delete'] },
    ]);
  });
});
