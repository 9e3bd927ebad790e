import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { sepaBody } from '#test/payees';
import { createWorld, type World } from '#test/world';

describe('DELETE /v1/payout_instructions/{external_id}', () => {
  let world: World;
  const path = '/v1/payout_instructions/a1';
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
    await world.post('/v1/payout_instructions', sepaBody({ external_id: 'a1', merchant_external_id: 'm1' }));
  });
  afterAll(() => world.close());

  it('404: is the answer to a key of another merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm2' });
    expect((await world.send('DELETE', path, { key })).status).toBe(404);
  });

  it('412: refuses an outdated If-Match', async () => {
    expect((await world.send('DELETE', path, { headers: { 'if-match': '"9"' } })).status).toBe(412);
  });

  it('200: answers null, once, and keeps the history', async () => {
    const { status, text } = await world.send('DELETE', path);
    expect([status, text]).toEqual([200, 'null']);
    expect((await world.get(path)).status).toBe(404);
    expect((await world.send('DELETE', path)).status).toBe(404);
    expect((await world.get('/v1/payout_instructions')).body.total).toBe(0);
    const history = await world.sql(
      'select from_status, to_status, trigger, account_masked from payout_instruction_transitions order by version',
    );
    expect(history).toEqual([
      { from_status: null, to_status: 'UNVERIFIED', trigger: 'create', account_masked: '…3000' },
      { from_status: 'UNVERIFIED', to_status: 'DELETED', trigger: 'delete', account_masked: '…3000' },
    ]);
  });
});
