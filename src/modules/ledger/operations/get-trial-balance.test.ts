import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit, debit } from '#modules/ledger';
import { paymentPosting, postOn } from '#test/ledger';
import { createWorld, type World } from '#test/world';

/** 2025-11-20T12:00:00Z */
const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await postOn(
    world,
    world.platform.platform_id,
    paymentPosting({ effectiveAt: NOW }),
    paymentPosting({
      cause: 'ADVANCE_ACCEPTED',
      effectiveAt: NOW + 86_400,
      lines: [
        debit('buyer_receivable', 20_000, 'other-buyer'),
        credit('payout_clearing', 19_405),
        credit('fee_income', 500),
        credit('fee_tax', 95, 'S'),
      ],
    }),
    paymentPosting({ currency: 'JPY', effectiveAt: NOW }),
  );
});
afterAll(() => world.close());

const PATH = '/v1/ledger/trial_balance';
const item = (
  account: string,
  party: string | null,
  debitSide: number,
  creditSide: number,
  currency = 'EUR',
) => ({
  ...{ account, party, currency },
  ...{ debit: debitSide, credit: creditSide },
});

describe('GET /v1/ledger/trial_balance', () => {
  describe('200', () => {
    it('has every account on its side, by currency, and equal sums', async () => {
      const { status, body } = await world.get(PATH);
      expect(status).toBe(200);
      expect(body).toEqual({
        items: [
          item('bank', 'main', 11_900, 0),
          item('buyer_receivable', null, 8_100, 0),
          item('payout_clearing', null, 0, 19_405),
          item('fee_income', null, 0, 500),
          item('fee_tax', 'S', 0, 95),
          item('bank', 'main', 11_900, 0, 'JPY'),
          item('buyer_receivable', null, 0, 11_900, 'JPY'),
        ],
        totals: [
          { currency: 'EUR', debit: 20_000, credit: 20_000 },
          { currency: 'JPY', debit: 11_900, credit: 11_900 },
        ],
      });
    });

    it('is of one currency, and as of an instant', async () => {
      const { body } = await world.get(`${PATH}?currency=EUR&at=${NOW + 86_399}`);
      expect(body).toEqual({
        items: [item('bank', 'main', 11_900, 0), item('buyer_receivable', null, 0, 11_900)],
        totals: [{ currency: 'EUR', debit: 11_900, credit: 11_900 }],
      });
    });

    it('is empty before the first entry, and before anything was known', async () => {
      for (const query of ['at=5', 'known_at=5', 'at=0&known_at=0', 'currency=SEK'])
        expect((await world.get(`${PATH}?${query}`)).body).toEqual({ items: [], totals: [] });
      for (const query of ['at=253402300799', 'known_at=253402300799'])
        expect((await world.get(`${PATH}?${query}`)).body.items).toHaveLength(7);
    });

    it('has sums that no JavaScript number holds, to the cent', async () => {
      const { platform, apiKey } = await world.addPlatform();
      const most = 1_000_000_000_000_000;
      const lines = (amount: number) => [debit('bank', amount, 'main'), credit('suspense', amount)];
      const large = Array.from({ length: 10 }, () => paymentPosting({ lines: lines(most) }));
      await postOn(world, platform.platform_id, ...large, paymentPosting({ lines: lines(1) }));
      const { text } = await world.get(PATH, { key: apiKey });
      expect(text.match(/10000000000000001/g)).toHaveLength(4);
    });

    it('shows nothing of another platform', async () => {
      const { apiKey } = await world.addPlatform();
      expect((await world.get(PATH, { key: apiKey })).body).toEqual({ items: [], totals: [] });
    });
  });

  describe('400', () => {
    it.each(['at=soon', 'known_at=-1', 'currency=XXX', 'account=bank', 'at=1.5'])('for %s', async (query) => {
      expect((await world.get(`${PATH}?${query}`)).status).toBe(400);
    });
  });

  describe('403', () => {
    it('without the scope ledger:read', async () => {
      const key = await world.addKey({ scopes: ['read', 'credit:read'] });
      const { status, body } = await world.get(PATH, { key });
      expect([status, body.reason]).toEqual([403, 'INSUFFICIENT_SCOPE']);
      const enough = await world.addKey({ scopes: ['ledger:read'] });
      expect((await world.get(PATH, { key: enough })).status).toBe(200);
    });

    it('with a key of one merchant', async () => {
      const key = await world.addKey({ merchantExternalId: 'merchant' });
      const { status, body } = await world.get(PATH, { key });
      expect([status, body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
    });
  });
});
