import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activateMerchant, deactivateMerchant } from '#modules/merchants';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { operate } from '#test/operator';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/merchants', merchantBody({}));
  await world.post('/v1/buyers', buyerBody({}));
});
afterAll(() => world.close());

const input = { params: { external_id: 'merchant' }, body: { reason: 'no contract' } };
const term = { payment_method: 'CARD', payment_term: 'PREPAYMENT' };
const NOT_ENROLLED = {
  status: 422,
  body: {
    reason: 'MERCHANT_NOT_ENROLLED',
    details: { merchant_external_id: 'merchant', status: 'INACTIVE' },
  },
};

describe('deactivateMerchant', () => {
  let made = 0;
  let draft: string;
  let order: string;
  beforeEach(async () => {
    draft = `draft-${++made}`;
    order = `order-${made}`;
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: draft }));
    const placed = await world.post('/v1/orders', draftOrderBody({ external_id: order, ...term }));
    expect(placed.body.status).toBe('CONFIRMED');
    await operate(world, deactivateMerchant, input);
  });
  const reactivate = () => operate(world, activateMerchant, input);

  it('refuses new drafts, orders, payment terms and checkout links, until it is activated again', async () => {
    const requests = () => [
      world.post('/v1/orders/draft', draftOrderBody({ external_id: `${draft}-more` })),
      world.post('/v1/orders', draftOrderBody({ external_id: `${order}-more`, ...term })),
      world.get('/v1/buyers/buyer/payment_terms?gross_amount=100&merchant_external_id=merchant'),
      world.get(`/v1/orders/${draft}/redirect_url`),
    ];
    for (const reply of await Promise.all(requests())) expect(reply).toMatchObject(NOT_ENROLLED);
    await reactivate();
    expect((await Promise.all(requests())).map(({ status }) => status)).toEqual([201, 201, 200, 200]);
  });

  it('leaves existing orders to continue', async () => {
    expect((await world.get(`/v1/orders/${order}`)).body.status).toBe('CONFIRMED');
    expect((await world.post(`/v1/orders/${order}/cancel`)).body.status).toBe('CANCELLED');
    expect((await world.post(`/v1/orders/${draft}/cancel`)).body.status).toBe('CANCELLED');
    await reactivate();
  });

  it('closes the checkouts of its drafts', async () => {
    await reactivate();
    const { url } = (await world.get(`/v1/orders/${draft}/redirect_url`)).body;
    await operate(world, deactivateMerchant, input);
    const page = await fetch(url);
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('The checkout is closed');
    await reactivate();
    expect((await fetch(url)).status).toBe(200);
  });

  it('refuses one that is inactive', async () => {
    await expect(operate(world, deactivateMerchant, input)).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: { status: 'INACTIVE', allowed: ['activate'] },
    });
    await reactivate();
  });
});
