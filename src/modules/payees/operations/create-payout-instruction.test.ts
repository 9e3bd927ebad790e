import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { sepaBody } from '#test/payees';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const PATH = '/v1/payout_instructions';
const NOW = 1_800_000_000;
const DAY = 86_400;

describe('POST /v1/payout_instructions', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(NOW);
  });
  afterAll(() => world.close());

  async function addMerchant(): Promise<string> {
    const external_id = `merchant-${++made}`;
    expect((await world.post('/v1/merchants', merchantBody({ external_id }))).status).toBe(201);
    return external_id;
  }
  const create = (body: object, key = world.apiKey) =>
    world.post(PATH, { external_id: `account-${++made}`, ...body }, { key });

  describe('201', () => {
    it('has every documented field, unverified, with the account without spaces', async () => {
      const merchant_external_id = await addMerchant();
      const sent = sepaBody({
        iban: 'DE89 3704 0044 0532 0130 00',
        bic: 'cobadeffxxx',
        merchant_external_id,
      });
      const { status, headers, body } = await create(sent);
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`${PATH}/${body.external_id}`);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...sepaBody(),
        external_id: expect.stringMatching(/^account-/),
        merchant_external_id,
        is_verified: false,
        status: 'UNVERIFIED',
        payable_from: NOW,
        created_at: NOW,
        updated_at: NOW,
      });
      expect(await recordedEvents(world, body.external_id)).toEqual([]);
      expect((await world.get(`${PATH}/${body.external_id}`)).body).toEqual(body);
    });

    it.each([
      { type: 'FPS', beneficiary_name: 'Leaf Ltd', sort_code: '601613', account_number: '31926819' },
      {
        ...{ type: 'SWIFT', beneficiary_name: 'Leaf Inc', account_number: '000123456789', bic: 'CHASUS33' },
        ...{ bank_name: 'A Bank', bank_address: '1 Main Street, New York' },
      },
    ])('has the fields of its type only: $type', async (details) => {
      const { status, body } = await create({ ...details, merchant_external_id: await addMerchant() });
      expect(status).toBe(201);
      const { external_id: _, merchant_external_id: __, ...fields } = body;
      expect(fields).toEqual({
        ...details,
        ...{ is_verified: false, status: 'UNVERIFIED', payable_from: NOW, created_at: NOW, updated_at: NOW },
      });
    });

    it('pays a further account of a merchant after a day only', async () => {
      const merchant_external_id = await addMerchant();
      const first = await create(sepaBody({ merchant_external_id }));
      expect(first.body.payable_from).toBe(NOW);
      await world.send('DELETE', `${PATH}/${first.body.external_id}`);
      const second = await create(sepaBody({ merchant_external_id }));
      expect(second.body.payable_from).toBe(NOW + DAY);
    });

    it('takes the merchant of the key, where the request names none', async () => {
      const merchantExternalId = await addMerchant();
      const key = await world.addKey({ merchantExternalId });
      expect((await create(sepaBody(), key)).body.merchant_external_id).toBe(merchantExternalId);
    });

    it('stores no account number and no beneficiary in clear', async () => {
      const body = sepaBody({ beneficiary_name: 'Zebrafink AG', merchant_external_id: await addMerchant() });
      await create(body);
      expect(await tablesHolding(world, ['370400440532013000', 'Zebrafink AG'])).toEqual([]);
    });
  });

  describe('400', () => {
    const sepa = sepaBody({ merchant_external_id: 'any' });
    const fps = { type: 'FPS', beneficiary_name: 'Leaf', sort_code: '601613', account_number: '31926819' };
    it.each<[string, object, string, string]>([
      ['no type', { ...sepa, type: undefined }, 'REQUIRED', 'body.type'],
      ['an unknown type', { ...sepa, type: 'BACS' }, 'INVALID_ENUM', 'body.type'],
      ['SEPA without IBAN', { ...sepa, iban: undefined }, 'REQUIRED', 'body.iban'],
      ['SEPA without BIC', { ...sepa, bic: undefined }, 'REQUIRED', 'body.bic'],
      ['a sort code with SEPA', { ...sepa, sort_code: '601613' }, 'UNRECOGNIZED_KEYS', 'body.sort_code'],
      ['wrong check digits', { ...sepa, iban: 'DE88370400440532013000' }, 'INVALID_FORMAT', 'body.iban'],
      ['a wrong length', { ...sepa, iban: 'DE8937040044053201300' }, 'INVALID_FORMAT', 'body.iban'],
      ['no BIC', { ...sepa, bic: 'COBADE' }, 'INVALID_FORMAT', 'body.bic'],
      ['a BIC of another country', { ...sepa, bic: 'PSSTFRPP' }, 'INVALID_VALUE', 'body.bic'],
      [
        'a country outside SEPA',
        { ...sepa, iban: 'TR330006100519786457841326' },
        'INVALID_VALUE',
        'body.iban',
      ],
      ['no beneficiary', { ...sepa, beneficiary_name: ' ' }, 'TOO_SHORT', 'body.beneficiary_name'],
      ['a short sort code', { ...fps, sort_code: '60161' }, 'INVALID_FORMAT', 'body.sort_code'],
      [
        'a long account number',
        { ...fps, account_number: '319268190' },
        'INVALID_FORMAT',
        'body.account_number',
      ],
      ['FPS with a BIC', { ...fps, bic: 'COBADEFF' }, 'UNRECOGNIZED_KEYS', 'body.bic'],
      ['is_verified', { ...sepa, is_verified: true }, 'UNRECOGNIZED_KEYS', 'body.is_verified'],
    ])('refuses %s', async (_, body, code, path) => {
      const merchant_external_id = 'merchant_external_id' in body ? body.merchant_external_id : 'any';
      await world.post('/v1/merchants', merchantBody({ external_id: 'any' }));
      const reply = await create({ ...body, merchant_external_id });
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toContain(`${code} ${path}`);
    });

    it('refuses a request without merchant on a platform of many', async () => {
      expect(issuesOf((await create(sepaBody())).body)).toEqual(['REQUIRED body.merchant_external_id']);
    });
  });

  describe('403', () => {
    it('refuses another merchant than that of the key, and a key without payouts:write', async () => {
      const merchant_external_id = await addMerchant();
      const others = await world.addKey({ merchantExternalId: 'another' });
      const reader = await world.addKey({ scopes: ['read', 'orders:write'] });
      for (const key of [others, reader])
        expect((await create(sepaBody({ merchant_external_id }), key)).status).toBe(403);
    });
  });

  describe('409', () => {
    it('refuses an external_id that is, or was, taken', async () => {
      const merchant_external_id = await addMerchant();
      const body = sepaBody({ external_id: 'taken', merchant_external_id });
      expect((await create(body)).status).toBe(201);
      expect((await create(body)).body.reason).toBe('EXTERNAL_ID_ALREADY_EXISTS');
      await world.send('DELETE', `${PATH}/taken`);
      expect((await create(body)).body.reason).toBe('EXTERNAL_ID_ALREADY_EXISTS');
    });
  });

  describe('422', () => {
    it('refuses an unknown merchant', async () => {
      const { status, body } = await create(sepaBody({ merchant_external_id: 'nobody' }));
      expect([status, body.reason]).toEqual([422, 'REFERENCED_ENTITY_NOT_FOUND']);
    });
  });
});
