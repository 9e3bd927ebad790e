/** Open balances of merchants: before, between and after the numbering of entries, regardless of their history. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postOn } from '#test/ledger';
import { olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';
import { plansOf } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { credit, debit } from './account.rules.ts';
import { NOW_AND_ALL } from './as-of.rules.ts';
import { listBalancesOfParties, listInvoiceBalances } from './balance.queries.ts';
import { ledgerKeyOf } from './entry-chain.rules.ts';
import { checkEquations, ledgerEquations } from './equation.ts';
import { numberEntries } from './numbering.ts';

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  platformId = world.platform.platform_id;
});
afterAll(() => world.close());

const number = () => numberEntries(world.installation.db, world.installation.vault);
const entry = { currency: 'EUR', effectiveAt: 1_763_640_000, actor: 'service' } as const;
/** A buyer pays the platform for a merchant; a negative amount takes it back. */
const collected = (merchant: string, invoice: string | null, minor: number) =>
  postOn(world, platformId, {
    ...entry,
    cause: 'PAYMENT_RECORDED',
    documents: { invoiceExternalId: invoice },
    lines: [debit('bank', minor, 'main'), credit('merchant_payable', minor, merchant)],
  });
/** A merchant owes the platform; a negative amount was set off. */
const owes = (merchant: string, minor: number) =>
  postOn(world, platformId, {
    ...entry,
    cause: 'PAYMENT_RECORDED',
    lines: [debit('merchant_setoff', minor, merchant), credit('bank', minor, 'main')],
  });
const debtsOf = async (...merchants: string[]) =>
  (await listBalancesOfParties(world.installation.db, platformId, 'merchant_setoff', merchants)).map(
    ({ party, amount }) => `${party} ${amount}`,
  );
const payableOf = async (...merchants: string[]) =>
  (await listInvoiceBalances(world.installation.db, platformId, 'merchant_payable', merchants)).map(
    ({ party, invoice_external_id, amount }) => `${party} ${invoice_external_id} ${amount}`,
  );
const totals = async () => {
  const { vault, db } = world.installation;
  const equations = ledgerEquations(ledgerKeyOf(vault, world.platform.code));
  const results = await checkEquations(db, platformId, equations, NOW_AND_ALL);
  return results.flatMap(({ differences }) => differences);
};

describe('what is open', () => {
  it('has what is numbered and what waits for a number, each once', async () => {
    await owes('a', 500);
    expect(await debtsOf('a', 'b')).toEqual(['a 500']);
    await number();
    expect(await debtsOf('a', 'b')).toEqual(['a 500']);
    await owes('a', -200);
    await owes('b', 70);
    expect(await debtsOf('a', 'b')).toEqual(['a 300', 'b 70']);
    await number();
    await owes('a', -300);
    expect(await debtsOf('a', 'b')).toEqual(['b 70']);
    await number();
    expect(await debtsOf('a', 'b')).toEqual(['b 70']);
    expect(await totals()).toEqual([]);
  });

  it('is by invoice where money is collected for a merchant', async () => {
    await collected('c', 'i1', 100);
    await collected('c', 'i2', 50);
    await collected('c', null, 7);
    expect(await payableOf('c')).toEqual(['c i1 -100', 'c i2 -50', 'c null -7']);
    await number();
    await collected('c', 'i1', -100);
    expect(await payableOf('c')).toEqual(['c i2 -50', 'c null -7']);
    await number();
    expect(await payableOf('c')).toEqual(['c i2 -50', 'c null -7']);
    expect(await totals()).toEqual([]);
  });

  it('is found out where it was changed', async () => {
    await owes('d', 1);
    await number();
    const change = (by: number) =>
      world.sql(`update ledger_open_balances set amount = amount + ${by} where party = 'd'`);
    await change(1);
    expect(await totals()).toEqual(['The total of merchant_setoff d in EUR is 2, and its lines sum to 1.']);
    await change(-1);
  });

  it('is read by indexes, and no line of before is', async () => {
    const plans = await plansOf(world, async (db) => {
      await listBalancesOfParties(db, platformId, 'merchant_setoff', ['a']);
      await listInvoiceBalances(db, platformId, 'merchant_payable', ['a']);
    });
    for (const plan of plans) {
      expect(JSON.stringify(plan)).toContain('ledger_open_balances_open');
      expect(JSON.stringify(plan)).toContain('ledger_lines_of_merchants');
    }
  });
});

it(
  'what was open before 0059 is open after it',
  async () => {
    const older = await olderDatabase('before_0059', 58);
    try {
      await older.unchecked.query(`
        insert into ledger_entries (platform_id, entry_id, ordinal, cause, currency, effective_at, actor, invoice_external_id, line_count)
        overriding system value
        select 1, ('00000000-0000-0000-0000-00000000000' || n)::uuid, n, 'PAYMENT_RECORDED', 'EUR', 1, 'a', 'i' || n % 2, 2
        from generate_series(1, 4) n`);
      await older.unchecked.query(`
        insert into ledger_lines (platform_id, entry_id, line, account, party, amount, currency, effective_at, recorded_at, ordinal)
        select platform_id, entry_id, 1, 'merchant_payable', 'm', -10 * ordinal, currency, effective_at, recorded_at, ordinal
        from ledger_entries
        union all
        select platform_id, entry_id, 2, 'merchant_setoff', 'm', 10 * ordinal, currency, effective_at, recorded_at, ordinal
        from ledger_entries`);
      // The last one waits for its number.
      await older.unchecked.query(`
        insert into ledger_numbers (platform_id, number, entry_id, hash, previous_hash)
        select 1, ordinal, entry_id, sha256(entry_id::text::bytea), sha256('') from ledger_entries where ordinal < 4`);
      await older.migrateUnchecked();
      const { rows } = await older.unchecked.query({
        text: 'select account, party, invoice_external_id, amount::int from ledger_open_balances order by 1, 2, 3',
        rowMode: 'array',
      });
      expect(rows).toEqual([
        ['merchant_payable', 'm', 'i0', -20],
        ['merchant_payable', 'm', 'i1', -40],
        ['merchant_setoff', 'm', '', 60],
      ]);
    } finally {
      await older.drop();
    }
  },
  patience(60),
);
