/** What really arrives at a receiver is what the webhooks section of openapi.json describes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_TYPES } from '#kernel/event';
import { type Json, readApiDocument } from '#test/api-document';
import { buyerBody, merchantBody } from '#test/bodies';
import { type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

const { document, faultsOf, follow } = readApiDocument();

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([createWorld(), startReceiver()]);
  for (const type of new Set(Object.keys(EVENT_TYPES).map((name) => name.split('.')[0])))
    expect((await world.post('/v1/webhooks', { type, url: receiver.url })).status).toBe(201);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

/** How each event is brought about. */
const CAUSES: Record<keyof typeof EVENT_TYPES, () => Promise<unknown>> = {
  'BUYER.CREATED': () => world.post('/v1/buyers', buyerBody({ external_id: 'made' })),
  'BUYER.UPDATED': async () => {
    await world.post('/v1/buyers', buyerBody({ external_id: 'changed' }));
    await world.put('/v1/buyers/changed/settings', { language: 'DE' });
  },
  'MERCHANT.ENROLLED': () => world.post('/v1/merchants', merchantBody({})),
  'WEBHOOK.TEST': () => world.post('/v1/webhooks/BUYER/test'),
};

it.each(Object.entries(CAUSES))('%s arrives as it is described', async (type, cause) => {
  await cause();
  const [received] = await receiver.waitFor(1, ({ event }) => event.type === type);
  const { requestBody, parameters }: Json = document.webhooks[type].post;
  const { schema } = requestBody.content['application/json'];
  expect(faultsOf(schema, received?.event)).toBe('');
  for (const { name, required, schema } of parameters.map(follow)) {
    const value = received?.headers[name.toLowerCase()];
    expect(required).toBe(true);
    expect(faultsOf(schema, schema.type === 'integer' ? Number(value) : value), name).toBe('');
  }
  expect(received?.headers['webhook-id']).toBe(received?.event.id);
  // The example tells no more and no less than what comes.
  const { example } = requestBody.content['application/json'];
  expect(Object.keys(example)).toEqual(Object.keys(received?.event));
  expect(Object.keys(example.data)).toEqual(Object.keys(received?.event.data));
});
