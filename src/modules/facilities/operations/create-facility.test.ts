import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addFacility,
  decide,
  makeDueOfFacilities,
  ORDINARY_LIMIT,
  onFacility,
} from '#test/facilities';
import { issuesOf } from '#test/paging';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { financingCurrencies: ['GBP'], collectionCurrencies: ['PLN'] } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const ask = (buyer: string, body?: unknown, more = {}) =>
  world.post(`/v1/buyers/${buyer}/facility`, body, more);

const ACTIVE = {
  status: 'ACTIVE',
  currency: 'EUR',
  total_amount: ORDINARY_LIMIT,
  available_amount: ORDINARY_LIMIT,
  used_amount: 0,
  pending_orders_amount: 0,
  risk_band: 'B1',
  reviewed_at: NOW,
  expires_at: NOW + 90 * DAY,
  pending_actions: [],
  created_at: NOW,
  updated_at: NOW,
};
const NOTHING = { total_amount: 0, available_amount: 0, used_amount: 0, pending_orders_amount: 0 };

async function historyOf(buyer: string) {
  return world.sql<Record<string, unknown>>(
    `select version, from_status, to_status, trigger, moved_at::int, actor, reason, decision_id is not null as is_decided
    from facility_moves where buyer_external_id = $1 order by version`,
    [buyer],
  );
}

describe('POST /v1/buyers/{external_id}/facility', () => {
  describe('201', () => {
    it('answers the facility as it is read, where it is read, with its version', async () => {
      const { status, body, headers } = await addFacility(world, 'ordinary');
      expect({ status, body }).toEqual({ status: 201, body: { buyer_external_id: 'ordinary', ...ACTIVE } });
      expect(headers.get('location')).toBe('/v1/buyers/ordinary/facility');
      expect(headers.get('etag')).toBe('"1"');
      const read = await world.get('/v1/buyers/ordinary/facility');
      expect(read.body).toEqual(body);
      expect(read.headers.get('etag')).toBe('"1"');
    });

    it('writes the entry, the move, the decision and the event with it', async () => {
      await addFacility(world, 'whole');
      const keyId = world.apiKey.split('_')[2];
      expect(await historyOf('whole')).toEqual([
        {
          version: 1,
          from_status: null,
          to_status: 'ACTIVE',
          trigger: 'grant',
          moved_at: NOW,
          actor: `api_key:${keyId}`,
          reason: null,
          is_decided: true,
        },
      ]);
      const { body } = await world.get('/v1/buyers/whole/facility/ledger');
      expect(body.items).toEqual([
        {
          entry: 1,
          recorded_at: NOW,
          cause: 'LIMIT_GRANTED',
          order_external_id: null,
          invoice_external_id: null,
          total_change: ORDINARY_LIMIT,
          used_change: 0,
          pending_orders_change: 0,
          available_change: ORDINARY_LIMIT,
          total_amount: ORDINARY_LIMIT,
          used_amount: 0,
          pending_orders_amount: 0,
          available_amount: ORDINARY_LIMIT,
          actor: `api_key:${keyId}`,
        },
      ]);
      const [decision] = await world.sql(
        `select d.subject, d.outcome, d.limit_minor, m.version from credit_decisions d
        join facility_moves m on m.decision_id = d.decision_id where d.buyer_external_id = 'whole'`,
      );
      expect(decision).toEqual({
        subject: 'FACILITY_CREATION',
        outcome: 'ACCEPT',
        limit_minor: `${ORDINARY_LIMIT}`,
        version: 1,
      });
      const events = await recordedEvents(world, 'whole');
      expect(events.slice(1)).toEqual([
        {
          id: expect.any(String),
          occurred_at: NOW,
          type: 'FACILITY.CREATION.ACCEPTED',
          data: {
            buyer_external_id: 'whole',
            sequence: 1,
            status: 'ACTIVE',
            previous_status: null,
            currency: 'EUR',
            total_amount: ORDINARY_LIMIT,
            available_amount: ORDINARY_LIMIT,
            used_amount: 0,
            pending_orders_amount: 0,
            expires_at: NOW + 90 * DAY,
          },
        },
      ]);
    });

    it.each<[string, unknown, object]>([
      ['no body', undefined, { total_amount: ORDINARY_LIMIT, currency: 'EUR' }],
      ['an empty one', {}, { total_amount: ORDINARY_LIMIT, currency: 'EUR' }],
      [
        'nulls',
        { requested_amount: null, currency: null },
        { total_amount: ORDINARY_LIMIT, currency: 'EUR' },
      ],
      ['the smallest amount', { requested_amount: 1 }, { total_amount: 1 }],
      ['less than the policy allows', { requested_amount: 123_456 }, { total_amount: 123_456 }],
      [
        'as much as the policy allows',
        { requested_amount: ORDINARY_LIMIT },
        { total_amount: ORDINARY_LIMIT },
      ],
      ['more than that', { requested_amount: ORDINARY_LIMIT + 1 }, { total_amount: ORDINARY_LIMIT }],
      ["the platform's currency", { currency: 'EUR' }, { currency: 'EUR' }],
      ['a currency of financing', { currency: 'GBP' }, { currency: 'GBP', total_amount: ORDINARY_LIMIT }],
      [
        'a currency of collection',
        { currency: 'PLN' },
        { currency: 'PLN', total_amount: 4 * ORDINARY_LIMIT },
      ],
    ])('takes %s', async (what, body, expected) => {
      const buyer = await addBuyer(world, `takes-${what.replaceAll(/\W/g, '')}`);
      const reply = await ask(buyer, body);
      expect(reply).toMatchObject({ status: 201, body: { status: 'ACTIVE', ...expected } });
    });

    it('answers REJECTED where the policy refuses, and nothing is available', async () => {
      const { status, body } = await addFacility(world, 'cafe-rejected');
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          buyer_external_id: 'cafe-rejected',
          ...ACTIVE,
          ...NOTHING,
          status: 'REJECTED',
          risk_band: 'REJECT',
          expires_at: null,
        },
      });
      const events = await recordedEvents(world, 'cafe-rejected');
      expect(events.map(({ type }) => type)).toEqual(['BUYER.CREATED', 'FACILITY.CREATION.REJECTED']);
    });

    it('decides anew for a buyer that was rejected, also in another currency', async () => {
      await addBuyer(world, 'improved');
      // The part before the @ chooses the outcome in a sandbox.
      await world.post('/v1/contacts', {
        external_id: 'scripted',
        buyer_external_id: 'improved',
        email: 'rejected@example.com',
      });
      expect((await ask('improved')).body.status).toBe('REJECTED');
      world.clock.set(NOW + DAY);
      expect((await ask('improved')).body).toMatchObject({ status: 'REJECTED', reviewed_at: NOW + DAY });
      await world.delete('/v1/contacts/scripted');
      const { status, body, headers } = await ask('improved', { currency: 'GBP' });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: {
          status: 'ACTIVE',
          currency: 'GBP',
          total_amount: ORDINARY_LIMIT,
          risk_band: 'B1',
          created_at: NOW,
          expires_at: NOW + 91 * DAY,
        },
      });
      expect(headers.get('etag')).toBe('"3"');
      const sequences = (await recordedEvents(world, 'improved')).filter(({ type }) => type.startsWith('F'));
      expect(sequences.map(({ type, data }) => `${type} ${data.sequence} ${data.previous_status}`)).toEqual([
        'FACILITY.CREATION.REJECTED 1 null',
        'FACILITY.CREATION.REJECTED 2 REJECTED',
        'FACILITY.CREATION.ACCEPTED 3 REJECTED',
      ]);
      world.clock.set(NOW);
    });
  });

  describe('202', () => {
    it('answers PENDING, with what waits for a person', async () => {
      const { status, body, headers } = await addFacility(world, 'cafe-in-review', {
        requested_amount: 700_000,
      });
      expect({ status, body }).toEqual({
        status: 202,
        body: {
          buyer_external_id: 'cafe-in-review',
          ...ACTIVE,
          ...NOTHING,
          status: 'PENDING',
          risk_band: null,
          reviewed_at: null,
          expires_at: null,
          pending_actions: [{ type: 'CREATION', created_at: NOW }],
        },
      });
      expect(headers.get('location')).toBe('/v1/buyers/cafe-in-review/facility');
      expect((await world.get('/v1/buyers/cafe-in-review/facility')).body).toEqual(body);
      const [review] = await world.sql(
        `select r.status, r.subject, r.requested_minor, a.requested_amount from credit_reviews r
        join facility_pending_actions a on a.review_id = r.review_id where a.buyer_external_id = 'cafe-in-review'`,
      );
      expect(review).toEqual({
        status: 'OPEN',
        subject: 'FACILITY_CREATION',
        requested_minor: '700000',
        requested_amount: '700000',
      });
      expect((await world.get('/v1/buyers/cafe-in-review/facility/ledger')).body).toMatchObject({
        items: [],
        total: 0,
      });
    });

    it.each([
      ['ACCEPT', 'ACTIVE', 'FACILITY.CREATION.ACCEPTED'],
      ['REJECT', 'REJECTED', 'FACILITY.CREATION.REJECTED'],
    ] as const)('is followed by what a person decides: %s', async (outcome, status, type) => {
      const buyer = `${outcome}-in-review`;
      await addFacility(world, buyer);
      await decide(world, buyer, 'CREATION', outcome, 400_000);
      const { body } = await world.get(`/v1/buyers/${buyer}/facility`);
      expect(body).toMatchObject({
        status,
        total_amount: outcome === 'ACCEPT' ? 400_000 : 0,
        risk_band: outcome === 'ACCEPT' ? 'C1' : 'REJECT',
        pending_actions: [],
      });
      const [, , event] = await recordedEvents(world, buyer);
      expect(event).toMatchObject({ type, data: { sequence: 2, previous_status: 'PENDING' } });
      expect((await historyOf(buyer))[1]).toMatchObject({ actor: 'operator:ada', reason: 'It is so.' });
    });

    it('is what the same request with the same key gets again, and asks for nothing twice', async () => {
      const buyer = await addBuyer(world, 'twice-in-review');
      const headers = { 'idempotency-key': 'facility-once' };
      const first = await ask(buyer, {}, { headers });
      const second = await ask(buyer, {}, { headers });
      expect([first.status, second.status, second.text]).toEqual([202, 202, first.text]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      expect(await historyOf(buyer)).toHaveLength(1);
    });
  });

  describe('400', () => {
    it.each<[string, unknown, string]>([
      ['a list', [], 'INVALID_TYPE body'],
      ['no amount', { requested_amount: 0 }, 'TOO_SMALL body.requested_amount'],
      ['a negative amount', { requested_amount: -1 }, 'TOO_SMALL body.requested_amount'],
      ['more than 10^12', { requested_amount: 1_000_000_000_001 }, 'TOO_BIG body.requested_amount'],
      ['a fraction', { requested_amount: 0.5 }, 'INVALID_TYPE body.requested_amount'],
      ['an amount as text', { requested_amount: '1' }, 'INVALID_TYPE body.requested_amount'],
      ['an unknown currency', { currency: 'XAU' }, 'INVALID_ENUM body.currency'],
      ['a currency in lower case', { currency: 'eur' }, 'INVALID_ENUM body.currency'],
      ['a limit', { total_amount: 1 }, 'UNRECOGNIZED_KEYS body.total_amount'],
    ])('refuses %s', async (_, body, issue) => {
      const reply = await ask('ordinary', body);
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([issue]);
    });

    it('refuses a buyer that cannot be one', async () => {
      expect(issuesOf((await ask('a.b')).body)).toEqual(['INVALID_FORMAT params.external_id']);
    });
  });

  it('403 to a key that may only read', async () => {
    const key = await world.addKey({ scopes: ['read'] });
    expect((await ask('ordinary', {}, { key })).body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE' });
  });

  it('404 for an unknown buyer', async () => {
    expect((await ask('nobody')).body).toEqual({ error: 'No entity found', code: 'NOT_FOUND' });
  });

  describe('409 ACTIVE_FACILITY_EXISTS', () => {
    it('with the status: ACTIVE, PENDING, FROZEN, EXPIRED', async () => {
      await addFacility(world, 'has-active');
      await addFacility(world, 'has-in-review');
      await addFacility(world, 'has-expired');
      await addFacility(world, 'has-frozen');
      const { platform_id: id } = world.platform;
      await onFacility(world, 'has-expired', (db) =>
        db
          .updateTable('facilities')
          .set({ expires_at: NOW - 1, renewal_due_at: null })
          .where('platform_id', '=', id)
          .where('buyer_external_id', '=', 'has-expired')
          .execute(),
      );
      await makeDueOfFacilities(world, NOW);
      await onFacility(world, 'has-frozen', (db) =>
        db
          .updateTable('facilities')
          .set({ status: 'FROZEN' })
          .where('platform_id', '=', id)
          .where('buyer_external_id', '=', 'has-frozen')
          .execute(),
      );
      for (const [buyer, status] of Object.entries({
        'has-active': 'ACTIVE',
        'has-in-review': 'PENDING',
        'has-expired': 'EXPIRED',
        'has-frozen': 'FROZEN',
      })) {
        const reply = await ask(buyer);
        expect(reply.status).toBe(409);
        expect(reply.body).toMatchObject({ reason: 'ACTIVE_FACILITY_EXISTS', details: { status } });
      }
    });

    it('for all but one of 40 who ask at once: one facility, one decision, one event', async () => {
      const buyer = await addBuyer(world, 'wanted-by-many');
      const replies = await Promise.all(Array.from({ length: 40 }, () => ask(buyer)));
      const counts = Map.groupBy(replies, ({ status }) => status);
      expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([1, 39]);
      expect(new Set(counts.get(409)?.map(({ body }) => body.reason))).toEqual(
        new Set(['ACTIVE_FACILITY_EXISTS']),
      );
      const [found] = await world.sql(
        `select (select count(*)::int from facilities where buyer_external_id = $1) as facilities,
          (select count(*)::int from facility_ledger where buyer_external_id = $1) as entries,
          (select count(*)::int from credit_decisions where buyer_external_id = $1) as decisions,
          (select count(*)::int from events where resource_external_id = $1 and type like 'FACILITY%') as events`,
        [buyer],
      );
      expect(found).toEqual({ facilities: 1, entries: 1, decisions: 1, events: 1 });
    });
  });

  it('422 CURRENCY_NOT_ENABLED, with those that are', async () => {
    const buyer = await addBuyer(world, 'in-francs');
    const { status, body } = await ask(buyer, { currency: 'CHF' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'CURRENCY_NOT_ENABLED',
      details: { currency: 'CHF', enabled: ['EUR', 'GBP', 'PLN'] },
    });
    expect((await world.get(`/v1/buyers/${buyer}/facility`)).status).toBe(404);
  });
});

describe('a risk source that gives no answer', () => {
  const deaf = (failure: string) =>
    createWorld({
      settings: {
        // Nobody listens on the port of discard.
        TRADELINE_RISK_URL: 'http://127.0.0.1:9/',
        TRADELINE_RISK_FAILURE: failure,
        TRADELINE_LOG_LEVEL: 'silent',
      },
    });

  it('is 424 where the operator wants that, and nothing is stored', async () => {
    const other = await deaf('error');
    const { status, body } = await addFacility(other, 'unlucky');
    expect(status).toBe(424);
    expect(body).toMatchObject({ code: 'FAILED_DEPENDENCY', reason: 'RISK_DECISION_ERROR' });
    expect((await other.get('/v1/buyers/unlucky/facility')).status).toBe(404);
    expect(await other.sql('select 1 from credit_decisions')).toEqual([]);
    await other.close();
  });

  it('is left to a person otherwise, and never an approval', async () => {
    const other = await deaf('refer');
    const { status, body } = await addFacility(other, 'cafe-accepted');
    expect({ status, body }).toMatchObject({ status: 202, body: { status: 'PENDING', total_amount: 0 } });
    await other.close();
  });
});

it('has no scripts in production: a name decides nothing there', async () => {
  const production = await createWorld({ settings: { TRADELINE_ENVIRONMENT: 'production' } });
  expect((await addFacility(production, 'cafe-rejected')).body.status).toBe('ACTIVE');
  await production.close();
});
