import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

describe('GET /v1/invoices/{external_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(NOW);
    await world.post('/v1/merchants', merchantBody({}));
    await world.post('/v1/buyers', buyerBody({}));
    await world.post('/v1/invoices', invoiceBody({}));
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('answers the invoice with its version, and no services unless they are expanded', async () => {
      const { status, headers, body } = await world.get('/v1/invoices/invoice');
      expect(status).toBe(200);
      expect(headers.get('etag')).toMatch(/^"1(-gzip)?"$/);
      expect(body).toMatchObject({ external_id: 'invoice', status: 'OPEN', days_past_due: null });
      expect(body).not.toHaveProperty('services');
      const expanded = await world.get('/v1/invoices/invoice?expand=services');
      expect(expanded.body).toEqual({ ...body, services: [] });
    });

    it('counts the calendar days since the due day, 1 on the first', async () => {
      await world.sql(`update invoices set status = 'DUE', falls_due_at = null, due_on = '2025-11-19'`);
      const daysAt = async (at: number) => {
        world.clock.set(at);
        return (await world.get('/v1/invoices/invoice')).body.days_past_due;
      };
      // 2025-11-20 12:00 UTC.
      expect(await daysAt(NOW)).toBe(1);
      expect(await daysAt(NOW + DAY / 2 - 1)).toBe(1);
      expect(await daysAt(NOW + DAY / 2)).toBe(2);
      expect(await daysAt(NOW + 30 * DAY)).toBe(31);
    });
  });

  it('400 for an unknown expansion', async () => {
    const { status, body } = await world.get('/v1/invoices/invoice?expand=buyer');
    expect([status, body.issues[0].path]).toEqual([400, 'query.expand']);
  });

  it('404 for an unknown invoice, and one of another platform', async () => {
    const { apiKey } = await world.addPlatform();
    const unknown = await world.get('/v1/invoices/nothing');
    const foreign = await world.get('/v1/invoices/invoice', { key: apiKey });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.body.code).toBe('NOT_FOUND');
  });
});
