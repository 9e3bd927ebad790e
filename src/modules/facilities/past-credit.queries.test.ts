import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPastCredit, releaseUse } from '#modules/facilities';
import { act, addOverdue } from '#test/credit';
import { addParties, GROSS_MINOR, invoice, PART_MINOR, STATES } from '#test/order-statuses';
import { createWorld, type World } from '#test/world';

const DAY = 86_400;
const NOW = 1_800_000_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await addParties(world);
});
afterAll(() => world.close());

const past = (at = NOW) =>
  readPastCredit(world.installation.db, world.platform.platform_id, at).then(
    ({ authorizations, losses }) => ({
      authorizations: authorizations.map(({ orderExternalId, amountMinor, from, until }) => [
        orderExternalId,
        amountMinor,
        from,
        until,
      ]),
      losses: losses.map(({ buyerExternalId, amountMinor }) => [buyerExternalId, amountMinor]),
    }),
  );

it('an order takes its amount from its reservation until nothing of it is reserved or used', async () => {
  await STATES.CONFIRMED(world, 'open');
  world.clock.set(NOW + DAY);
  await STATES.CONFIRMED(world, 'invoiced');
  await invoice(world, 'invoiced', PART_MINOR);
  await STATES.DRAFT(world, 'draft');
  world.clock.set(NOW + 2 * DAY);
  await world.post('/v1/orders/invoiced/close', {});
  expect((await past()).authorizations).toEqual([
    ['open', GROSS_MINOR, NOW, null],
    ['invoiced', GROSS_MINOR, NOW + DAY, null],
  ]);
  world.clock.set(NOW + 3 * DAY);
  await world.post('/v1/orders/open/cancel', {});
  const used = { buyerExternalId: 'prompt', invoiceExternalId: 'of-invoiced', amountMinor: PART_MINOR };
  await act(world, ({ db, platformId, actor, now }) =>
    releaseUse(db, [{ ...used, platformId, actor, at: now }]),
  );
  expect((await past()).authorizations).toEqual([
    ['open', GROSS_MINOR, NOW, NOW + 3 * DAY],
    ['invoiced', GROSS_MINOR, NOW + DAY, NOW + 3 * DAY],
  ]);
});

it('what is 90 days past due counts as lost, and nothing of another platform', async () => {
  await addOverdue(world, 'prompt', 10, 7_000);
  const [due] = await world.sql<{ due_at: string }>(
    "select due_at from overdue_invoices where buyer_external_id = 'prompt'",
  );
  const lostAt = Number(due?.due_at) + 90 * DAY;
  expect((await past(lostAt - 1)).losses).not.toContainEqual(['prompt', 7_000]);
  expect((await past(lostAt)).losses).toContainEqual(['prompt', 7_000]);
  const { platform } = await world.addPlatform();
  expect(await readPastCredit(world.installation.db, platform.platform_id, lostAt)).toEqual({
    authorizations: [],
    losses: [],
  });
});
