import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody, merchantBody } from '#test/bodies';
import { englishBuyer, pageBrowser, pageCodes } from '#test/buyer-page';
import { mailsOf } from '#test/mails';
import { tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const EMAIL = 'accounts@buyer.example';
const NOW = 1_800_000_000;
const DAY = 86_400;
const PATH = '/v1/buyers/buyer/page_link';

describe('POST /v1/buyers/{external_id}/page_link', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      settings: { TRADELINE_WORKER: 'off' },
      platform: { communication_bcc_email: 'copies@platform.example' },
    });
    world.clock.set(NOW);
    await world.post('/v1/merchants', merchantBody({}));
    for (const external_id of ['buyer', 'other'])
      await world.post('/v1/buyers', englishBuyer({ external_id, contact_email: EMAIL }));
    await world.post('/v1/invoices', invoiceBody({ external_id: 'own', buyer_external_id: 'buyer' }));
    await world.post('/v1/invoices', invoiceBody({ external_id: 'foreign', buyer_external_id: 'other' }));
  });
  afterAll(() => world.close());

  const tokenOf = (url: string) => url.split('/').at(-1) ?? '';

  describe('200', () => {
    it('is a link for 90 days, of which nothing is stored or sent', async () => {
      const { status, body } = await world.post(PATH);
      expect([status, body]).toEqual([
        200,
        { url: expect.stringMatching(`^${world.baseUrl}/buyer/[\\w-]+$`), expires_at: NOW + 90 * DAY },
      ]);
      expect(await tablesHolding(world, [tokenOf(body.url)])).toEqual([]);
      expect(await mailsOf(world, {})).toEqual([]);
      const page = pageBrowser(world, tokenOf(body.url));
      expect((await page.get('code')).text).not.toContain(EMAIL);
      world.clock.set(NOW + 90 * DAY);
      expect((await page.get('code')).status).toBe(404);
      world.clock.set(NOW);
    });

    it('leads to the invoice, once the code has come to the buyer’s own address', async () => {
      const { body } = await world.post(PATH, { invoice_external_id: 'own' });
      const page = pageBrowser(world, tokenOf(body.url));
      expect((await page.get('invoices/own')).headers.get('location')).toBe('../code');
      await page.post('code/send');
      await page.post('code', { code: (await pageCodes(world, EMAIL)).at(-1) ?? '' });
      expect((await page.get('')).headers.get('location')).toBe(`${page.token}/`);
      expect((await page.get('.')).headers.get('location')).toMatch(/invoices\/own$/);
      expect((await page.get('invoices/own')).status).toBe(200);
      expect((await page.get('invoices/foreign')).status).toBe(404);
      expect(await mailsOf(world, { to: 'copies@platform.example' })).not.toEqual([]);
      for (const { text } of await mailsOf(world, { to: 'copies@platform.example' }))
        expect(text).not.toContain('/buyer/');
    });
  });

  describe('403', () => {
    it('refuses a key that only reads, and one of a merchant', async () => {
      const reader = await world.addKey({ scopes: ['read'] });
      const merchant = await world.addKey({ merchantExternalId: 'merchant' });
      expect(await world.post(PATH, undefined, { key: reader })).toMatchObject({
        ...{ status: 403, body: { reason: 'INSUFFICIENT_SCOPE' } },
      });
      expect(await world.post(PATH, undefined, { key: merchant })).toMatchObject({
        ...{ status: 403, body: { reason: 'MERCHANT_NOT_ALLOWED' } },
      });
    });
  });

  it('404: for an unknown buyer, and for one of another platform', async () => {
    const { apiKey } = await world.addPlatform();
    expect((await world.post('/v1/buyers/nobody/page_link')).status).toBe(404);
    expect((await world.post(PATH, undefined, { key: apiKey })).status).toBe(404);
  });

  it.each(['foreign', 'nothing'])(
    '422: refuses the invoice %s, which is none of the buyer',
    async (invoice) => {
      expect(await world.post(PATH, { invoice_external_id: invoice })).toMatchObject({
        status: 422,
        body: {
          reason: 'REFERENCED_ENTITY_NOT_FOUND',
          details: { field: 'body.invoice_external_id', value: invoice },
        },
      });
    },
  );
});
