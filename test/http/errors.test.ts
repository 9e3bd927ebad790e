import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, parseApiKey, randomApiKey } from '#kernel/api-key';
import { CODES, type Code, REASONS, type Reason } from '#kernel/problem';
import { revokeApiKey } from '#modules/platforms';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue, type FacilityInput, sendsTwice } from '#test/credit';
import { invoice } from '#test/order-statuses';
import { expectProblem } from '#test/problem';
import { createWorld, type Reply, type World } from '#test/world';
import { v1 } from '../../src/api/v1.ts';

let world: World;
let merchantsKey: string;
let readKey: string;
beforeAll(async () => {
  world = await createWorld();
  merchantsKey = await world.addKey({ merchantExternalId: 'm1' });
  readKey = await world.addKey({ scopes: ['read'] });
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  await world.post('/v1/merchants', merchantBody({ external_id: 'm2' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'b2' }));
  await world.post('/v1/buyers', { external_id: 'invited', contact_email: 'ada@example.com' });
  await world.post('/v1/contacts', { external_id: 'c1', buyer_external_id: 'b1' });
  await world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' });
});
afterAll(() => world.close());

const order = (more: object = {}) =>
  draftOrderBody({ external_id: 'o1', buyer_external_id: 'b1', merchant_external_id: 'm1', ...more });

const onCredit = (more: object = {}) =>
  order({ payment_method: 'TRANSFER', payment_term: 'DEFER_30D', ...more });
async function orderOn(facility: FacilityInput): Promise<Reply> {
  const { buyer } = facility;
  await addDebtor(world, facility);
  return world.post('/v1/orders', onCredit({ external_id: buyer, buyer_external_id: buyer }));
}

/** Covered by other tests: time, limits and outages need more than one request. */
const ELSEWHERE = [
  'REQUEST_TIMEOUT',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_IN_PROGRESS',
  'FAILED_DEPENDENCY',
  'REGISTRY_UNAVAILABLE',
  'RISK_DECISION_ERROR',
  'OVERRIDE_REQUIRED',
  'SECOND_PERSON_REQUIRED',
  // No operation makes invoices yet.
  'ORDER_AMOUNT_EXCEEDED',
];

const codes: Partial<Record<Code, () => Promise<Reply>>> = {
  BAD_REQUEST: () => world.get('/v1/buyers?limit=101'),
  UNAUTHORIZED: () => world.get('/v1/platform', { key: null }),
  FORBIDDEN: () => world.post('/v1/buyers', buyerBody({}), { key: readKey }),
  NOT_FOUND: () => world.get('/v1/buyers/nobody'),
  METHOD_NOT_ALLOWED: () => world.delete('/v1/platform'),
  CONFLICT: () => world.post('/v1/buyers', buyerBody({ external_id: 'b1' })),
  PRECONDITION_FAILED: () => world.delete('/v1/contacts/c1', { headers: { 'if-match': '"7"' } }),
  PAYLOAD_TOO_LARGE: () => world.post('/v1/buyers', 'x'.repeat(300_000)),
  UNSUPPORTED_MEDIA_TYPE: () => world.post('/v1/buyers', '{}', { headers: { 'content-type': 'text/xml' } }),
  UNPROCESSABLE_ENTITY: () => world.post('/v1/contacts', { external_id: 'c2', buyer_external_id: 'nobody' }),
};

const reasons: Partial<Record<Reason, { send: () => Promise<Reply>; details: object }>> = {
  INSUFFICIENT_SCOPE: {
    send: () => world.post('/v1/buyers', buyerBody({}), { key: readKey }),
    details: { scope: 'orders:write' },
  },
  MERCHANT_NOT_ALLOWED: {
    send: () => world.get('/v1/merchants/m2', { key: merchantsKey }),
    details: { merchant_external_id: 'm1' },
  },
  EXTERNAL_ID_ALREADY_EXISTS: {
    send: () => world.post('/v1/buyers', buyerBody({ external_id: 'b1' })),
    details: {},
  },
  IMMUTABLE_FIELD: {
    send: () => world.put('/v1/contacts/c1', { buyer_external_id: 'b2' }),
    details: { field: 'body.buyer_external_id' },
  },
  INVALID_STATUS_TRANSITION: {
    async send() {
      await world.post('/v1/webhooks', { type: 'MERCHANT', url: 'http://127.0.0.1:9/' });
      await world.sql("update webhook_subscriptions set status = 'DISABLED' where type = 'MERCHANT'");
      return world.post('/v1/webhooks/MERCHANT/test');
    },
    details: { status: 'DISABLED', trigger: 'test', allowed: ['replace', 'unsubscribe'] },
  },
  WEBHOOK_TYPE_EXISTS: {
    send: () => world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' }),
    details: {},
  },
  CURRENCY_NOT_ENABLED: {
    send: () => world.post('/v1/orders/draft', order({ amount: { net: 1, gross: 1, currency: 'JPY' } })),
    details: { currency: 'JPY', enabled: ['EUR'] },
  },
  REFERENCED_ENTITY_NOT_FOUND: {
    send: () => world.post('/v1/orders/draft', order({ merchant_external_id: 'nobody' })),
    details: { field: 'body.merchant_external_id' },
  },
  ORDER_HAS_INVOICE: {
    async send() {
      await addDebtor(world, { buyer: 'prompt', totalMinor: 1_000_000 });
      await world.post('/v1/orders', onCredit({ buyer_external_id: 'prompt' }));
      await invoice(world, 'o1', 1);
      return world.post('/v1/orders/o1/cancel');
    },
    details: {},
  },
  ACTIVE_FACILITY_EXISTS: {
    async send() {
      await addDebtor(world, { buyer: 'content', totalMinor: 1 });
      return world.post('/v1/buyers/content/facility', {});
    },
    details: { status: 'ACTIVE' },
  },
  PENDING_RENEWAL: { send: () => sendsTwice(world, 'renewing-in-review', 'renew'), details: {} },
  PENDING_INCREASE: {
    send: () => sendsTwice(world, 'growing-in-review', 'increase', { requested_amount: 2 }),
    details: {},
  },
  INCREASE_NOT_ABOVE_LIMIT: {
    async send() {
      await addDebtor(world, { buyer: 'modest', totalMinor: 5 });
      return world.post('/v1/buyers/modest/facility/increase', { requested_amount: 5 });
    },
    details: { requested: 5, total_amount: 5 },
  },
  CLOCK_BACKWARDS: {
    send: () => world.post('/v1/sandbox/clock', { now: 1 }),
    details: { now: expect.any(Number) },
  },
  BUYER_INCOMPLETE: { send: () => world.post('/v1/buyers/invited/facility', {}), details: {} },
  NO_ACTIVE_FACILITY: {
    send: () => world.post('/v1/orders', onCredit({ external_id: 'o2' })),
    details: { status: null },
  },
  FACILITY_EXPIRED: {
    send: () => orderOn({ buyer: 'expired', totalMinor: 1, expiresAt: 1 }),
    details: { expires_at: 1 },
  },
  FACILITY_FROZEN: { send: () => orderOn({ buyer: 'frozen', totalMinor: 1, status: 'FROZEN' }), details: {} },
  FACILITY_EXCEEDED_AVAILABLE_AMOUNT: {
    send: () => orderOn({ buyer: 'poor', totalMinor: 1 }),
    details: { requested: 11_900, available: 1, currency: 'EUR' },
  },
  FACILITY_CURRENCY_CONFLICT: {
    send: () => orderOn({ buyer: 'foreign', totalMinor: 1, currency: 'PLN' }),
    details: { facility_currency: 'PLN', currency: 'EUR' },
  },
  BUYER_OVERDUE: {
    async send() {
      await addDebtor(world, { buyer: 'late', totalMinor: 1_000_000 });
      await addOverdue(world, 'late', 30, 5_000);
      return world.post('/v1/orders', onCredit({ external_id: 'o3', buyer_external_id: 'late' }));
    },
    details: { overdue_amount: 5_000, currency: 'EUR', days_past_due: 30 },
  },
  PAYMENT_TERM_NOT_AVAILABLE: {
    send: () => world.post('/v1/orders', onCredit({ external_id: 'o4', payment_term: 'SPLIT_6M' })),
    details: { payment_term: 'SPLIT_6M', unavailable_reason: 'TERM_TOO_LONG', max_payment_term: 120 },
  },
  IDEMPOTENCY_KEY_REUSED: {
    async send() {
      const headers = { 'idempotency-key': 'used' };
      await world.post('/v1/buyers', buyerBody({ external_id: 'b3' }), { headers });
      return world.post('/v1/buyers', buyerBody({ external_id: 'b4' }), { headers });
    },
    details: {},
  },
};

describe('the error table', () => {
  it('has no code and no reason without a test', () => {
    expect([...Object.keys(codes), ...ELSEWHERE]).toEqual(expect.arrayContaining(Object.keys(CODES)));
    expect([...Object.keys(reasons), ...ELSEWHERE]).toEqual(expect.arrayContaining(Object.keys(REASONS)));
  });

  it.each(Object.keys(codes) as Code[])('%s', async (code) => {
    const reply = await (codes[code] as () => Promise<Reply>)();
    expect(reply.status).toBe(CODES[code].status);
    expectProblem(reply, code);
  });

  it.each(Object.keys(reasons) as Reason[])('%s', async (reason) => {
    const { send, details } = reasons[reason] as { send: () => Promise<Reply>; details: object };
    const reply = await send();
    const body = expectProblem(reply, REASONS[reason].code, reason);
    expect(body.details).toEqual({ ...details, docs: `/docs/errors#${reason}` });
  });
});

describe('Request-Id', () => {
  it('is unique on every answer and ignores what the client sends', async () => {
    const requested = ['/v1/platform', '/v1/platform', '/v1/nowhere', '/v1/buyers/%ff', '/v1/buyers?limit=0'];
    const headers = { 'request-id': 'mine', 'x-request-id': 'mine' };
    const replies = await Promise.all(requested.map((path) => world.get(path, { headers })));
    const ids = replies.map((reply) => reply.headers.get('request-id'));
    for (const id of ids) expect(id).toMatch(/^req_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(requested.length);
  });
});

describe('401', () => {
  it('is the same answer for every defect of the key', async () => {
    const parsed = parseApiKey(world.apiKey) as NonNullable<ReturnType<typeof parseApiKey>>;
    const wrongSecret = formatApiKey({ ...randomApiKey('sandbox'), keyId: parsed.keyId });
    const revoked = await world.addKey();
    const { db } = world.installation;
    await revokeApiKey(db, world.platform.platform_id, revoked.split('_')[2] as string, world.clock.now());
    const expired = await world.addKey({ expiresAt: world.clock.now() });
    const typo = world.apiKey.slice(0, -1) + (world.apiKey.endsWith('x') ? 'y' : 'x');
    const keys = [
      wrongSecret,
      revoked,
      expired,
      typo,
      formatApiKey(randomApiKey('sandbox')),
      formatApiKey(randomApiKey('production')),
    ];
    const authorizations = [
      '',
      'Basic dXNlcjpwYXNz',
      'Bearer',
      'Bearer  ',
      world.apiKey,
      `Bearer ${world.apiKey} x`,
      `Token ${world.apiKey}`,
      ...keys.map((key) => `Bearer ${key}`),
    ];
    const none = await world.get('/v1/platform', { key: null });
    expectProblem(none, 'UNAUTHORIZED');
    expect(none.body).toEqual({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
    expect(none.headers.get('www-authenticate')).toBe('Bearer');
    for (const authorization of authorizations) {
      const reply = await world.get('/v1/platform', { key: null, headers: { authorization } });
      expect([authorization, reply.status, reply.text, lasting(reply.headers)]).toEqual([
        authorization,
        401,
        none.text,
        lasting(none.headers),
      ]);
    }
  });

  it('comes before any other issue of the request', async () => {
    const requests = v1.flatMap(([method, path]) =>
      ['b1', 'nobody', '!'].map((id) => ({ method, path: path.replaceAll(/\{\w+\}/g, id) })),
    );
    expect(requests.length).toBeGreaterThan(50);
    const none = await world.get('/v1/platform', { key: null });
    for (const { method, path } of requests) {
      for (const body of method === 'GET' ? [undefined] : [undefined, '{', 'x'.repeat(300_000)]) {
        const headers = { 'idempotency-key': 'used', 'if-match': '"1"' };
        const reply = await world.send(method, `${path}?limit=0`, { key: null, body, headers });
        expect([method, path, reply.status, reply.text]).toEqual([method, path, 401, none.text]);
        expect(reply.headers.has('etag') || reply.headers.has('ratelimit-limit')).toBe(false);
      }
    }
  });
});

describe('404 and 405', () => {
  it('answer for a path without a key and without reading a body', async () => {
    for (const key of [null, world.apiKey]) {
      const reply = await world.post('/v1/nowhere', '{', { key, headers: { 'content-type': 'text/plain' } });
      expect(expectProblem(reply)).toEqual({ error: 'No entity found', code: 'NOT_FOUND' });
    }
    for (const path of ['/v1', '/v1/', '/v1/buyers/b1/', '/v1/buyers/b1/c1', '/v2/buyers'])
      expectProblem(await world.get(path, { key: null }), 'NOT_FOUND');
  });

  it('list the methods of the path in Allow', async () => {
    for (const [, path] of v1) {
      const example = path.replaceAll(/\{\w+\}/g, 'x');
      // The path of one operation can be an id of another's: GET /v1/orders/draft asks for the order "draft".
      const there = v1.filter(([, other]) =>
        new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(example),
      );
      const methods = new Set<string>(there.map(([method]) => method));
      if (methods.has('GET')) methods.add('HEAD');
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
        if (methods.has(method)) continue;
        const reply = await world.send(method, example, { key: null });
        expectProblem(reply, 'METHOD_NOT_ALLOWED');
        expect([example, reply.headers.get('allow')]).toEqual([example, [...methods].sort().join(', ')]);
      }
    }
  });
});

/** Headers without those that differ in each answer. */
function lasting(headers: Headers): string[][] {
  return [...headers].filter(([name]) => name !== 'request-id' && name !== 'date');
}
