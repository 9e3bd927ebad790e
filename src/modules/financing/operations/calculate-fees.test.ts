import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { addFinancedParties, DAY, FINANCING_STARTS } from '#test/financing';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('POST /v1/invoices/calculate_fees', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(FINANCING_STARTS);
    await addFinancedParties(world);
  });
  afterAll(() => world.close());
  const calculate = (more: object, options = {}) =>
    world.post(
      '/v1/invoices/calculate_fees',
      {
        merchant_external_id: 'merchant',
        gross_amount: 11_900,
        due_at: FINANCING_STARTS + 30 * DAY,
        ...more,
      },
      options,
    );

  it('200: is exact for a buyer with a band, and what a request then costs', async () => {
    const { status, body } = await calculate({ buyer_external_id: 'buyer' });
    expect([status, body.is_exact, body.highest_fee.gross, body.lowest_advance]).toEqual([
      200,
      true,
      150,
      11_750,
    ]);
    expect(body.lowest_fee).toEqual(body.highest_fee);
  });

  it('200: is a range for any buyer', async () => {
    const { body } = await calculate({});
    expect(body).toMatchObject({ is_exact: false, lowest_fee: { net: 77 }, highest_fee: { net: 375 } });
    expect(body.lowest_advance).toBeLessThan(body.highest_advance);
  });

  it('404, 422 and 403: unknown parties, a country without tax, another merchant', async () => {
    expectProblem(await calculate({ buyer_external_id: 'nobody' }), 'NOT_FOUND');
    expectProblem(
      await calculate({ merchant_external_id: 'nobody' }),
      'UNPROCESSABLE_ENTITY',
      'REFERENCED_ENTITY_NOT_FOUND',
    );
    const business_address = { city: 'Oslo', postcode: '0150', country: 'NO' };
    await world.post('/v1/merchants', merchantBody({ external_id: 'abroad', business_address }));
    expectProblem(
      await calculate({ merchant_external_id: 'abroad' }),
      'UNPROCESSABLE_ENTITY',
      'SERVICE_NOT_OFFERED',
    );
    const key = await world.addKey({ merchantExternalId: 'abroad', scopes: ['read'] });
    expectProblem(await calculate({}, { key }), 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
  });
});
