import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberEntries } from '#modules/ledger';
import { paymentPosting, postOn } from '#test/ledger';
import { createWorld, type World } from '#test/world';

/** 2025-11-20T12:00:00Z */
const NOW = 1_763_640_000;
const DAYS = 12;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const { platform_id: platformId } = world.platform;
  // Backwards in time, two at each instant, the latest half of them without a number.
  const postings = Array.from({ length: DAYS }, (_, day) => {
    const posting = paymentPosting({ effectiveAt: NOW - day * 86_400 });
    return [posting, posting];
  }).flat();
  await postOn(world, platformId, ...postings.slice(DAYS));
  await numberEntries(world.installation.db, world.installation.vault);
  await postOn(world, platformId, ...postings.slice(0, DAYS));
});
afterAll(() => world.close());

const PATH = '/v1/ledger/statement';
const BANK = 'account=bank&party=main&currency=EUR';
const BUYER = 'account=buyer_receivable&party=buyer&currency=EUR';

describe('GET /v1/ledger/statement', () => {
  describe('200', () => {
    it.each([
      [BANK, 11_900],
      [BUYER, -11_900],
    ])('has every line of %s with the running balance', async (query, amount) => {
      const { status, body } = await world.get(`${PATH}?${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ opening_balance: 0, next: null, currency: 'EUR' });
      expect(body.items).toHaveLength(2 * DAYS);
      expect(body.items[0]).toMatchObject({
        ...{ cause: 'PAYMENT_RECORDED', effective_at: NOW - (DAYS - 1) * 86_400, belongs_to_at: null },
        ...{ invoice_external_id: 'invoice-1', payment_id: 'payment-1', order_external_id: null },
        ...{ debit: Math.max(0, amount), credit: Math.max(0, -amount), balance: amount },
      });
      expect(body.items.map((each: { balance: number }) => each.balance)).toEqual(
        Array.from({ length: 2 * DAYS }, (_, index) => (index + 1) * amount),
      );
    });

    it.each([BANK, BUYER])('has pages that are one list, with their opening balances: %s', async (query) => {
      const whole = (await world.get(`${PATH}?${query}`)).body.items;
      for (const limit of [1, 5, 7]) {
        const items: { balance: number }[] = [];
        let after = '';
        do {
          const { body } = await world.get(`${PATH}?${query}&limit=${limit}${after}`);
          expect(body.opening_balance).toBe(items.at(-1)?.balance ?? 0);
          items.push(...body.items);
          after = body.next === null ? '' : `&after=${body.next}`;
        } while (after !== '');
        expect(items).toEqual(whole);
      }
    });

    it('begins and ends where it is asked to', async () => {
      const range = `from=${NOW - 2 * 86_400}&at=${NOW - 86_400}`;
      const { body } = await world.get(`${PATH}?${BANK}&${range}`);
      expect(body.opening_balance).toBe(2 * (DAYS - 3) * 11_900);
      expect(body.items).toHaveLength(4);
    });

    it('knows what was known then', async () => {
      expect((await world.get(`${PATH}?${BANK}&known_at=5`)).body).toMatchObject({
        ...{ opening_balance: 0, items: [], next: null },
      });
    });

    it('is empty for a party without entries and for one of another platform', async () => {
      const { platform, apiKey } = await world.addPlatform();
      const theirs = {
        ...paymentPosting(),
        lines: paymentPosting().lines.map((line) => ({ ...line, party: 'theirs' })),
      };
      await postOn(world, platform.platform_id, theirs);
      const of = (party: string) =>
        world.get(`${PATH}?account=buyer_receivable&party=${party}&currency=EUR`).then(({ body }) => body);
      expect(await of('theirs')).toEqual({ ...(await of('nobody')), party: 'theirs' });
      const { body } = await world.get(`${PATH}?${BUYER.replace('=buyer&', '=theirs&')}`, { key: apiKey });
      expect(body.items).toHaveLength(1);
    });
  });

  describe('400', () => {
    it.each([
      ['account=bank&currency=EUR', 'is required: a bank account'],
      ['account=loss&party=x&currency=EUR', 'must be left out: loss has no party'],
    ])('for %s', async (query, message) => {
      const { status, body } = await world.get(`${PATH}?${query}`);
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ path: 'query.party', message }]);
    });

    it.each([
      'account=cash&currency=EUR',
      'account=loss',
      `${BANK}&limit=101`,
      `${BANK}&after=1`,
      `${BANK}&after=1-2-x`,
      `${BANK}&offset=1`,
      'account=bank&party=a%20b&currency=EUR',
    ])('for %s', async (query) => {
      expect((await world.get(`${PATH}?${query}`)).status).toBe(400);
    });
  });

  describe('403', () => {
    it('without the scope, and with a key of one merchant', async () => {
      const reader = await world.addKey({ scopes: ['read'] });
      const ofMerchant = await world.addKey({ merchantExternalId: 'merchant' });
      const reasons = [reader, ofMerchant].map(
        async (key) => (await world.get(`${PATH}?${BANK}`, { key })).body.reason,
      );
      expect(await Promise.all(reasons)).toEqual(['INSUFFICIENT_SCOPE', 'MERCHANT_NOT_ALLOWED']);
    });
  });
});
