import { afterAll, beforeAll, expect, it } from 'vitest';
import { changePlatform, sealedSettings } from '#modules/platforms';
import { arrive, type CheckoutWorld, createCheckout } from '#test/checkout';
import { tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const IBAN = 'DE89370400440532013000';

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

it('an order that is paid in advance waits for its payment, which the page explains until it is recorded', async () => {
  const { drafted, visitor } = await arrive(world, checkout, 'review', { term: 'PREPAYMENT' });
  expect((await visitor.view()).paymentDue).toBeNull();
  await visitor.placeOrder();
  const { payment_due } = (await world.get(`/v1/orders/${drafted.id}`)).body;
  expect(payment_due).toMatchObject({ amount: 11_900, currency: 'EUR', reference: drafted.id });
  expect(await visitor.view()).toMatchObject({
    outcome: 'CONFIRMED',
    paymentDue: { ...payment_due, account: null },
  });

  const { platform, installation } = world;
  const vault = installation.vault.forPlatform(platform.code, platform.data_key_wrapped);
  const account = sealedSettings(vault, { account_holder: 'Markt GmbH', iban: IBAN, bic: 'COBADEFFXXX' });
  const made = { at: world.clock.now(), actor: 'installation', approvedBy: null, reason: null };
  await changePlatform({ db: installation.db, vault }, platform, account, made);
  expect((await visitor.view()).paymentDue?.account).toEqual({
    holder: 'Markt GmbH',
    iban: IBAN,
    bic: 'COBADEFFXXX',
  });
  expect(await tablesHolding(world, [IBAN])).toEqual([]);

  await world.post(`/v1/orders/${drafted.id}/paid`);
  expect(await visitor.view()).toMatchObject({ outcome: 'CONFIRMED', paymentDue: null });
});

it('an order on credit waits for none', async () => {
  const { visitor } = await arrive(world, checkout, 'review', { term: 'DEFER_30D' });
  await visitor.placeOrder();
  expect((await visitor.view()).paymentDue).toBeNull();
});
