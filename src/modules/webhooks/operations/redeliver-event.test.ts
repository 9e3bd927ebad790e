import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { forgetEvents, passTimeToNextAttempt, untilFinished } from '#test/deliveries';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

describe('POST /v1/events/{event_id}/redeliver', () => {
  let world: World;
  let receiver: Receiver;
  let eventId: string;
  beforeAll(async () => {
    world = await createWorld();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
    const external_id = crypto.randomUUID();
    await world.post('/v1/buyers', buyerBody({ external_id }));
    await untilFinished(world);
    eventId = receiver.received[0]?.event.id;
  });
  afterEach(async () => {
    for (const type of ['BUYER', 'BUYER.CREATED', 'ORDER'])
      await world.delete(`/v1/webhooks/${type}/unsubscribe`);
    await forgetEvents(world);
    await receiver.close();
  });
  afterAll(() => world.close());

  const redeliver = (body?: object, more = {}) => world.post(`/v1/events/${eventId}/redeliver`, body, more);
  const delivery = async (type = 'BUYER') =>
    (await world.get(`/v1/webhooks/${type}/deliveries`)).body.items[0];

  it('sends the same bytes with the same id again, in a round of its own', async () => {
    const { status, body } = await redeliver();
    expect(status).toBe(200);
    expect(body).toEqual({ event_id: eventId, subscription_types: ['BUYER'] });
    await receiver.waitFor(2);
    const [first, second] = receiver.received;
    expect(second?.raw).toBe(first?.raw);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-attempt']).toBe('1');
    await untilFinished(world);
    expect(await delivery()).toMatchObject({
      status: 'DELIVERED',
      round: 2,
      attempts: [
        { round: 1, attempt: 1 },
        { round: 2, attempt: 1 },
      ],
    });
  });

  it('gives the new round a window of its own', async () => {
    await world.sql(
      "update webhook_deliveries set created_at = now() - interval '3 days', status = 'FAILED'",
    );
    receiver.answerNext(500);
    await redeliver();
    await until(async () => (await delivery()).attempts.length === 2);
    expect(await delivery()).toMatchObject({ status: 'PENDING', round: 2 });
    await passTimeToNextAttempt(world);
    await untilFinished(world);
    expect(
      (await delivery()).attempts.map(({ round, attempt }: Record<string, number>) => [round, attempt]),
    ).toEqual([
      [1, 1],
      [2, 1],
      [2, 2],
    ]);
  });

  it('sends it to a subscription that was made after the event', async () => {
    await world.post('/v1/webhooks', { url: `${receiver.url}/new`, type: 'BUYER.CREATED' });
    const { body } = await redeliver({ subscription_type: 'BUYER.CREATED' });
    expect(body.subscription_types).toEqual(['BUYER.CREATED']);
    await receiver.waitFor(2);
    await untilFinished(world);
    expect(receiver.received[1]?.path).toBe('/hooks/new');
    expect(await delivery()).toMatchObject({ round: 1 });
  });

  it('leaves a delivery that is still pending as it is', async () => {
    await world.sql(
      "update webhook_deliveries set status = 'PENDING', next_attempt_at = now() + interval '1 hour', finished_at = null",
    );
    expect((await redeliver()).body.subscription_types).toEqual(['BUYER']);
    expect(await delivery()).toMatchObject({ status: 'PENDING', round: 1 });
    await world.sql("update webhook_deliveries set status = 'DELIVERED', finished_at = now()");
  });

  it('many at once make one round', async () => {
    receiver.answerNext(500);
    const replies = await Promise.all(Array.from({ length: 8 }, () => redeliver()));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await receiver.waitFor(2);
    await passTimeToNextAttempt(world);
    await untilFinished(world);
    expect((await delivery()).round).toBe(2);
  });

  it.each([
    ['no subscription covers it any more', undefined],
    ['the named one does not cover it', { subscription_type: 'ORDER' }],
    ['the named one does not exist', { subscription_type: 'BUYER.UPDATED' }],
  ])('422 where %s', async (_, body) => {
    await world.post('/v1/webhooks', { url: receiver.url, type: 'ORDER' });
    if (body === undefined) await world.delete('/v1/webhooks/BUYER/unsubscribe');
    const reply = await redeliver(body);
    expect([reply.status, reply.body.reason]).toEqual([422, 'NO_ACTIVE_SUBSCRIPTION']);
    expect(reply.body.details).toMatchObject({ event_type: 'BUYER.CREATED' });
    expect(receiver.received).toHaveLength(1);
  });

  it('404 for an event of another platform, and for none', async () => {
    const { apiKey } = await world.addPlatform();
    expect((await redeliver(undefined, { key: apiKey })).status).toBe(404);
    for (const id of [crypto.randomUUID(), 'x'])
      expect((await world.post(`/v1/events/${id}/redeliver`)).status).toBe(404);
  });

  it('403 for a key of one merchant, and one without the scope', async () => {
    const restricted = await world.addKey({ merchantExternalId: 'm1' });
    const reading = await world.addKey({ scopes: ['read'] });
    expect((await redeliver(undefined, { key: restricted })).body.reason).toBe('MERCHANT_NOT_ALLOWED');
    expect((await redeliver(undefined, { key: reading })).body.reason).toBe('INSUFFICIENT_SCOPE');
  });
});
