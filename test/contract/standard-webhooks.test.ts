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

/** Of the specification, by which the libraries in other languages test themselves. Their key is bytes, where ours is text. */
describe('The vector of Standard Webhooks, made by others', () => {
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const vector = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    unixSeconds: 1_614_265_330,
  };

  it('is what we sign', () => {
    const signature = standardSignature([key as unknown as string], vector);
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is not, once anything is changed', () => {
    const others = [{ id: 'msg_other' }, { body: '{"test":2432232314}' }, { unixSeconds: 1_614_265_331 }];
    for (const changed of others)
      expect(standardSignature([key as unknown as string], { ...vector, ...changed })).not.toBe(
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      );
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
