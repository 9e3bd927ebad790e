import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  readPastCredit,
  recordDefaultChanges,
  recordDefaults,
  releaseUse,
  reopenUse,
} from '#modules/facilities';
import { act } from '#test/credit';
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

const past = () =>
  readPastCredit(world.installation.db, world.platform.platform_id).then(({ authorizations, defaults }) => ({
    authorizations: authorizations.map(({ orderExternalId, amountMinor, from, until }) => [
      orderExternalId,
      amountMinor,
      from,
      until,
    ]),
    defaults,
  }));

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
  await act(world, async ({ db, platformId, actor, now }) => {
    const paid = { ...used, paymentId: 'p1', platformId, actor, at: now };
    // A bounced payment takes only what was taken before.
    await releaseUse(db, [{ ...paid, cause: 'INVOICE_PAID' }]);
    await reopenUse(db, [paid]);
    await releaseUse(db, [{ ...paid, cause: 'INVOICE_PAID' }]);
  });
  expect((await past()).authorizations).toEqual([
    ['open', GROSS_MINOR, NOW, NOW + 3 * DAY],
    ['invoiced', GROSS_MINOR, NOW + DAY, NOW + 3 * DAY],
  ]);
});

it('a default is that of the order whose invoice it was, with what became of it', async () => {
  const { db } = world.installation;
  const { platform_id: platformId } = world.platform;
  const day = (days: number) => new Date((NOW + days * DAY) * 1_000).toISOString().slice(0, 10);
  const of = (invoiceExternalId: string) => ({ buyerExternalId: 'prompt', invoiceExternalId, at: NOW });
  await recordDefaults(db, platformId, [
    { ...of('of-invoiced'), defaultedOn: day(0), currency: 'EUR', amountMinor: 7_000 },
    // Did not use credit of the platform.
    { ...of('elsewhere'), defaultedOn: day(0), currency: 'EUR', amountMinor: 9_000 },
  ]);
  await recordDefaultChanges(db, platformId, [
    { ...of('of-invoiced'), sourceId: 'p-1', kind: 'RECOVERED', changedOn: day(9), amountMinor: 500 },
    { ...of('of-invoiced'), sourceId: 'w-1', kind: 'WRITTEN_OFF', changedOn: day(5), amountMinor: 7_000 },
  ]);
  const midnight = (days: number) => Date.parse(day(days)) / 1_000;
  expect((await past()).defaults).toEqual([
    {
      buyerExternalId: 'prompt',
      orderExternalId: 'invoiced',
      currency: 'EUR',
      defaultedAt: midnight(0),
      amountMinor: 7_000,
      changes: [
        { kind: 'WRITTEN_OFF', at: midnight(5), amountMinor: 7_000 },
        { kind: 'RECOVERED', at: midnight(9), amountMinor: 500 },
      ],
    },
  ]);
});

it('is of one platform', async () => {
  const { platform } = await world.addPlatform();
  expect(await readPastCredit(world.installation.db, platform.platform_id)).toEqual({
    limitDays: 104,
    authorizations: [],
    defaults: [],
  });
});
