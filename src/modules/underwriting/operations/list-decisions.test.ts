import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addOverdue } from '#test/credit';
import { decisionIdsOf } from '#test/decisions';
import { addBuyer, addFacility } from '#test/facilities';
import { expectSamePages, issuesOf } from '#test/paging';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
  await addFacility(world, 'busy', { requested_amount: 1_000_000 });
  world.clock.set(NOW + DAY);
  await world.post('/v1/buyers/busy/facility/renew');
  world.clock.set(NOW + 2 * DAY);
  await world.post('/v1/buyers/busy/facility/increase', { requested_amount: 900_000_000 });
  world.clock.set(NOW + 3 * DAY);
  await addOverdue(world, 'busy', 8, 5_000);
  const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
  const order = draftOrderBody({ external_id: 'o1', buyer_external_id: 'busy', ...term });
  expect((await world.post('/v1/orders', order)).body.status).toBe('PENDING_CONFIRMATION');
  await addBuyer(world, 'fresh');
});
afterAll(() => world.close());

const list = (parameters = '', key = world.apiKey) =>
  world.get(`/v1/buyers/busy/decisions?${parameters}`, { key });

describe('GET /v1/buyers/{external_id}/decisions', () => {
  it('lists every decision, the latest first, each as it is read alone', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 4, limit: 100, offset: 0 });
    expect(body.items.map((each: Record<string, unknown>) => [each.subject, each.decided_at])).toEqual([
      ['ORDER', NOW + 3 * DAY],
      ['FACILITY_INCREASE', NOW + 2 * DAY],
      ['FACILITY_RENEWAL', NOW + DAY],
      ['FACILITY_CREATION', NOW],
    ]);
    for (const item of body.items)
      expect((await world.get(`/v1/decisions/${item.decision_id}`)).body).toEqual(item);
    expect(body.items[0]).toMatchObject({
      outcome: 'REFER',
      order_external_id: 'o1',
      requested_amount: 11_900,
      reasons: [{ code: 'OVERDUE_INVOICES' }, { code: 'NEEDS_REVIEW' }],
      internal: { reasons: [{ code: 'CURRENTLY_PAST_DUE' }], inputs: null },
    });
  });

  it('has by its cursors what it has by offset, also for a key of one merchant', async () => {
    await expectSamePages(list);
    const key = await world.addKey({ merchantExternalId: 'm1' });
    await expectSamePages((parameters) => list(parameters, key));
  });

  it('has nothing internal without the scope credit:read', async () => {
    const { body } = await list('', await world.addKey({ scopes: ['read'] }));
    expect(body.items.map(({ internal }: { internal: unknown }) => internal)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('is paged', async () => {
    const ids = (await decisionIdsOf(world, 'busy')).toReversed();
    const { body } = await list('limit=2&offset=1');
    expect(body).toMatchObject({ total: 4, limit: 2, offset: 1 });
    expect(body.items.map((each: { decision_id: string }) => each.decision_id)).toEqual(ids.slice(1, 3));
    expect((await list('offset=4')).body).toMatchObject({ items: [], total: 4 });
  });

  it('is empty for a buyer about whom nothing was decided', async () => {
    expect((await world.get('/v1/buyers/fresh/decisions')).body).toMatchObject({ items: [], total: 0 });
  });

  it('leaves out decisions about orders of a merchant that is not the key’s, also from the total', async () => {
    await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
    const other = await list('', await world.addKey({ merchantExternalId: 'other-merchant' }));
    expect(other.body.total).toBe(3);
    expect(other.text).not.toContain('o1');
    const own = await list('', await world.addKey({ merchantExternalId: 'merchant' }));
    expect(own.body.total).toBe(4);
  });

  it('shows a key of a merchant no requested limit, which may be the amount of an order with another one', async () => {
    const key = await world.addKey({ merchantExternalId: 'merchant' });
    const { items } = (await list('', key)).body;
    const requested = items.map((each: { requested_amount: number | null }) => each.requested_amount);
    expect(requested).toEqual([11_900, null, null, null]);
    const [, increase] = items;
    expect((await world.get(`/v1/decisions/${increase.decision_id}`, { key })).body).toEqual(increase);
  });

  it('404: answers alike for an unknown buyer and one of another platform', async () => {
    const unknown = await world.get('/v1/buyers/nobody/decisions');
    expectProblem(unknown, 'NOT_FOUND');
    const { apiKey } = await world.addPlatform();
    expect((await list('', apiKey)).text).toBe(unknown.text);
  });

  it('400: refuses a page beyond the bounds', async () => {
    expect(issuesOf((await list('limit=0&sort_by=x')).body)).toEqual([
      'TOO_SMALL query.limit',
      'UNRECOGNIZED_KEYS query.sort_by',
    ]);
  });
});
