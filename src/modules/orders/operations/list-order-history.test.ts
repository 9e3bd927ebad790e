import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideReview, listReviews } from '#modules/reviews';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue } from '#test/credit';
import { decisionIdsOf } from '#test/decisions';
import { addFacility } from '#test/facilities';
import { operate } from '#test/operator';
import { issuesOf } from '#test/paging';
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
let reading: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  reading = await world.addKey({ scopes: ['read'] });
  await world.post('/v1/merchants', merchantBody({}));
  world.clock.set(NOW);
  await addDebtor(world, { buyer: 'late', totalMinor: 1_000_000 });
  await addOverdue(world, 'late', 8, 5_000);
});
afterAll(() => world.close());

const list = (id: string, parameters = '', key = world.apiKey) =>
  world.get(`/v1/orders/${id}/history?${parameters}`, { key });

/** An order of a buyer with arrears, and a person's decision about it a day later. */
async function reviewed(id: string, outcome: 'ACCEPT' | 'REJECT'): Promise<void> {
  world.clock.set(NOW);
  const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
  await world.post('/v1/orders', draftOrderBody({ external_id: id, buyer_external_id: 'late', ...term }));
  const { items } = await operate(world, listReviews, { query: { order_external_id: [id] } });
  world.clock.set(NOW + DAY);
  const body = { outcome, reason: 'Paid in the meantime.' };
  await operate(world, decideReview, { params: { review_id: items[0].review_id }, body });
}

describe('GET /v1/orders/{external_id}/history', () => {
  it.each([
    ['ACCEPT', 'confirm', 'CONFIRMED', 'LIMIT_GRANTED'],
    ['REJECT', 'decline', 'CANCELLED', 'NOT_POSSIBLE_NOW'],
  ] as const)(
    'names the decision behind each transition of an order under review: %s',
    async (...expected) => {
      const [outcome, trigger, status, reason] = expected;
      const id = `of-${outcome}`;
      await reviewed(id, outcome);
      const { status: code, body } = await list(id);
      expect(code).toBe(200);
      expect(body).toMatchObject({ total: 2, limit: 100, offset: 0 });
      const decisions = await Promise.all(
        body.items.map(
          async (item: { decision_id: string }) =>
            (await world.get(`/v1/decisions/${item.decision_id}`)).body,
        ),
      );
      expect(decisions.map(({ outcome, order_external_id }) => [outcome, order_external_id])).toEqual([
        [outcome, id],
        ['REFER', id],
      ]);
      expect(decisions[0].reasons).toMatchObject([{ code: reason }]);
      expect(body.items).toMatchObject([
        {
          sequence: 2,
          from_status: 'PENDING_CONFIRMATION',
          to_status: status,
          trigger,
          transitioned_at: NOW + DAY,
          actor: 'operator:ada',
          reason: 'Paid in the meantime.',
        },
        { sequence: 1, from_status: null, trigger: 'create_for_review', transitioned_at: NOW, reason: null },
      ]);
      expect((await world.get(`/v1/orders/${id}`)).body.decision_id).toBe(body.items[0].decision_id);
      const events = await recordedEvents(world, id);
      expect(events.map(({ data }) => data.decision_id)).toEqual(
        body.items.map((item: { decision_id: string }) => item.decision_id).toReversed(),
      );
    },
  );

  it('keeps what a person wrote about a decision to the scope credit:read', async () => {
    await reviewed('quiet', 'REJECT');
    const { text } = await list('quiet', '', reading);
    expect(text).not.toContain('Paid in the meantime.');
  });

  it('shows the reason of a cancellation, which no decision caused', async () => {
    await world.post(
      '/v1/orders/draft',
      draftOrderBody({ external_id: 'unwanted', buyer_external_id: 'late' }),
    );
    await world.post('/v1/orders/unwanted/cancel', { comment: 'Ordered twice.' });
    const { body } = await list('unwanted', '', reading);
    expect(body.items).toMatchObject([
      { trigger: 'cancel', to_status: 'CANCELLED', reason: 'Ordered twice.', decision_id: null },
      { trigger: 'create_draft', to_status: 'DRAFT', reason: null, decision_id: null },
    ]);
    expect((await list('unwanted', 'limit=1&offset=1')).body).toMatchObject({
      total: 2,
      items: [{ trigger: 'create_draft' }],
    });
  });

  it('tells a refused order which decision its facility stands by', async () => {
    world.clock.set(NOW);
    const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    for (const [buyer, reason] of [
      ['small-accepted', 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT'],
      ['none-rejected', 'NO_ACTIVE_FACILITY'],
    ] as const) {
      await addFacility(world, buyer, { requested_amount: 100 });
      const order = draftOrderBody({ external_id: `of-${buyer}`, buyer_external_id: buyer, ...term });
      const problem = expectProblem(await world.post('/v1/orders', order), 'UNPROCESSABLE_ENTITY', reason);
      expect([problem.details.decision_id]).toEqual(await decisionIdsOf(world, buyer));
    }
  });

  it('404: answers alike for an unknown order, another platform, and a merchant that is not the key’s', async () => {
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: 'own', buyer_external_id: 'late' }));
    await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
    const unknown = await list('nothing');
    expectProblem(unknown, 'NOT_FOUND');
    const other = await world.addPlatform();
    const restricted = await world.addKey({ merchantExternalId: 'other-merchant' });
    for (const key of [other.apiKey, restricted])
      expect((await list('own', '', key)).text).toBe(unknown.text);
  });

  it('400: refuses a page beyond the bounds', async () => {
    expect(issuesOf((await list('of-ACCEPT', 'offset=-1')).body)).toEqual(['TOO_SMALL query.offset']);
  });
});
