import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent', TRADELINE_WORKER: 'off' } });
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
});
afterAll(() => world.close());

/** Expects a 500 with the request id and nothing about the cause. */
function expectNoDetail(reply: Reply) {
  expect(reply.status).toBe(500);
  expect(expectProblem(reply)).toEqual({
    error: 'Internal error',
    code: 'INTERNAL_ERROR',
    details: {
      request_id: reply.headers.get('request-id'),
      docs: `${world.baseUrl}/docs/errors#INTERNAL_ERROR`,
    },
  });
}

describe('a defect', () => {
  it('of a read is a 500 without detail', async () => {
    await world.sql('revoke select on buyers from tradeline_service');
    expectNoDetail(await world.get('/v1/buyers/b1'));
    expectNoDetail(await world.get('/v1/buyers'));
    await world.sql('grant select on buyers to tradeline_service');
    expect((await world.get('/v1/buyers/b1')).status).toBe(200);
  });

  it('of a write is a 500 without detail, and nothing is written', async () => {
    await world.sql('revoke insert on events from tradeline_service');
    const headers = { 'idempotency-key': 'k1' };
    expectNoDetail(await world.post('/v1/buyers', buyerBody({ external_id: 'b2' }), { headers }));
    expect((await world.get('/v1/buyers/b2')).status).toBe(404);
    await world.sql('grant insert on events to tradeline_service');

    const again = await world.post('/v1/buyers', buyerBody({ external_id: 'b2' }), { headers });
    expect(again.status).toBe(201);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    expect(await recordedEvents(world, 'b2')).toHaveLength(1);
  });

  it('of a stored answer leaves the work undone too', async () => {
    await world.sql('revoke insert on idempotency_keys from tradeline_service');
    const headers = { 'idempotency-key': 'k2' };
    expectNoDetail(await world.post('/v1/buyers', buyerBody({ external_id: 'b3' }), { headers }));
    await world.sql('grant insert on idempotency_keys to tradeline_service');
    expect((await world.get('/v1/buyers/b3')).status).toBe(404);
    expect(await recordedEvents(world, 'b3')).toEqual([]);
  });

  it('of finding the caller is a 500 without detail', async () => {
    const key = await world.addKey();
    await world.sql('revoke select on api_keys from tradeline_service');
    expectNoDetail(await world.get('/v1/platform', { key }));
    await world.sql('grant select on api_keys to tradeline_service');
    expect((await world.get('/v1/platform', { key })).status).toBe(200);
  });

  it('of a stored row does not affect other answers of the same statement', async () => {
    for (const id of ['good', 'bad'])
      await world.post('/v1/contacts', { external_id: id, buyer_external_id: 'b1', first_name: id });
    // Encrypted for another place: here it cannot be decrypted.
    const [good] = await world.sql("select person_sealed from contacts where external_id = 'good'");
    await world.sql("update contacts set person_sealed = $1 where external_id = 'bad'", [
      good?.person_sealed,
    ]);
    const requested = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? 'bad' : 'good'));
    const replies = await Promise.all(requested.map((id) => world.get(`/v1/contacts/${id}`)));
    for (const [index, reply] of replies.entries()) {
      if (requested[index] === 'bad') expectNoDetail(reply);
      else expect(reply).toMatchObject({ status: 200, body: { first_name: 'good' } });
    }
  });
});
