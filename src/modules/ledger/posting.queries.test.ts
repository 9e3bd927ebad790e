/** Posting: what is written, what concurrent transactions write, and what the database refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { entriesOf, paymentPosting, postOn, reversingPosting } from '#test/ledger';
import { createWorld, type World } from '#test/world';
import { ACCOUNT_CODES, ACCOUNTS, credit, debit } from './account.rules.ts';
import { POSTING_CAUSES } from './cause.rules.ts';
import { findJournalEntry } from './journal.queries.ts';
import { post } from './posting.queries.ts';
import { reversalOf } from './reversal.rules.ts';

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  platformId = world.platform.platform_id;
});
afterAll(() => world.close());

const find = (entryId: string | undefined, platform = platformId) =>
  findJournalEntry(world.installation.db, platform, entryId ?? '');
const entriesStored = async () =>
  (await world.sql<{ count: string }>('select count(*) from ledger_entries'))[0]?.count;

describe('an entry', () => {
  it('has its times, actors, documents and lines', async () => {
    const [entryId] = await postOn(world, platformId, paymentPosting({ approvedBy: 'operator:ben' }));
    expect(await find(entryId)).toMatchObject({
      platform_id: platformId,
      entry_id: entryId,
      cause: 'PAYMENT_RECORDED',
      currency: 'EUR',
      effective_at: 1_763_640_000,
      belongs_to_at: null,
      actor: 'service',
      approved_by: 'operator:ben',
      order_external_id: null,
      invoice_external_id: 'invoice-1',
      payment_id: 'payment-1',
      reverses_entry: null,
      lines: [
        { line: 1, account: 'bank', party: 'main', amount: 11_900 },
        { line: 2, account: 'buyer_receivable', party: 'buyer', amount: -11_900 },
      ],
    });
  });

  it('is recorded by the clock of the database, to the microsecond', async () => {
    const now = async () =>
      Number(
        (await world.sql<{ us: string }>('select extract(epoch from clock_timestamp()) * 1000000 as us'))[0]
          ?.us,
      );
    const before = await now();
    const [entryId] = await postOn(world, platformId, paymentPosting());
    const recorded = (await find(entryId))?.recorded_us ?? 0;
    expect(recorded).toBeGreaterThanOrEqual(before);
    expect(recorded).toBeLessThanOrEqual(await now());
  });

  it('is found by its invoice and by its payment, in the order of posting', async () => {
    const documents = { invoiceExternalId: 'found', paymentId: 'found-payment' };
    const ids = await postOn(
      world,
      platformId,
      paymentPosting({ documents, effectiveAt: 200 }),
      paymentPosting({ documents: { invoiceExternalId: 'found' }, effectiveAt: 100 }),
    );
    const idsOf = (entries: { entry_id: string }[]) => entries.map(({ entry_id: id }) => id);
    expect(idsOf(await entriesOf.invoice(world, platformId, 'found'))).toEqual(ids);
    expect(idsOf(await entriesOf.payment(world, platformId, 'found-payment'))).toEqual(ids.slice(0, 1));
  });

  it('can have every account and every cause', async () => {
    const lines = ACCOUNT_CODES.map((account) => ({
      account,
      party: ACCOUNTS[account].party === null ? '' : 'somebody',
      amountMinor: 1,
    }));
    const balanced = [...lines, credit('suspense', lines.length)];
    const postings = POSTING_CAUSES.map((cause) => paymentPosting({ cause, lines: balanced }));
    expect(await postOn(world, platformId, ...postings)).toHaveLength(POSTING_CAUSES.length);
  });

  it('of another platform, an unknown id and any text find nothing', async () => {
    const other = await world.addPlatform();
    const [entryId] = await postOn(world, platformId, paymentPosting());
    for (const [id, platform] of [
      [entryId, other.platform.platform_id],
      ['00000000-0000-0000-0000-000000000000', platformId],
      ["' or true --", platformId],
    ] as const)
      expect(await find(id, platform)).toBeUndefined();
  });

  it('is not written if the transaction is rolled back, nor beside one that is no entry', async () => {
    const before = await entriesStored();
    const failing = inTransaction(world.installation.db, async (db) => {
      await post(db, platformId, [paymentPosting()]);
      throw new Error('Changed my mind.');
    });
    await expect(failing).rejects.toThrow('Changed my mind.');
    const unbalanced = paymentPosting({ lines: [debit('loss', 2), credit('recovery', 1)] });
    await expect(postOn(world, platformId, paymentPosting(), unbalanced)).rejects.toThrow('sum to 1');
    expect(await entriesStored()).toBe(before);
  });

  it('none is no work', async () => {
    expect(await postOn(world, platformId)).toEqual([]);
  });
});

describe('the first entries of a platform', () => {
  it('can be posted by many at once', async () => {
    const { platform } = await world.addPlatform();
    const posted = await Promise.all(
      Array.from({ length: 8 }, () =>
        postOn(world, platform.platform_id, paymentPosting(), paymentPosting()),
      ),
    );
    expect(new Set(posted.flat()).size).toBe(16);
    for (const id of posted.flat()) expect(await find(id, platform.platform_id)).toBeDefined();
  });
});

describe('writers of the same accounts', () => {
  it('do not wait for one another', async () => {
    const open = Promise.withResolvers<void>();
    const isPosted = Promise.withResolvers<void>();
    const slow = inTransaction(world.installation.db, async (db) => {
      await post(db, platformId, [paymentPosting()]);
      isPosted.resolve();
      await open.promise;
    });
    await isPosted.promise;
    expect(await postOn(world, platformId, paymentPosting())).toHaveLength(1);
    open.resolve();
    await slow;
  });
});

describe('a reversal', () => {
  it('has the opposite lines and the documents of what it reverses', async () => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const [reversalId] = await postOn(world, platformId, await reversingPosting(world, platformId, entryId));
    expect(await find(reversalId)).toMatchObject({
      cause: 'PAYMENT_REVERSED',
      reverses_entry: entryId,
      invoice_external_id: 'invoice-1',
      payment_id: 'payment-1',
      lines: [
        { line: 1, account: 'bank', party: 'main', amount: -11_900 },
        { line: 2, account: 'buyer_receivable', party: 'buyer', amount: 11_900 },
      ],
    });
  });

  it('happens once: of two at the same time one is refused', async () => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const reversal = await reversingPosting(world, platformId, entryId);
    const ends = await Promise.allSettled([1, 2].map(() => postOn(world, platformId, reversal)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(postOn(world, platformId, reversal)).rejects.toThrow('ledger_entries_by_reversed');
  });

  it('is not reversed', async () => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const [reversalId] = await postOn(world, platformId, await reversingPosting(world, platformId, entryId));
    const reversal = await find(reversalId);
    if (!reversal) throw new Error('The reversal is gone.');
    const made = { cause: 'CORRECTED', effectiveAt: 1, actor: 'service' } as const;
    expect(() => reversalOf(reversal, made)).toThrow('is a reversal');
  });

  it.each([
    [
      'another amount',
      { lines: [credit('bank', 11_899, 'main'), debit('buyer_receivable', 11_899, 'buyer')] },
    ],
    [
      'another party',
      { lines: [credit('bank', 11_900, 'main'), debit('buyer_receivable', 11_900, 'other')] },
    ],
    ['another currency', { currency: 'GBP' as const }],
    ['the same signs', { lines: paymentPosting().lines }],
  ])('with %s is refused', async (_, changes) => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const forged = await reversingPosting(world, platformId, entryId, changes);
    await expect(postOn(world, platformId, forged)).rejects.toThrow('is not the opposite');
  });

  it('of an entry of another platform is refused', async () => {
    const other = await world.addPlatform();
    const [entryId = ''] = await postOn(world, platformId, paymentPosting());
    const reversal = await reversingPosting(world, platformId, entryId);
    await expect(postOn(world, other.platform.platform_id, reversal)).rejects.toThrow('foreign key');
  });
});

describe('the database refuses', () => {
  it('to delete an entry that has no number yet, even to the owner of the schema', async () => {
    const [entryId] = await postOn(world, platformId, paymentPosting());
    await expect(world.sql('delete from ledger_entries where entry_id = $1', [entryId])).rejects.toThrow(
      'ledger_unnumbered',
    );
  });

  it('to change or delete entries and lines, to the service', async () => {
    const { db } = world.installation;
    for (const attempt of [
      () => db.updateTable('ledger_entries').set({ actor: 'nobody' }).execute(),
      () => db.deleteFrom('ledger_entries').execute(),
      () => db.updateTable('ledger_lines').set({ amount: 1 }).execute(),
      () => db.deleteFrom('ledger_lines').execute(),
      () => db.deleteFrom('ledger_books').execute(),
      () => db.updateTable('ledger_unnumbered').set({ ordinal: 1 }).execute(),
    ])
      await expect(attempt()).rejects.toThrow(/permission denied/);
  });
});
