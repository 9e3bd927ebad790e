import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;

describe('POST /v1/buyers/{external_id}/mandates/{reference}/revoke', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'other' }));
  });
  afterAll(() => world.close());

  /** The path of a new buyer's active mandate. */
  async function addMandate(): Promise<string> {
    world.clock.set(NOW);
    const external_id = `buyer-${++made}`;
    await world.post('/v1/buyers', buyerBody({ external_id }));
    const created = await world.post(`/v1/buyers/${external_id}/mandates`, { iban: 'NO9386011117947' });
    return created.headers.get('location') as string;
  }

  describe('200', () => {
    it('revokes it with a history row, and another account can be mandated', async () => {
      const path = await addMandate();
      world.clock.set(NOW + 60);
      const { status, headers, body } = await world.post(`${path}/revoke`);
      expect([status, headers.get('etag')]).toEqual([200, '"2"']);
      expect(body).toMatchObject({
        status: 'REVOKED',
        revoked_at: NOW + 60,
        created_at: NOW,
        updated_at: NOW + 60,
      });
      expect((await world.get(path)).body).toEqual(body);
      const history = await world.sql(
        'select version, from_status, to_status, trigger from mandate_transitions where reference = $1 order by version',
        [body.reference],
      );
      expect(history).toEqual([
        { version: 1, from_status: null, to_status: 'ACTIVE', trigger: 'create' },
        { version: 2, from_status: 'ACTIVE', to_status: 'REVOKED', trigger: 'revoke' },
      ]);
      const next = await world.post(path.slice(0, path.lastIndexOf('/')), { iban: 'DE89370400440532013000' });
      expect(next.status).toBe(201);
    });
  });

  describe('403', () => {
    it('refuses a key without orders:write, and a key of one merchant', async () => {
      const path = await addMandate();
      const reader = await world.addKey({ scopes: ['read'] });
      const merchant = await world.addKey({ merchantExternalId: 'm1' });
      for (const key of [reader, merchant])
        expect((await world.post(`${path}/revoke`, undefined, { key })).status).toBe(403);
      expect((await world.get(path)).body.status).toBe('ACTIVE');
    });
  });

  describe('404', () => {
    it('is the answer for an unknown reference, and one of another buyer or platform', async () => {
      const path = await addMandate();
      const reference = path.slice(path.lastIndexOf('/') + 1);
      const { apiKey: key } = await world.addPlatform();
      const replies = [
        await world.post(`${path}X/revoke`),
        await world.post(`/v1/buyers/nobody/mandates/${reference}/revoke`),
        await world.post(`/v1/buyers/other/mandates/${reference}/revoke`),
        await world.post(`${path}/revoke`, undefined, { key }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect((await world.get(path)).body.status).toBe('ACTIVE');
    });
  });

  describe('409', () => {
    it('refuses a revoked one', async () => {
      const path = await addMandate();
      await world.post(`${path}/revoke`);
      expect(await world.post(`${path}/revoke`)).toMatchObject({
        status: 409,
        body: { reason: 'INVALID_STATUS_TRANSITION', details: { status: 'REVOKED', allowed: [] } },
      });
    });
  });

  describe('412', () => {
    it('refuses an outdated If-Match', async () => {
      const path = await addMandate();
      const headers = { 'if-match': '"7"' };
      expect((await world.post(`${path}/revoke`, undefined, { headers })).status).toBe(412);
      expect((await world.get(path)).body.status).toBe('ACTIVE');
    });
  });
});
