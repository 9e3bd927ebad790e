/** Existing libraries for Standard Webhooks accept our requests, and refuse all others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { standardSignature } from '#kernel/signature';
import { buyerBody } from '#test/bodies';
import { HOSTILE_TEXTS } from '#test/hostile-texts';
import { patience } from '#test/patience';
import { type Receiver, startReceiver } from '#test/receiver';
import { type SignedWebhook, type Verify, WEBHOOK_LIBRARIES } from '#test/webhook-libraries';
import { createWorld, type World } from '#test/world';

const SECRET = 'tl_whsec_c2lnbmluZy1zZWNyZXQtb2YtdGhlLXZlY3RvcnMtMQ';
const BODIES = ['{}', '""', ...HOSTILE_TEXTS.map((text) => JSON.stringify({ text }))];
const CHANGES: [what: string, body: string, headers: Record<string, string>][] = [
  ['another body', '{"a":1}', {}],
  ['another id', '{}', { 'webhook-id': 'e2' }],
  ['another time', '{}', { 'webhook-timestamp': String(systemClock.now() - 1) }],
];
const library = (secret: string) => new Webhook(secret, { format: 'raw' });

let world: World;
let receiver: Receiver;
let arrived: SignedWebhook;
beforeAll(async () => {
  world = await createWorld();
  receiver = await startReceiver();
  const { body } = await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1', legal_name: 'Café 豆 🫘' }));
  const [received] = await receiver.waitFor(1);
  const headers = received?.headers as Record<string, string>;
  arrived = { secret: body.signing_secret, body: received?.raw as string, headers };
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

function headersOf(body: string, secrets: string[], unixSeconds = systemClock.now()) {
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standardSignature(secrets, { id: 'e1', body, unixSeconds }),
  };
}

describe('The library of Standard Webhooks in JavaScript', () => {
  it('accepts a request that arrives, with the secret as it was shown', () => {
    const { secret, body, headers } = arrived;
    expect(library(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it.each(BODIES)('accepts %j', (body) => {
    expect(library(SECRET).verify(body, headersOf(body, [SECRET]))).toEqual(JSON.parse(body));
  });

  it('accepts both secrets of a rotation', () => {
    const headers = headersOf('{}', ['tl_whsec_new', SECRET]);
    for (const secret of ['tl_whsec_new', SECRET]) expect(library(secret).verify('{}', headers)).toEqual({});
    expect(() => library('tl_whsec_other').verify('{}', headers)).toThrow('No matching signature');
  });

  it.each(CHANGES)('refuses %s', (_, body, changed) => {
    const headers = { ...headersOf('{}', [SECRET]), ...changed };
    expect(() => library(SECRET).verify(body, headers)).toThrow('No matching signature');
  });

  it('refuses a request of ten minutes ago', () => {
    const headers = headersOf('{}', [SECRET], systemClock.now() - 600);
    expect(() => library(SECRET).verify('{}', headers)).toThrow('too old');
  });
});

describe.each(WEBHOOK_LIBRARIES)('The library of Standard Webhooks in $language', (its) => {
  let verify: Verify | null;
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-webhook-library-'));
  beforeAll(() => {
    verify = its.open(folder);
    if (verify === null) console.log(`Skipped: this machine has no ${its.needs}.`);
  }, patience(60));
  afterAll(() => rmSync(folder, { recursive: true }));
  const outcomes = (webhooks: SignedWebhook[], skip: (note: string) => never) =>
    verify?.(webhooks) ?? skip(`this machine has no ${its.needs}`);

  it('accepts what arrives, every body, and both secrets of a rotation', ({ skip }) => {
    const rotation = headersOf('{}', ['tl_whsec_new', SECRET]);
    const genuine = [
      arrived,
      ...BODIES.map((body) => ({ secret: SECRET, body, headers: headersOf(body, [SECRET]) })),
      ...['tl_whsec_new', SECRET].map((secret) => ({ secret, body: '{}', headers: rotation })),
    ];
    expect(outcomes(genuine, skip)).toEqual(genuine.map(() => null));
  });

  it('refuses what was changed, another secret, and a request of ten minutes ago', ({ skip }) => {
    const headers = headersOf('{}', [SECRET]);
    const changed = CHANGES.map(([, body, change]) => ({
      secret: SECRET,
      body,
      headers: { ...headers, ...change },
    }));
    const old = headersOf('{}', [SECRET], systemClock.now() - 600);
    const others = [
      ...[...changed, { secret: 'tl_whsec_other', body: '{}', headers }],
      { ...arrived, body: arrived.body.replace('b1', 'b2') },
    ];
    const refusals = outcomes([...others, { secret: SECRET, body: '{}', headers: old }], skip);
    const unsigned = expect.stringMatching(/no matching signature/i);
    expect(refusals).toEqual([...others.map(() => unsigned), expect.stringMatching(/too old/)]);
  });
});

/** From the specification; the libraries in other languages test with it. Their keys are bytes, ours are text. */
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
