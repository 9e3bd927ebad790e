import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';

describe('GET /v1/platform', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ platform: { code: 'market', name: 'Der Markt' } });
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has every documented field, with its default if nothing was set', async () => {
      const { status, body, headers } = await world.get('/v1/platform');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        code: 'market',
        name: 'Der Markt',
        created_at: world.platform.created_at,
        country: 'DE',
        currency: 'EUR',
        financing_currencies: ['EUR'],
        collection_currencies: ['EUR'],
        support_emails: [],
        time_zone: 'UTC',
        term_fee_payer: 'BUYER',
        late_charge_order: 'PRINCIPAL_FIRST',
        disputes_pause: true,
        late_interest_basis_points: null,
        wait_for_bank: null,
        payout_term: 0,
        max_payment_term: 120,
        financing_default_days: 90,
        financing_review: 'NEVER',
        is_single_merchant: false,
        language: 'EN',
        formality: 'NEUTRAL',
        has_erp_configuration: false,
        logo_url: null,
        redirect_url: null,
        min_payout_business_day: 2,
        communication_email: null,
        communication_bcc_email: null,
      });
    });

    it('shows the settings of the platform', async () => {
      const { apiKey } = await world.addPlatform({
        code: 'everything-set',
        name: '東京マーケット',
        country: 'JP',
        currency: 'JPY',
        language: 'JA',
        formality: 'FORMAL',
        is_single_merchant: true,
        financing_currencies: ['JPY', 'USD'],
        collection_currencies: [],
        support_emails: ['first@market.example', 'second@market.example'],
        communication_email: 'hello@market.example',
      });
      await world.sql(
        `update platforms set payout_term = 7, max_payment_term = 90, has_erp_configuration = true,
          logo_url = 'https://market.example/logo.svg', redirect_url = 'https://market.example/back',
          min_payout_business_day = 1, communication_bcc_email = 'archive@market.example'
        where code = 'everything-set'`,
      );
      const { body } = await world.get('/v1/platform', { key: apiKey });
      expect(body).toEqual({
        code: 'everything-set',
        name: '東京マーケット',
        created_at: expect.any(Number),
        country: 'JP',
        currency: 'JPY',
        financing_currencies: ['JPY', 'USD'],
        collection_currencies: [],
        support_emails: ['first@market.example', 'second@market.example'],
        time_zone: 'UTC',
        term_fee_payer: 'BUYER',
        late_charge_order: 'PRINCIPAL_FIRST',
        disputes_pause: true,
        late_interest_basis_points: null,
        wait_for_bank: null,
        payout_term: 7,
        max_payment_term: 90,
        financing_default_days: 90,
        financing_review: 'NEVER',
        is_single_merchant: true,
        language: 'JA',
        formality: 'FORMAL',
        has_erp_configuration: true,
        logo_url: 'https://market.example/logo.svg',
        redirect_url: 'https://market.example/back',
        min_payout_business_day: 1,
        communication_email: 'hello@market.example',
        communication_bcc_email: 'archive@market.example',
      });
    });

    it('is the platform of the key, also for one restricted to a merchant', async () => {
      const key = await world.addKey({ scopes: ['read'], merchantExternalId: 'anyone' });
      expect((await world.get('/v1/platform', { key })).body.code).toBe('market');
    });
  });

  describe('400', () => {
    it('refuses any parameter', async () => {
      const { status, body } = await world.get('/v1/platform?code=other');
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ code: 'UNRECOGNIZED_KEYS', path: 'query.code' }]);
    });
  });

  describe('403', () => {
    it('refuses a key without the scope read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/platform', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });

    it('lets a key with the scope admin do everything', async () => {
      const key = await world.addKey({ scopes: ['admin'] });
      expect((await world.get('/v1/platform', { key })).status).toBe(200);
    });
  });
});
