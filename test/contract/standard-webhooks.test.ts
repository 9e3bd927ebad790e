/** A ready-made library of Standard Webhooks accepts what we send, and refuses anything else. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { standardSignature } from '#kernel/signature';
import { buyerBody } from '#test/bodies';
import { HOSTILE_TEXTS } from '#test/hostile-texts';
import { type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type World } from '#test/world';

const SECRET = 'tl_whsec_c2lnbmluZy1zZWNyZXQtb2YtdGhlLXZlY3RvcnMtMQ';
const library = (secret: string) => new Webhook(secret, { format: 'raw' });

function headersOf(body: string, secrets: string[], unixSeconds = systemClock.now()) {
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standardSignature(secrets, { id: 'e1', body, unixSeconds }),
  };
}

describe('A library of Standard Webhooks', () => {
  it.each(['{}', '""', ...HOSTILE_TEXTS.map((text) => JSON.stringify({ text }))])('accepts %j', (body) => {
    expect(library(SECRET).verify(body, headersOf(body, [SECRET]))).toEqual(JSON.parse(body));
  });

  it('accepts both secrets of a rotation', () => {
    const headers = headersOf('{}', ['tl_whsec_new', SECRET]);
    for (const secret of ['tl_whsec_new', SECRET]) expect(library(secret).verify('{}', headers)).toEqual({});
    expect(() => library('tl_whsec_other').verify('{}', headers)).toThrow('No matching signature');
  });

  it.each([
    ['another body', '{"a":1}', {}],
    ['another id', '{}', { 'webhook-id': 'e2' }],
    ['another time', '{}', { 'webhook-timestamp': String(systemClock.now() - 1) }],
  ])('refuses %s', (_, body, changed) => {
    const headers = { ...headersOf('{}', [SECRET]), ...changed };
    expect(() => library(SECRET).verify(body, headers)).toThrow('No matching signature');
  });

  it('refuses a request of ten minutes ago', () => {
    const headers = headersOf('{}', [SECRET], systemClock.now() - 600);
    expect(() => library(SECRET).verify('{}', headers)).toThrow('too old');
  });
});

describe('A request that arrives', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld();
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  it('is verified with the secret as it was shown', async () => {
    const { body } = await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1', legal_name: 'Café 豆 🫘' }));
    const [received] = await receiver.waitFor(1);
    const headers = received?.headers as Record<string, string>;
    expect(library(body.signing_secret).verify(received?.raw as string, headers)).toEqual(received?.event);
  });
});
