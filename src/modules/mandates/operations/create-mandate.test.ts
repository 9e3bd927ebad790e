import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const IBAN = 'DE89370400440532013000';
const NOW = 1_800_000_000;

describe('POST /v1/buyers/{external_id}/mandates', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(NOW);
  });
  afterAll(() => world.close());

  async function addBuyer(): Promise<string> {
    const external_id = `buyer-${++made}`;
    expect((await world.post('/v1/buyers', buyerBody({ external_id }))).status).toBe(201);
    return external_id;
  }
  const create = (buyer: string, more: object = {}, key = world.apiKey) =>
    world.post(`/v1/buyers/${buyer}/mandates`, { iban: IBAN, ...more }, { key });

  describe('201', () => {
    it('has every documented field, the legal name as the holder and a reference of ours', async () => {
      const buyer = await addBuyer();
      const { status, headers, body } = await create(buyer);
      expect(status).toBe(201);
      expect(headers.get('etag')).toBe('"1"');
      expect(headers.get('location')).toBe(`/v1/buyers/${buyer}/mandates/${body.reference}`);
      expect(body).toEqual({
        reference: expect.stringMatching(/^M-[0-9A-F]{24}$/),
        buyer_external_id: buyer,
        status: 'ACTIVE',
        account_holder: 'Café Morgenrot eG',
        iban_last_four: '3000',
        signed_at: NOW,
        revoked_at: null,
        created_at: NOW,
        updated_at: NOW,
      });
    });

    it('has what was sent, at a Location with the reference encoded', async () => {
      const buyer = await addBuyer();
      const sent = {
        account_holder: 'Ines Albrecht',
        reference: "A+b?c/d:(1).2,'3-",
        signed_at: 1_700_000_000,
      };
      const created = await create(buyer, { ...sent, iban: 'de89 3704 0044 0532 0130 00' });
      expect(created.body).toMatchObject(sent);
      const read = await world.get(created.headers.get('location') as string);
      expect([read.status, read.text]).toEqual([200, created.text]);
    });

    it('keeps IBAN and holder out of every table in clear, even if the answer is stored for a repetition', async () => {
      const buyer = await addBuyer();
      const body = { iban: 'GB29 NWBK 6016 1331 9268 19', account_holder: 'Zyxwvu Anneliese' };
      const headers = { 'idempotency-key': 'mandate-once' };
      expect((await world.post(`/v1/buyers/${buyer}/mandates`, body, { headers })).status).toBe(201);
      const secrets = ['GB29NWBK60161331926819', 'NWBK 6016 1331', '60161331926819', 'Zyxwvu Anneliese'];
      expect(await tablesHolding(world, secrets)).toEqual([]);
      expect(await tablesHolding(world, [buyer])).toContain('mandates');
    });

    it('writes a history row, and neither an event nor a version of the buyer', async () => {
      const buyer = await addBuyer();
      const before = await world.get(`/v1/buyers/${buyer}`);
      const { body } = await create(buyer);
      const after = await world.get(`/v1/buyers/${buyer}`);
      expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
      expect(await recordedEvents(world, buyer)).toHaveLength(1);
      const history = await world.sql(
        'select version, from_status, to_status, trigger, actor from mandate_transitions where reference = $1',
        [body.reference],
      );
      const actor = expect.stringMatching(/^api_key:/);
      expect(history).toEqual([
        { version: 1, from_status: null, to_status: 'ACTIVE', trigger: 'create', actor },
      ]);
    });

    it('takes an invited buyer whose account holder is named, and a reference of another platform', async () => {
      const invited = { external_id: 'invited', contact_email: 'kim@x.example' };
      await world.post('/v1/buyers', invited);
      const { apiKey: key } = await world.addPlatform();
      await world.post('/v1/buyers', buyerBody({ external_id: 'invited' }), { key });
      const mandate = { account_holder: 'Kim', reference: 'SHARED' };
      const replies = [await create('invited', mandate), await create('invited', mandate, key)];
      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    });
  });

  describe('400', () => {
    it('returns every issue with its path', async () => {
      const { body } = await world.post('/v1/buyers/b/mandates', {
        iban: 'DE88370400440532013000',
        account_holder: 'x'.repeat(141),
        reference: 'x'.repeat(36),
        signed_at: 'today',
        bic: 'COBADEFF',
      });
      expect(issuesOf(body)).toEqual([
        'INVALID_FORMAT body.iban',
        'INVALID_TYPE body.signed_at',
        'TOO_LONG body.account_holder',
        'TOO_LONG body.reference',
        'UNRECOGNIZED_KEYS body.bic',
      ]);
    });

    it.each(['', '/a', 'a/', 'a//b', 'a b', 'ä', 'a_b', 'a\n'])(
      'refuses the reference %j',
      async (reference) => {
        const { status, body } = await create(await addBuyer(), { reference });
        expect([status, body.issues[0].path]).toEqual([400, 'body.reference']);
      },
    );

    it.each(['', 'DE8937040044053201300', 'XX82WEST12345698765432', '3704004405320130'])(
      'refuses the IBAN %j',
      async (iban) => {
        expect(issuesOf((await create(await addBuyer(), { iban })).body)).toEqual([
          'INVALID_FORMAT body.iban',
        ]);
      },
    );

    it('refuses a signature in the future', async () => {
      const reply = await create(await addBuyer(), { signed_at: NOW + 3_600 });
      expect(issuesOf(reply.body)).toEqual(['IN_THE_FUTURE body.signed_at']);
    });
  });

  describe('403', () => {
    it('refuses a key without orders:write, and a key of one merchant', async () => {
      const buyer = await addBuyer();
      const reader = await world.addKey({ scopes: ['read'] });
      const merchant = await world.addKey({ merchantExternalId: 'm1' });
      expect((await create(buyer, {}, reader)).body.reason).toBe('INSUFFICIENT_SCOPE');
      expect((await create(buyer, {}, merchant)).body.reason).toBe('MERCHANT_NOT_ALLOWED');
      expect((await world.get(`/v1/buyers/${buyer}/mandates`)).body.total).toBe(0);
    });
  });

  describe('404', () => {
    it('is the answer for an unknown buyer and for one of another platform', async () => {
      const { apiKey: key } = await world.addPlatform();
      const replies = [await create('nobody'), await create(await addBuyer(), {}, key)];
      expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    });
  });

  describe('409', () => {
    it('MANDATE_EXISTS names the active mandate, and whether it is on the same account', async () => {
      const buyer = await addBuyer();
      const { body: active } = await create(buyer);
      for (const [iban, isSame] of [
        ['DE89 3704 0044 0532 0130 00', true],
        ['NO9386011117947', false],
      ] as const)
        expect(await create(buyer, { iban })).toMatchObject({
          status: 409,
          body: {
            code: 'CONFLICT',
            reason: 'MANDATE_EXISTS',
            details: { reference: active.reference, is_same_account: isSame },
          },
        });
    });

    it('MANDATE_REFERENCE_EXISTS refuses the reference of another buyer in any case, and stores nothing', async () => {
      await create(await addBuyer(), { reference: 'Taken-1' });
      const buyer = await addBuyer();
      const refused = await create(buyer, { reference: 'tAKEN-1' });
      expect([refused.status, refused.body.reason]).toEqual([409, 'MANDATE_REFERENCE_EXISTS']);
      expect((await create(buyer)).status).toBe(201);
    });

    it('is returned to all but one of 20 concurrent requests, which revocations do not disturb', async () => {
      const buyer = await addBuyer();
      const { body: first } = await create(buyer);
      const path = `/v1/buyers/${buyer}/mandates/${first.reference}/revoke`;
      const [revoked, ...replies] = await Promise.all([
        world.post(path),
        ...Array.from({ length: 20 }, () => create(buyer)),
      ]);
      expect(revoked?.status).toBe(200);
      const created = replies.filter(({ status }) => status === 201);
      expect(replies.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
      const { body } = await world.get(`/v1/buyers/${buyer}/mandates`);
      const active = body.items.filter((item: { status: string }) => item.status === 'ACTIVE');
      expect(active.map((item: { reference: string }) => item.reference)).toEqual(
        created.map((reply) => reply.body.reference),
      );
      expect(created.length).toBeLessThanOrEqual(1);
    });
  });

  describe('422', () => {
    it('refuses an invited buyer without an account holder', async () => {
      await world.post('/v1/buyers', { external_id: 'unnamed', contact_email: 'kim@x.example' });
      const { status, body } = await create('unnamed');
      expect([status, body.reason]).toEqual([422, 'BUYER_INCOMPLETE']);
    });
  });
});
