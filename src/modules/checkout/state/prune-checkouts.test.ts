import { afterAll, beforeAll, expect, it } from 'vitest';
import { pruneCheckouts } from '#modules/checkout';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const RETENTION = 30 * 86_400;

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

const prune = () => pruneCheckouts(world.installation.db, world.clock.now(), 1_000);
const left = async () => {
  const [row] = await world.sql(
    `select (select count(*)::int from checkouts where progress_sealed is not null) as entered,
      (select count(*)::int from checkout_sessions) as sessions`,
  );
  return row;
};

it('deletes progress 30 days after its last change, and sessions 30 days after the first visit', async () => {
  world.clock.set(NOW);
  const { id, token } = await checkout.draft();
  const visitor = await visit(checkout, token);
  await visitor.enterCompany();
  world.clock.set(NOW + 1_000);
  const { token: later } = await checkout.draft();
  await (await visit(checkout, later)).enterCompany();

  world.clock.set(NOW + RETENTION);
  expect(await prune()).toBe(0);
  world.clock.set(NOW + RETENTION + 1);
  // The platform moves to another database, which prunes it.
  await world.sql('update platforms set relocating_since = 1');
  expect(await prune()).toBe(0);
  await world.sql('update platforms set relocating_since = null');
  expect(await prune()).toBe(1);
  expect(await left()).toEqual({ entered: 1, sessions: 1 });
  const again = await visit(checkout, await checkout.create(id), visitor.session());
  expect(await again.view()).toMatchObject({ step: 'company', company: null, version: 3 });
  expect(await prune()).toBe(0);
});

it('counts by the platform’s clock', async () => {
  world.clock.set(NOW);
  const { token } = await checkout.draft();
  await (await visit(checkout, token)).enterCompany();
  const before = await left();
  await world.post('/v1/sandbox/clock', { advance_seconds: RETENTION + 2_000 });
  expect(await prune()).toBeGreaterThan(0);
  expect(await left()).not.toEqual(before);
});
