import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

describe('POST /v1/orders/draft on a single-merchant platform', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ platform: { is_single_merchant: true, currency: 'JPY', country: 'JP' } });
    await world.post('/v1/buyers', buyerBody({}));
  });
  afterAll(() => world.close());

  const draft = <T extends object>(more: T, key?: string) =>
    world.post('/v1/orders/draft', draftOrderBody(more), key === undefined ? {} : { key });

  it('is refused with 422 before its merchant is registered', async () => {
    const { status, body } = await draft({ external_id: 'early', merchant_external_id: undefined });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'REFERENCED_ENTITY_NOT_FOUND',
      details: {
        field: 'body.merchant_external_id',
        value: null,
        remedy: 'Register the merchant first with POST /v1/merchants.',
      },
    });
  });

  describe('with its merchant', () => {
    beforeAll(async () => {
      await world.post('/v1/merchants', merchantBody({ external_id: 'the-one' }));
    });

    it('needs no merchant_external_id, and shows the one there is', async () => {
      const { status, body } = await draft({ external_id: 'omitted', merchant_external_id: undefined });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        merchant_external_id: 'the-one',
        amount: { gross: 11_900, currency: 'JPY' },
      });
    });

    it('takes its name too, and no other', async () => {
      expect((await draft({ external_id: 'named', merchant_external_id: 'the-one' })).status).toBe(201);
      const other = await draft({ external_id: 'misnamed', merchant_external_id: 'another' });
      expect(other.status).toBe(422);
      expect(other.body.reason).toBe('REFERENCED_ENTITY_NOT_FOUND');
    });

    it('is refused to a key restricted to a merchant that is not the one', async () => {
      const key = await world.addKey({ merchantExternalId: 'former-merchant' });
      const { status, body } = await draft({ external_id: 'foreign', merchant_external_id: undefined }, key);
      expect(status).toBe(403);
      expect(body.reason).toBe('MERCHANT_NOT_ALLOWED');
    });
  });
});
