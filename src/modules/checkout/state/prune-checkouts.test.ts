import { afterAll, beforeAll, expect, it } from 'vitest';
import { pruneCheckouts } from '#modules/checkout';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const KEPT = 30 * 86_400;

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

const forget = () => pruneCheckouts(world.installation.db, world.clock.now(), 1_000);
const left = async () => {
  const [row] = await world.sql(
    `select (select count(*)::int from checkouts where progress_sealed is not null) as entered,
      (select count(*)::int from checkout_sessions) as sessions`,
  );
  return row;
};

it('forgets what was entered a month after the last change, and sessions a month after the first visit', async () => {
  world.clock.set(NOW);
  const { id, token } = await checkout.draft();
  const visitor = await visit(checkout, token);
  await visitor.enterCompany();
  world.clock.set(NOW + 1_000);
  const { token: later } = await checkout.draft();
  await (await visit(checkout, later)).enterCompany();

  world.clock.set(NOW + KEPT);
  expect(await forget()).toBe(0);
  world.clock.set(NOW + KEPT + 1);
  expect(await forget()).toBe(1);
  expect(await left()).toEqual({ entered: 1, sessions: 1 });
  const again = await visit(checkout, await checkout.create(id), visitor.session());
  expect(await again.view()).toMatchObject({ step: 'company', company: null, version: 3 });
  expect(await forget()).toBe(0);
});

it('counts by the clock of the platform', async () => {
  world.clock.set(NOW);
  const { token } = await checkout.draft();
  await (await visit(checkout, token)).enterCompany();
  const before = await left();
  await world.post('/v1/sandbox/clock', { advance_seconds: KEPT + 2_000 });
  expect(await forget()).toBeGreaterThan(0);
  expect(await left()).not.toEqual(before);
});
