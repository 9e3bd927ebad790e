/** Reviews that another decision has overtaken: while a rejection is under review, the buyer applies again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { operate } from '#test/operator';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import {
  approveOverride,
  decideReview,
  listReviews,
  overrideRejection,
  proposeOverride,
  refuseOverride,
} from './index.ts';

const NOW = 1_763_640_000;

let world: World;
let buyers = 0;
let buyer: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  buyer = `buyer-${++buyers}`;
  await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
  await world.post('/v1/contacts', {
    external_id: buyer,
    buyer_external_id: buyer,
    email: 'rejected@example.com',
  });
  expect((await apply()).body.status).toBe('REJECTED');
});

const path = () => `/v1/buyers/${buyer}/facility`;
const apply = () => world.post(path(), {});
const facility = async () => (await world.get(path())).body;
const useScript = (script: string) => world.put(`/v1/contacts/${buyer}`, { email: `${script}@example.com` });

const reason = 'As I see it.';
const goAgainst = async (limit_amount = 70_000) =>
  (
    await operate(world, overrideRejection, {
      params: { buyer_external_id: buyer },
      body: { limit_amount, reason },
    })
  ).review_id as string;
const drop = (review_id: string) =>
  operate(world, refuseOverride, { params: { review_id }, body: { reason } });
const reject = (review_id: string) =>
  operate(world, decideReview, { params: { review_id }, body: { outcome: 'REJECT', reason } });
const approve = (review_id: string) =>
  operate(world, approveOverride, { params: { review_id }, body: { reason } }, 'jan');
const typesRecorded = async () => (await recordedEvents(world, buyer)).map(({ type }) => type).slice(1);

describe('a review of a rejection', () => {
  it('can be ended with a rejection once the buyer has a facility, which does not change', async () => {
    const review = await goAgainst();
    await useScript('accepted');
    await apply();
    const granted = await facility();
    expect(granted.status).toBe('ACTIVE');
    await drop(review);
    expect(await reject(review)).toMatchObject({ status: 'DECIDED', outcome: 'REJECT' });
    expect(await facility()).toEqual(granted);
    expect(await typesRecorded()).toEqual(['FACILITY.CREATION.REJECTED', 'FACILITY.CREATION.ACCEPTED']);
  });

  it('does not change the review of another application when it is rejected', async () => {
    const review = await goAgainst();
    await useScript('in-review');
    await apply();
    await drop(review);
    await reject(review);
    expect(await facility()).toMatchObject({
      status: 'PENDING',
      pending_actions: [{ type: 'CREATION', created_at: NOW }],
    });
    expect(await typesRecorded()).toEqual(['FACILITY.CREATION.REJECTED', 'FACILITY.CREATION.IN_REVIEW']);
  });

  it('ends the review of another application when it is approved', async () => {
    const review = await goAgainst();
    await useScript('review-then-accept');
    await apply();
    await approve(review);
    expect(await facility()).toMatchObject({ status: 'ACTIVE', total_amount: 70_000, pending_actions: [] });
    const { items } = await operate(world, listReviews, { query: { buyer_external_id: [buyer] } });
    expect(items.map(({ status }: { status: string }) => status).sort()).toEqual(['DECIDED', 'WITHDRAWN']);
  });

  it('sets another limit when it is approved after the buyer was granted one', async () => {
    const review = await goAgainst();
    await useScript('low-limit');
    await apply();
    expect((await facility()).total_amount).toBe(10_000);
    await approve(review);
    expect(await facility()).toMatchObject({ status: 'ACTIVE', total_amount: 70_000 });
    expect((await typesRecorded()).at(-1)).toBe('FACILITY.LIMIT.CHANGED');
  });

  it('is opened against the last decision, also of several in one second', async () => {
    for (let again = 0; again < 8; again++) await apply();
    await useScript('accepted');
    await apply();
    await expect(goAgainst()).rejects.toMatchObject({ status: 404 });
  });

  it('is opened if an order was decided about since', async () => {
    // A decision about an order is not about the refused facility.
    await world.sql(
      `insert into credit_decisions (platform_id, decision_id, subject, buyer_external_id, order_external_id, outcome,
        currency, reasons, buyer_reasons, actor, decided_at)
      values ($1, 'ffffffff-ffff-ffff-ffff-fffffffffff0', 'ORDER', $2, 'order', 'REJECT', 'EUR', '{}', '{}', 'ada', $3)`,
      [world.platform.platform_id, buyer, NOW + 1],
    );
    expect(await goAgainst()).toMatch(/^[\da-f-]{36}$/);
    await world.sql("delete from credit_decisions where order_external_id = 'order'");
  });
});

it('a script that fell due while an override waited is due when it is dropped, and not before', async () => {
  await useScript('review-then-accept');
  await apply();
  const [{ review_id = '' } = {}] = await world.sql<{ review_id: string }>(
    'select review_id from credit_reviews where buyer_external_id = $1',
    [buyer],
  );
  const proposed = { limit_amount: 5_000_000, reason };
  await operate(world, proposeOverride, { params: { review_id }, body: proposed });
  world.clock.set(NOW + 5 * 86_400);
  await drop(review_id);
  const { body } = await world.post('/v1/sandbox/clock', { advance_seconds: 60 });
  expect(body.transitions).toEqual([
    { at: NOW + 5 * 86_400, resource: 'facility', external_id: buyer, trigger: 'grant' },
  ]);
  expect(await facility()).toMatchObject({ status: 'ACTIVE', reviewed_at: NOW + 5 * 86_400 });
});
