import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freezeFacility } from '#modules/facilities';
import { decideReview, listReviews } from '#modules/reviews';
import { decisionIdsOf } from '#test/decisions';
import { addBuyer, addFacility } from '#test/facilities';
import { operate } from '#test/operator';
import { issuesOf } from '#test/paging';
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;
const BUYER = 'busy-in-review';

let world: World;
let reading: string;
let decisionIds: string[];
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  reading = await world.addKey({ scopes: ['read'] });
  await addFacility(world, BUYER, { requested_amount: 70_000 });
  world.clock.set(NOW + DAY);
  const { items } = await operate(world, listReviews, { query: { buyer_external_id: [BUYER] } });
  const body = { outcome: 'ACCEPT', reason: 'Called the owner.' };
  await operate(world, decideReview, { params: { review_id: items[0].review_id }, body }, 'ben');
  world.clock.set(NOW + 2 * DAY);
  await operate(world, freezeFacility, { params: { external_id: BUYER }, body: { reason: 'A dispute.' } });
  decisionIds = await decisionIdsOf(world, BUYER);
});
afterAll(() => world.close());

const list = (parameters = '', key = world.apiKey) =>
  world.get(`/v1/buyers/${BUYER}/facility/history?${parameters}`, { key });

describe('GET /v1/buyers/{external_id}/facility/history', () => {
  it('lists every transition, the latest first, with actor, reason and decision', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const [referral, decision] = decisionIds;
    expect(body).toEqual({
      total: 3,
      limit: 100,
      offset: 0,
      next: null,
      items: [
        {
          sequence: expect.any(Number),
          from_status: 'ACTIVE',
          to_status: 'FROZEN',
          trigger: 'freeze',
          transitioned_at: NOW + 2 * DAY,
          actor: 'operator:ada',
          reason: 'A dispute.',
          decision_id: null,
        },
        {
          sequence: expect.any(Number),
          from_status: 'PENDING',
          to_status: 'ACTIVE',
          trigger: 'grant',
          transitioned_at: NOW + DAY,
          actor: 'operator:ben',
          reason: 'Called the owner.',
          decision_id: decision,
        },
        {
          sequence: 1,
          from_status: null,
          to_status: 'PENDING',
          trigger: 'refer',
          transitioned_at: NOW,
          actor: expect.stringMatching(/^api_key:/),
          reason: null,
          decision_id: referral,
        },
      ],
    });
  });

  it('keeps what a person wrote about a decision to the scope credit:read', async () => {
    const { body, text } = await list('', reading);
    expect(body.items.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      'A dispute.',
      null,
      null,
    ]);
    expect(text).not.toContain('Called the owner.');
  });

  it('has the sequence of each event, and the event the decision and its reasons', async () => {
    const { items } = (await list()).body;
    const events = (await recordedEvents(world, BUYER)).filter(({ type }) => type.startsWith('FACILITY'));
    expect(events.map(({ data }) => data.sequence)).toEqual(
      items.map(({ sequence }: { sequence: number }) => sequence).toReversed(),
    );
    const [referral, decision] = decisionIds;
    expect(events.map(({ data }) => [data.decision_id, data.reasons])).toEqual([
      [referral, ['NEEDS_REVIEW']],
      [decision, ['LIMIT_GRANTED']],
      [undefined, undefined],
    ]);
  });

  it('names in the event of a rejection why, in words that the buyer may know', async () => {
    await addFacility(world, 'no-rejected');
    const [{ data, type } = { data: {}, type: '' }] = (
      await recordedEvents(world, 'no-rejected')
    ).toReversed();
    expect([type, data.reasons]).toEqual(['FACILITY.CREATION.REJECTED', ['NOT_POSSIBLE_NOW']]);
    const { body } = await world.get('/v1/buyers/no-rejected/facility');
    expect(body.decision_id).toBe(data.decision_id);
  });

  it('keeps the decision in force while another one is under review or refused', async () => {
    await addFacility(world, 'kept', { requested_amount: 1_000_000 });
    const inForce = async () => (await world.get('/v1/buyers/kept/facility')).body.decision_id;
    const granted = await inForce();
    await world.post('/v1/buyers/kept/facility/increase', { requested_amount: 900_000_000 });
    expect((await decisionIdsOf(world, 'kept')).length).toBe(2);
    expect(await inForce()).toBe(granted);
  });

  it('is paged', async () => {
    const { body } = await list('limit=1&offset=1');
    expect(body).toMatchObject({ total: 3, limit: 1, offset: 1, items: [{ trigger: 'grant' }] });
  });

  it('404: answers alike for an unknown buyer, one without a facility, and one of another platform', async () => {
    await addBuyer(world, 'without');
    const unknown = await world.get('/v1/buyers/nobody/facility/history');
    expectProblem(unknown, 'NOT_FOUND');
    expect((await world.get('/v1/buyers/without/facility/history')).text).toBe(unknown.text);
    const { apiKey } = await world.addPlatform();
    expect((await list('', apiKey)).text).toBe(unknown.text);
  });

  it('400: refuses a page beyond the bounds', async () => {
    expect(issuesOf((await list('limit=101&at=1')).body)).toEqual([
      'TOO_BIG query.limit',
      'UNRECOGNIZED_KEYS query.at',
    ]);
  });
});
