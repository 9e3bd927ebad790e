import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { creditNoteBody } from '#test/credit-notes';
import { createWorld, type World } from '#test/world';

describe('GET /v1/credit_notes/{external_id}', () => {
  let world: World;
  let answered: object;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await world.post('/v1/merchants', merchantBody({}));
    await world.post('/v1/buyers', buyerBody({}));
    await world.post('/v1/invoices', invoiceBody({}));
    ({ body: answered } = await world.post('/v1/credit_notes', creditNoteBody({})));
  });
  afterAll(() => world.close());
  const get = (id: string, key = world.apiKey) => world.get(`/v1/credit_notes/${id}`, { key });

  it('200: answers the credit note with its version, also to a key of its merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'merchant', scopes: ['read'] });
    for (const reply of [await get('credit-note'), await get('credit-note', key)]) {
      expect(reply.status).toBe(200);
      expect(reply.headers.get('etag')).toMatch(/^"1(-gzip)?"$/);
      expect(reply.body).toEqual(answered);
    }
  });

  it('404: an unknown one, of another platform, and of another merchant for its key', async () => {
    const { apiKey } = await world.addPlatform();
    const ofMerchant = await world.addKey({ merchantExternalId: 'another' });
    const replies = [
      await get('nothing'),
      await get('credit-note', apiKey),
      await get('credit-note', ofMerchant),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      replies.map(() => [404, 'NOT_FOUND']),
    );
  });
});
