/** Facilities that the policy refers to a person. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addFacility, decide } from '#test/facilities';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { financing_currencies: ['GBP'], collection_currencies: ['PLN'] } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const send = (buyer: string, body?: unknown, more = {}) =>
  world.post(`/v1/buyers/${buyer}/facility`, body, more);

const PENDING = {
  status: 'PENDING',
  currency: 'EUR',
  total_amount: 0,
  available_amount: 0,
  used_amount: 0,
  pending_orders_amount: 0,
  risk_band: null,
  reviewed_at: null,
  expires_at: null,
  frozen_at: null,
  decision_id: expect.any(String),
  pending_actions: [{ type: 'CREATION', created_at: NOW }],
  created_at: NOW,
  updated_at: NOW,
};

async function historyOf(buyer: string) {
  const transitions = await facilityTransitions(world, buyer);
  return transitions.map(({ decision_id, ...rest }) => ({ ...rest, is_decided: decision_id !== null }));
}

describe('POST /v1/buyers/{external_id}/facility', () => {
  describe('202', () => {
    it('answers PENDING, with what waits for a person', async () => {
      const { status, body, headers } = await addFacility(world, 'cafe-in-review', {
        requested_amount: 700_000,
      });
      expect({ status, body }).toEqual({
        status: 202,
        body: { buyer_external_id: 'cafe-in-review', ...PENDING },
      });
      expect(headers.get('location')).toBe('/v1/buyers/cafe-in-review/facility');
      expect((await world.get('/v1/buyers/cafe-in-review/facility')).body).toEqual({
        ...body,
        entity: { buyer_external_ids: [], exposure_amount: body.total_amount },
      });
      const [review] = await world.sql(
        `select r.status, r.subject, r.requested_minor, a.requested_amount from credit_reviews r
        join facility_pending_actions a on a.platform_id = r.platform_id and a.review_id = r.review_id where a.buyer_external_id = 'cafe-in-review'`,
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

    it('is returned again for the same request with the same key, and requests nothing twice', async () => {
      const buyer = await addBuyer(world, 'twice-in-review');
      const headers = { 'idempotency-key': 'facility-once' };
      const first = await send(buyer, {}, { headers });
      const second = await send(buyer, {}, { headers });
      expect([first.status, second.status, second.text]).toEqual([202, 202, first.text]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      expect(await historyOf(buyer)).toHaveLength(1);
    });
  });
});

describe('a risk source that gives no answer', () => {
  const deaf = (failure: string) =>
    createWorld({
      settings: {
        // Nothing listens on the discard port.
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
