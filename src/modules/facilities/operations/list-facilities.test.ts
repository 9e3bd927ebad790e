import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFacility, makeDueOfFacilities } from '#test/facilities';
import { describePaging, idsOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
const list = (parameters: string) => world.get(`/v1/facilities?${parameters}`);
/** The buyers of a list without paging, in its order. */
const found = async (parameters: string) => {
  const { status, body } = await list(parameters);
  expect([status, body.error]).toEqual([200, undefined]);
  return idsOf(body);
};

beforeAll(async () => {
  world = await createWorld({
    platform: { financing_currencies: ['GBP'] },
    settings: { TRADELINE_WORKER: 'off' },
  });
  const requests: [buyer: string, body: object][] = [
    ['a-small', { requested_amount: 100_000 }],
    ['b-pounds', { requested_amount: 300_000, currency: 'GBP' }],
    ['c-rejected', {}],
    ['d-in-review', {}],
    ['e-large', {}],
    ['f-large', {}],
  ];
  for (const [nth, [buyer, body]] of requests.entries()) {
    // The last two are added at the same instant.
    world.clock.set(NOW + Math.min(nth, 4) * DAY);
    await addFacility(world, buyer, body);
  }
  world.clock.set(NOW + 10 * DAY);
  await world.post('/v1/buyers/a-small/facility/renew');
  world.clock.set(NOW + 91 * DAY);
});
afterAll(() => world.close());

describe('GET /v1/facilities', () => {
  describePaging(list, ['e-large', 'f-large', 'd-in-review', 'c-rejected', 'b-pounds', 'a-small']);

  it('shows each like GET of the facility', async () => {
    const { body } = await list('buyer_external_ids=d-in-review');
    const { entity: _, ...facility } = (await world.get('/v1/buyers/d-in-review/facility')).body;
    expect(body.items).toEqual([facility]);
    expect(body.items[0].pending_actions).toEqual([{ type: 'CREATION', created_at: NOW + 3 * DAY }]);
  });

  it.each([
    ['buyer_external_ids=a-small,e-large,nobody', ['e-large', 'a-small']],
    ['buyer_external_ids=a-small&buyer_external_ids=e-large', ['e-large', 'a-small']],
    ['status=PENDING,REJECTED', ['d-in-review', 'c-rejected']],
    ['status=FROZEN', []],
    ['currency=GBP', ['b-pounds']],
    ['risk_band=REJECT', ['c-rejected']],
    ['risk_band=B1&currency=EUR', ['e-large', 'f-large', 'a-small']],
    ['pending_action=CREATION', ['d-in-review']],
    ['pending_action=RENEWAL,INCREASE', []],
    [`created_at=${NOW + DAY}..${NOW + 2 * DAY}`, ['c-rejected', 'b-pounds']],
    [`created_at=..${NOW}`, ['a-small']],
    [`updated_at=${NOW + 5 * DAY}..`, ['a-small']],
    [`expires_at=..${NOW + 92 * DAY}`, ['b-pounds']],
    ['total_amount=100000..300000', ['b-pounds', 'a-small']],
    ['total_amount=0', ['d-in-review', 'c-rejected']],
    ['available_amount=2500000..', ['e-large', 'f-large']],
    ['sort_by=created_at', ['a-small', 'b-pounds', 'c-rejected', 'd-in-review', 'e-large', 'f-large']],
    ['sort_by=-updated_at&limit=2', ['a-small', 'e-large']],
    ['sort_by=-total_amount', ['e-large', 'f-large', 'b-pounds', 'a-small', 'c-rejected', 'd-in-review']],
    ['sort_by=total_amount&status=ACTIVE', ['a-small', 'b-pounds', 'e-large', 'f-large']],
    ['sort_by=available_amount&currency=GBP', ['b-pounds']],
    ['sort_by=-used_amount&limit=1', ['a-small']],
    ['sort_by=expires_at&status=ACTIVE', ['b-pounds', 'e-large', 'f-large', 'a-small']],
    ['sort_by=-buyer_external_id&limit=2', ['f-large', 'e-large']],
  ])('?%s', async (parameters, expected) => {
    expect(await found(parameters)).toEqual(expected);
  });

  it('shows facilities that the service renewed', async () => {
    await makeDueOfFacilities(world, NOW + 91 * DAY);
    expect(await found('status=EXPIRED')).toEqual([]);
    expect(await found(`expires_at=${NOW + 166 * DAY}..&sort_by=buyer_external_id`)).toEqual([
      'a-small',
      'b-pounds',
      'e-large',
      'f-large',
    ]);
  });

  it.each([
    ['status=GRANTED', 'INVALID_ENUM query.status'],
    ['currency=XAU', 'INVALID_ENUM query.currency'],
    ['pending_action=ANY', 'INVALID_ENUM query.pending_action'],
    ['buyer_external_ids=a.b', 'INVALID_FORMAT query.buyer_external_ids'],
    ['created_at=yesterday', 'INVALID_FORMAT query.created_at'],
    ['total_amount=-1', 'INVALID_FORMAT query.total_amount'],
    ['sort_by=risk_band', 'INVALID_ENUM query.sort_by'],
    ['external_id=a', 'UNRECOGNIZED_KEYS query.external_id'],
  ])('400 to ?%s', async (parameters, issue) => {
    const { status, body } = await list(parameters);
    expect(status).toBe(400);
    expect(body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([issue]);
  });
});
