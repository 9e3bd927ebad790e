import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addFacility, makeDueOfFacilities, ORDINARY_LIMIT } from '#test/facilities';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { financing_currencies: ['GBP'], collection_currencies: ['PLN'] } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const send = (buyer: string, body?: unknown, more = {}) =>
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
  frozen_at: null,
  decision_id: expect.any(String),
  pending_actions: [],
  created_at: NOW,
  updated_at: NOW,
};
const NOTHING = { total_amount: 0, available_amount: 0, used_amount: 0, pending_orders_amount: 0 };

async function historyOf(buyer: string) {
  const transitions = await facilityTransitions(world, buyer);
  return transitions.map(({ decision_id, ...rest }) => ({ ...rest, is_decided: decision_id !== null }));
}

describe('POST /v1/buyers/{external_id}/facility', () => {
  describe('201', () => {
    it('returns the facility as a GET does, with its address and version', async () => {
      const { status, body, headers } = await addFacility(world, 'ordinary');
      expect({ status, body }).toEqual({ status: 201, body: { buyer_external_id: 'ordinary', ...ACTIVE } });
      expect(headers.get('location')).toBe('/v1/buyers/ordinary/facility');
      expect(headers.get('etag')).toBe('"1"');
      const read = await world.get('/v1/buyers/ordinary/facility');
      expect(read.body).toEqual({
        ...body,
        entity: { buyer_external_ids: [], exposure_amount: body.total_amount },
      });
      expect(read.headers.get('etag')).toBe('"1"');
    });

    it('writes the entry, the transition, the decision and the event', async () => {
      await addFacility(world, 'whole');
      const keyId = world.apiKey.split('_')[2];
      expect(await historyOf('whole')).toEqual([
        {
          version: 1,
          from_status: null,
          to_status: 'ACTIVE',
          trigger: 'grant',
          transitioned_at: NOW,
          actor: `api_key:${keyId}`,
          reason: null,
          is_decided: true,
        },
      ]);
      const { body } = await world.get('/v1/buyers/whole/facility/ledger');
      expect(body.items).toEqual([
        {
          entry: 1,
          effective_at: NOW,
          recorded_at: expect.any(Number),
          cause: 'LIMIT_GRANTED',
          order_external_id: null,
          invoice_external_id: null,
          payment_id: null,
          credit_note_external_id: null,
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
        join facility_transitions m on m.platform_id = d.platform_id and m.decision_id = d.decision_id where d.buyer_external_id = 'whole'`,
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
            decision_id: expect.any(String),
            reasons: ['LIMIT_GRANTED'],
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
      const reply = await send(buyer, body);
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

    it('decides again for a rejected buyer, also in another currency', async () => {
      await addBuyer(world, 'improved');
      // The part before the @ chooses the outcome in a sandbox.
      await world.post('/v1/contacts', {
        external_id: 'scripted',
        buyer_external_id: 'improved',
        email: 'rejected@example.com',
      });
      expect((await send('improved')).body.status).toBe('REJECTED');
      world.clock.set(NOW + DAY);
      expect((await send('improved')).body).toMatchObject({ status: 'REJECTED', reviewed_at: NOW + DAY });
      await world.delete('/v1/contacts/scripted');
      const { status, body, headers } = await send('improved', { currency: 'GBP' });
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
      const reply = await send('ordinary', body);
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([issue]);
    });

    it('refuses a buyer that cannot be one', async () => {
      expect(issuesOf((await send('a.b')).body)).toEqual(['INVALID_FORMAT params.external_id']);
    });
  });

  it('403 to a key that may only read, and to one of a merchant', async () => {
    const [reading, ofMerchant] = [{ scopes: ['read' as const] }, { merchantExternalId: 'merchant' }];
    const reasonFor = async (options: object) =>
      (await send('ordinary', {}, { key: await world.addKey(options) })).body.reason;
    expect(await reasonFor(reading)).toBe('INSUFFICIENT_SCOPE');
    expect(await reasonFor(ofMerchant)).toBe('MERCHANT_NOT_ALLOWED');
  });

  it('404 for an unknown buyer', async () => {
    expect((await send('nobody')).body).toEqual(NOT_FOUND);
  });

  describe('409 ACTIVE_FACILITY_EXISTS', () => {
    it('with the status: ACTIVE, PENDING, FROZEN, EXPIRED', async () => {
      await addFacility(world, 'has-active');
      await addFacility(world, 'has-in-review');
      await addFacility(world, 'has-expired');
      await addFacility(world, 'has-frozen');
      await world.sql(
        `update facilities set expires_at = ${NOW}, renewal_due_at = null where buyer_external_id = 'has-expired'`,
      );
      await makeDueOfFacilities(world, NOW);
      await world.sql(
        "update facilities set status = 'FROZEN', frozen_at = 1 where buyer_external_id = 'has-frozen'",
      );
      for (const [buyer, status] of Object.entries({
        'has-active': 'ACTIVE',
        'has-in-review': 'PENDING',
        'has-expired': 'EXPIRED',
        'has-frozen': 'FROZEN',
      })) {
        const reply = await send(buyer);
        expect(reply.status).toBe(409);
        expect(reply.body).toMatchObject({ reason: 'ACTIVE_FACILITY_EXISTS', details: { status } });
      }
    });

    it('for all but one of 40 concurrent requests: one facility, one decision, one event', async () => {
      // The script decides in any order of the requests; without it, many concurrent applications are referred.
      const buyer = await addBuyer(world, 'wanted-by-many-accepted');
      const replies = await Promise.all(Array.from({ length: 40 }, () => send(buyer)));
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
    const { status, body } = await send(buyer, { currency: 'CHF' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'CURRENCY_NOT_ENABLED',
      details: { currency: 'CHF', enabled: ['EUR', 'GBP', 'PLN'] },
    });
    expect((await world.get(`/v1/buyers/${buyer}/facility`)).status).toBe(404);
  });
});
