import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { decidePayee, sepaBody } from '#test/payees';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const DAY = 86_400;
const OTHER = { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };

describe('PUT /v1/payout_instructions/{external_id}', () => {
  let world: World;
  let made = 0;
  let id: string;
  let path: string;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.clock.set(NOW);
    id = `account-${++made}`;
    path = `/v1/payout_instructions/${id}`;
    await world.post('/v1/payout_instructions', sepaBody({ external_id: id, merchant_external_id: 'm1' }));
    await decidePayee(world, id, 'verify');
    world.clock.set(NOW + 60);
  });

  it('200: replaces the account and resets the verification; payouts wait a day', async () => {
    const { status, headers, body } = await world.put(path, sepaBody(OTHER));
    expect([status, headers.get('etag')]).toEqual([200, '"3"']);
    expect(body).toMatchObject({
      ...OTHER,
      ...{ is_verified: false, status: 'UNVERIFIED', payable_from: NOW + 60 + DAY, updated_at: NOW + 60 },
    });
    expect((await world.get(path)).body).toEqual(body);
    const events = await recordedEvents(world, id);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['PAYOUT_INSTRUCTION.VERIFIED', expect.objectContaining({ status: 'VERIFIED', sequence: 2 })],
      [
        'PAYOUT_INSTRUCTION.UNVERIFIED',
        {
          ...{ external_id: id, merchant_external_id: 'm1', sequence: 3, type: 'SEPA' },
          ...{ status: 'UNVERIFIED', previous_status: 'VERIFIED' },
        },
      ],
    ]);
  });

  it('200: resets the verification with equal details too', async () => {
    const stored = (await world.get(path)).body;
    expect(stored.is_verified).toBe(true);
    const { status, body } = await world.put(path, stored);
    expect([status, body.is_verified]).toEqual([200, false]);
  });

  it('200: replaces a rejected one, which is checked again, by another type', async () => {
    await decidePayee(world, id, 'reject');
    const fps = { type: 'FPS', beneficiary_name: 'Leaf', sort_code: '601613', account_number: '31926819' };
    const { body } = await world.put(path, fps);
    expect(body).toMatchObject({ ...fps, status: 'UNVERIFIED' });
    expect(body).not.toHaveProperty('iban');
  });

  it('400: refuses another value of a read-only field, and details that do not fit', async () => {
    expect(issuesOf((await world.put(path, sepaBody({ is_verified: false }))).body)).toEqual([
      'INVALID_VALUE body.is_verified',
    ]);
    expect(issuesOf((await world.put(path, sepaBody({ bic: 'PSSTFRPP' }))).body)).toEqual([
      'INVALID_VALUE body.bic',
    ]);
    expect((await world.get(path)).body.is_verified).toBe(true);
  });

  it('404: for an unknown one, one of another merchant than the key, and one of another platform', async () => {
    const { apiKey } = await world.addPlatform();
    const ofOther = await world.addKey({ merchantExternalId: 'm2' });
    const replies = [
      await world.put('/v1/payout_instructions/nothing', sepaBody()),
      await world.send('PUT', path, { body: sepaBody(), key: apiKey }),
      await world.send('PUT', path, { body: sepaBody(), key: ofOther }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('412: refuses an outdated If-Match', async () => {
    const headers = { 'if-match': '"1"' };
    expect((await world.send('PUT', path, { body: sepaBody(), headers })).status).toBe(412);
  });
});
