import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, randomApiKey } from '#kernel/api-key';
import { CODES, type Code } from '#kernel/problem-codes';
import { REASONS, type Reason } from '#kernel/problem-reasons';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue, type FacilityInput, sendsTwice } from '#test/credit';
import { invoice } from '#test/order-statuses';
import { expectProblem } from '#test/problem';
import { REFUSED_ELSEWHERE } from '#test/refused-elsewhere';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
let merchantsKey: string;
let readKey: string;
beforeAll(async () => {
  world = await createWorld();
  merchantsKey = await world.addKey({ merchantExternalId: 'm1' });
  readKey = await world.addKey({ scopes: ['read'] });
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  await world.post('/v1/merchants', merchantBody({ external_id: 'm2' }));
  await world.post('/v1/merchants', merchantBody({ external_id: 'inactive' }));
  await world.sql("update merchants set status = 'INACTIVE' where external_id = 'inactive'");
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

const codes: Partial<Record<Code, () => Promise<Reply>>> = {
  BAD_REQUEST: () => world.get('/v1/buyers?limit=101'),
  UNAUTHORIZED: () => world.get('/v1/platform', { key: formatApiKey(randomApiKey('sandbox')) }),
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
  API_KEY_MISSING: {
    send: () => world.get('/v1/platform', { key: null }),
    details: { remedy: 'Send the header Authorization: Bearer <API_KEY>.' },
  },
  API_KEY_MALFORMED: {
    send: () => world.get('/v1/platform', { key: world.apiKey.slice(0, -1) }),
    details: { remedy: expect.stringContaining('the whole key as it was shown') },
  },
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
    details: { status: 'DISABLED', trigger: 'test', allowed: ['rotate', 'replace', 'unsubscribe'] },
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
    details: {
      field: 'body.merchant_external_id',
      value: 'nobody',
      remedy: 'GET /v1/merchants lists the merchants; POST /v1/merchants registers one.',
    },
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
  MERCHANT_NOT_ENROLLED: {
    send: () => world.post('/v1/orders/draft', order({ merchant_external_id: 'inactive' })),
    details: { merchant_external_id: 'inactive', status: 'INACTIVE' },
  },
  NO_ACTIVE_FACILITY: {
    send: () => world.post('/v1/orders', onCredit({ external_id: 'o2' })),
    details: { status: null, decision_id: null },
  },
  FACILITY_EXPIRED: {
    send: () => orderOn({ buyer: 'expired', totalMinor: 1, expiresAt: 1 }),
    details: { expires_at: 1, decision_id: null },
  },
  DECISION_WITHOUT_POLICY: {
    async send() {
      await world.post('/v1/buyers', buyerBody({ external_id: 'simulated' }));
      const grant = { buyer_external_id: 'simulated', trigger: 'grant' };
      const { body } = await world.post('/v1/sandbox/facilities', grant);
      return world.post(`/v1/decisions/${body.decision_id}/what_if`, { inputs: {} });
    },
    details: { replaces: null },
  },
  FACILITY_FROZEN: { send: () => orderOn({ buyer: 'frozen', totalMinor: 1, status: 'FROZEN' }), details: {} },
  FACILITY_EXCEEDED_AVAILABLE_AMOUNT: {
    send: () => orderOn({ buyer: 'poor', totalMinor: 1 }),
    details: { requested: 11_900, available: 1, currency: 'EUR', decision_id: null },
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
    expect([...Object.keys(codes), ...REFUSED_ELSEWHERE]).toEqual(expect.arrayContaining(Object.keys(CODES)));
    expect([...Object.keys(reasons), ...REFUSED_ELSEWHERE]).toEqual(
      expect.arrayContaining(Object.keys(REASONS)),
    );
  });

  it.each(Object.keys(codes) as Code[])('%s', async (code) => {
    const reply = await (codes[code] as () => Promise<Reply>)();
    expect(reply.status).toBe(CODES[code].status);
    const { details } = expectProblem(reply, code);
    expect(details.docs).toBe(`${world.baseUrl}/docs/errors#${JSON.parse(reply.text).reason ?? code}`);
  });

  it.each(Object.keys(reasons) as Reason[])('%s', async (reason) => {
    const { send, details } = reasons[reason] as { send: () => Promise<Reply>; details: object };
    const reply = await send();
    const body = expectProblem(reply, REASONS[reason].code, reason);
    expect(body.details).toEqual({ ...details, docs: `${world.baseUrl}/docs/errors#${reason}` });
  });
});

describe('the link of an error', () => {
  it('leads to an anchor of the served documents, for every code and reason', async () => {
    const { text } = await world.get('/docs/errors', { key: null });
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const name of [...Object.keys(CODES), ...Object.keys(REASONS)])
      expect([name, anchors.has(name)]).toEqual([name, true]);
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

describe('an issue says how the value is written', () => {
  const issueOf = async (more: object) => {
    const { body } = await world.post('/v1/buyers', buyerBody({ external_id: 'remedies', ...more }));
    return body.issues[0];
  };

  it.each([
    ['UK', 'INVALID_VALUE'],
    ['de', 'INVALID_FORMAT'],
    ['Germany', 'INVALID_FORMAT'],
  ])('of a country: %s', async (country, code) => {
    expect(await issueOf({ business_address: { postcode: '1', city: 'x', country } })).toEqual({
      code,
      path: 'body.business_address.country',
      message: expect.stringMatching(/^must [^;]+; Germany is DE, the United Kingdom is GB, Greece is GR$/),
    });
  });

  it.each([
    ['2026-01-01', 'INVALID_TYPE'],
    [1_767_225_600_000, 'TOO_BIG'],
    [-1, 'TOO_SMALL'],
  ])('of an instant: %s', async (registered_at, code) => {
    expect(await issueOf({ registered_at })).toEqual({
      code,
      path: 'body.registered_at',
      message: expect.stringContaining('instants are unix seconds: 2026-01-01T00:00:00Z is 1767225600'),
    });
  });

  it('of an ordered_at in the future', async () => {
    world.clock.set(1_763_640_000);
    const { body } = await world.post('/v1/orders', onCredit({ ordered_at: 1_763_640_061 }));
    expect(body.issues).toEqual([
      {
        code: 'IN_THE_FUTURE',
        path: 'body.ordered_at',
        message:
          "must not be in the future: the platform's clock shows 1763640000 (2025-11-20T12:00:00Z); leave it out for now",
      },
    ]);
  });

  it('of a body that is not JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await world.post('/v1/buyers', 'external_id=b', { headers });
    expect(body.details.remedy).toBe(
      'Send the body as JSON in UTF-8, with Content-Type: application/json and without Content-Encoding; send a file with the Content-Type of its content.',
    );
  });
});
