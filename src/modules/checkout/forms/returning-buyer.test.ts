import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrive, type CheckoutWorld, createCheckout, PERSON, visit } from '#test/checkout';
import { createWorld, type World } from '#test/world';

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

it('goes from the code to the payment, and orders with the person and the delivery of before', async () => {
  const { drafted, visitor } = await arrive(world, checkout, 'review', { term: 'PREPAYMENT' });
  expect(await visitor.placeOrder()).toEqual({ kind: 'DONE' });

  // The address on file is not the one of the person who ordered.
  const again = await checkout.draft({ buyer: null, order: { buyer_external_id: drafted.buyer } });
  const returning = await visit(checkout, again.token);
  expect(await returning.view()).toMatchObject({ step: 'code', person: null, delivery: null });
  await returning.send((forms, from) => forms.sendCode(from));
  await returning.confirm();

  const { email, firstName, lastName } = PERSON;
  expect(await returning.view()).toMatchObject({
    step: 'payment',
    person: { email, firstName, lastName },
    delivery: { to: 'COMPANY' },
  });
  await returning.choosePayment('PREPAYMENT');
  expect(await returning.placeOrder()).toEqual({ kind: 'DONE' });
  expect((await world.get(`/v1/orders/${again.id}`)).body).toMatchObject({
    status: 'CONFIRMED',
    contact_email: email,
    delivery_address: { city: 'Berlin' },
  });
});
