/** Closing the books: who does it, and what happens to entries that belong to the closed period. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { approveChange, requestChange } from '#modules/operators';
import type { PlatformRow } from '#modules/platforms';
import { paymentPosting, postOn, reversingPosting } from '#test/ledger';
import { untilAnyWaits } from '#test/lock-waits';
import { actAs } from '#test/operators';
import { createWorld, type World } from '#test/world';
import { listAccountBalances } from './balance.queries.ts';
import { listClosings } from './closing.queries.ts';
import { ledgerClosing } from './closing.ts';
import { findJournalEntry } from './journal.queries.ts';
import { post } from './posting.queries.ts';

/** 2025-11-20T12:00:00Z */
const NOW = 1_763_640_000;
/** The first instant of 2025-11-01 */
const NOVEMBER = 1_761_955_200;

let world: World;
let platform: PlatformRow;
let platformId: number;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  platform = (await world.addPlatform()).platform;
  platformId = platform.platform_id;
});

const as = { role: 'FINANCE' } as const;
const propose = async (day: string) => {
  const { approvalId } = await actAs(
    world,
    'ada',
    (context) => requestChange(context, ledgerClosing, { until: day }, 'Month end.'),
    { ...as, platform },
  );
  if (approvalId === null) throw new Error('One operator closed the books.');
  return approvalId;
};
const approve = (approvalId: string, by = 'ben') =>
  actAs(world, by, (context) => approveChange(context, [ledgerClosing], { approvalId, reason: 'Seen.' }), {
    ...as,
    platform,
  });
const close = async (day: string) => approve(await propose(day));
const find = async (entryId: string | undefined) => {
  const entry = await findJournalEntry(world.installation.db, platformId, entryId ?? '');
  if (!entry) throw new Error('There is no such entry.');
  return entry;
};
const balanceAt = async (at: number) =>
  (await listAccountBalances(world.installation.db, platformId, { at, knownAt: null })).find(
    ({ account }) => account === 'bank',
  )?.balance ?? 0n;

describe('the books', () => {
  it('are closed by two operators, and each closing is kept', async () => {
    const approvalId = await propose('2025-09-30');
    expect(await listClosings(world.installation.db, platformId)).toEqual([]);
    await expect(approve(approvalId, 'ada')).rejects.toThrow('cannot approve it');
    await approve(approvalId);
    await close('2025-10-31');
    expect(await listClosings(world.installation.db, platformId)).toMatchObject([
      { open_from: NOVEMBER - 31 * 86_400, actor: 'operator:ada', approved_by: 'operator:ben' },
      { open_from: NOVEMBER, closed_at: NOW, reason: 'Month end.' },
    ]);
  });

  it('are closed by FINANCE, not by CREDIT', async () => {
    const asCredit = { role: 'CREDIT', platform } as const;
    const request = actAs(
      world,
      'cleo',
      (context) => requestChange(context, ledgerClosing, { until: '2025-10-31' }, 'Why'),
      asCredit,
    );
    await expect(request).rejects.toThrow('this requires FINANCE');
    const approvalId = await propose('2025-10-31');
    const approval = actAs(
      world,
      'cleo',
      (context) => approveChange(context, [ledgerClosing], { approvalId, reason: 'Why' }),
      asCredit,
    );
    await expect(approval).rejects.toThrow('may not approve this');
  });

  it.each([
    ['2025-11-20', 'that day has not ended'],
    ['2025-11-21', 'that day has not ended'],
  ])('are not closed until %s, which is not over', async (day, message) => {
    await expect(propose(day)).rejects.toThrow(message);
  });

  it('are closed until yesterday, and neither twice nor until an earlier day', async () => {
    await close('2025-11-19');
    for (const day of ['2025-11-19', '2025-11-18', '2025-01-01'])
      await expect(propose(day)).rejects.toThrow('The books are already closed until 2025-11-19.');
  });

  it('are not closed by an approval of what was proposed before another closing', async () => {
    const approvalId = await propose('2025-10-31');
    await close('2025-09-30');
    await expect(approve(approvalId)).rejects.toThrow('changed after operator:ada proposed');
  });
});

describe('a closed day', () => {
  it('ends by the time zone of the platform', async () => {
    await world.sql(`update platforms set time_zone = 'America/New_York' where platform_id = ${platformId}`);
    await close('2025-10-31');
    // Four hours behind UTC until 2 November.
    expect(await listClosings(world.installation.db, platformId)).toMatchObject([
      { open_from: NOVEMBER + 4 * 3_600 },
    ]);
    await expect(propose('2025-10-31')).rejects.toThrow('already closed until 2025-10-31');
  });
});

describe('an entry', () => {
  it('of the last closed second counts from the first open one and keeps its own instant', async () => {
    await close('2025-10-31');
    const [last, first] = await postOn(
      world,
      platformId,
      paymentPosting({ effectiveAt: NOVEMBER - 1 }),
      paymentPosting({ effectiveAt: NOVEMBER }),
    );
    expect(await find(last)).toMatchObject({ effective_at: NOVEMBER, belongs_to_at: NOVEMBER - 1 });
    expect(await find(first)).toMatchObject({ effective_at: NOVEMBER, belongs_to_at: null });
    expect([await balanceAt(NOVEMBER - 1), await balanceAt(NOVEMBER)]).toEqual([0n, 23_800n]);
  });

  it('of a closed period is reversed in the open one, and the closed balance stays', async () => {
    const [entryId = ''] = await postOn(world, platformId, paymentPosting({ effectiveAt: NOVEMBER - 5 }));
    await close('2025-10-31');
    await postOn(world, platformId, await reversingPosting(world, platformId, entryId));
    expect([await balanceAt(NOVEMBER - 1), await balanceAt(NOVEMBER)]).toEqual([11_900n, 0n]);
  });

  it('is written into a closed period by nobody, not even the owner of the schema', async () => {
    await postOn(world, platformId, paymentPosting());
    await close('2025-10-31');
    const forged = world.sql(`begin;
      with entry as (
        insert into ledger_entries (platform_id, entry_id, cause, currency, effective_at, actor, line_count)
        values (${platformId}, gen_random_uuid(), 'CORRECTED', 'EUR', ${NOVEMBER - 1}, 'forger', 2) returning *
      )
      insert into ledger_lines (platform_id, entry_id, line, account, party, amount, currency, effective_at, recorded_at, ordinal)
      select platform_id, entry_id, 1 + n, 'loss', '', 1 - 2 * n, currency, effective_at, recorded_at, ordinal
      from entry cross join generate_series(0, 1) n;
      commit`);
    await expect(forged.finally(() => world.sql('rollback'))).rejects.toThrow('is in a closed period');
  });

  it('of another platform is not moved', async () => {
    await close('2025-10-31');
    const other = await world.addPlatform();
    const [id = ''] = await postOn(world, other.platform.platform_id, paymentPosting({ effectiveAt: 5 }));
    expect(await findJournalEntry(world.installation.db, other.platform.platform_id, id)).toMatchObject({
      effective_at: 5,
    });
  });
});

describe('closing beside postings', () => {
  it('waits for an entry that is being posted, which stays in the closed period', async () => {
    await postOn(world, platformId, paymentPosting());
    const approvalId = await propose('2025-10-31');
    const isPosted = Promise.withResolvers<string>();
    const end = Promise.withResolvers<void>();
    const slow = inTransaction(world.installation.db, async (db) => {
      const [id = ''] = await post(db, platformId, [paymentPosting({ effectiveAt: NOVEMBER - 1 })]);
      isPosted.resolve(id);
      await end.promise;
    });
    const id = await isPosted.promise;
    const closing = approve(approvalId);
    await untilAnyWaits(world);
    expect(await listClosings(world.installation.db, platformId)).toEqual([]);
    end.resolve();
    await Promise.all([slow, closing]);
    expect(await find(id)).toMatchObject({ effective_at: NOVEMBER - 1, belongs_to_at: null });
  });

  it('by many writers changes no closed balance: what was effective then stays, and nothing comes after', async () => {
    await postOn(world, platformId, paymentPosting({ effectiveAt: NOVEMBER - 1 }));
    const approvalId = await propose('2025-10-31');
    let isClosed = false;
    const writers = Array.from({ length: 6 }, async () => {
      for (let after = 0; after < 3; after += isClosed ? 1 : 0)
        await postOn(world, platformId, paymentPosting({ effectiveAt: NOVEMBER - 1 }));
    });
    const closing = approve(approvalId).finally(() => {
      isClosed = true;
    });
    await closing;
    const closed = await balanceAt(NOVEMBER - 1);
    await Promise.all(writers);
    expect(await balanceAt(NOVEMBER - 1)).toBe(closed);
    const rows = await world.sql<{ effective_at: string; belongs_to_at: string | null }>(
      'select distinct effective_at, belongs_to_at from ledger_entries where platform_id = $1 order by 1',
      [platformId],
    );
    expect(rows).toEqual([
      { effective_at: `${NOVEMBER - 1}`, belongs_to_at: null },
      { effective_at: `${NOVEMBER}`, belongs_to_at: `${NOVEMBER - 1}` },
    ]);
  });
});
