import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberEntries } from '#modules/ledger';
import { paymentPosting, postOn, reversingPosting } from '#test/ledger';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const get = (entryId: string, key?: string) =>
  world.get(`/v1/ledger/entries/${encodeURIComponent(entryId)}`, key === undefined ? {} : { key });
const number = () => numberEntries(world.installation.db, world.installation.vault);

describe('GET /v1/ledger/entries/{entry_id}', () => {
  describe('200', () => {
    it('shows an entry with its lines, and its number once it has one', async () => {
      const { platform_id: platformId } = world.platform;
      const [entryId = ''] = await postOn(world, platformId, paymentPosting());
      const { status, body } = await get(entryId);
      expect(status).toBe(200);
      expect(body).toEqual({
        ...{ entry_id: entryId, number: null, hash: null, cause: 'PAYMENT_RECORDED', currency: 'EUR' },
        ...{ effective_at: 1_763_640_000, belongs_to_at: null, recorded_at: expect.any(Number) },
        ...{ actor: 'service', approved_by: null, reverses_entry_id: null, reversed_by_entry_id: null },
        ...{ order_external_id: null, invoice_external_id: 'invoice-1', payment_id: 'payment-1' },
        ...{ credit_note_external_id: null, service_external_id: null, payout_external_id: null },
        lines: [
          { account: 'bank', party: 'main', debit: 11_900, credit: 0 },
          { account: 'buyer_receivable', party: 'buyer', debit: 0, credit: 11_900 },
        ],
      });
      await number();
      expect((await get(entryId)).body).toEqual({
        ...body,
        number: 1,
        hash: expect.stringMatching(/^[\da-f]{64}$/),
      });
    });

    it('shows what it reverses, and by what it is reversed', async () => {
      const { platform_id: platformId } = world.platform;
      const [entryId = ''] = await postOn(world, platformId, paymentPosting());
      const [reversalId = ''] = await postOn(
        world,
        platformId,
        await reversingPosting(world, platformId, entryId),
      );
      expect((await get(entryId)).body).toMatchObject({
        reversed_by_entry_id: reversalId,
        reverses_entry_id: null,
      });
      expect((await get(reversalId)).body).toMatchObject({
        reversed_by_entry_id: null,
        reverses_entry_id: entryId,
      });
    });
  });

  describe('403', () => {
    it('without the scope, and with a key of one merchant', async () => {
      const [entryId = ''] = await postOn(world, world.platform.platform_id, paymentPosting());
      const keys = [
        await world.addKey({ scopes: ['read'] }),
        await world.addKey({ merchantExternalId: 'merchant' }),
      ];
      const reasons = keys.map(async (key) => (await get(entryId, key)).body.reason);
      expect(await Promise.all(reasons)).toEqual(['INSUFFICIENT_SCOPE', 'MERCHANT_NOT_ALLOWED']);
    });
  });

  describe('404', () => {
    it('for an unknown entry, any text, and one of another platform: the same answer', async () => {
      const { platform } = await world.addPlatform();
      const [theirs = ''] = await postOn(world, platform.platform_id, paymentPosting());
      const replies = await Promise.all(
        [theirs, '00000000-0000-0000-0000-000000000000', 'no-uuid'].map((id) => get(id)),
      );
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(new Set(replies.map(({ text }) => text.replace(/"request_id":"[^"]+"/, ''))).size).toBe(1);
    });
  });
});
