/** The same money, reported in one file or in several, twice, overlapping and in any order, gives the same ledger. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { addBankAccount, bankingEquations, bookTransactions, importBankFile } from '#modules/banking';
import { camt053, camt054, OUR_IBAN, type WrittenEntry, type WrittenStatement } from '#test/bank-files';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { actAs, ensureOperator } from '#test/operators';
import { filesFolder } from '#test/registry-files';
import { contextOf } from '../../src/cli/operation-context.ts';

const { create, world } = useInvoicing();
const folder = filesFolder();
afterAll(() => folder.remove());
beforeAll(() => ensureOperator(world(), 'fin', { role: 'FINANCE' }));

async function contextsOf() {
  const { db, vault } = world().installation;
  const [platform] = await db.selectFrom('platforms').selectAll().execute();
  if (!platform) throw new Error('There is no platform.');
  return (within: Db) =>
    contextOf({ db: within, vault }, { platform: platform as never, actor: 'operator:fin', now: NOW });
}

let files = 0;
let alikeCases = 0;
async function importFile(text: string): Promise<void> {
  const path = folder.write(`bank-${++files}.xml`, text);
  const contextIn = await contextsOf();
  await inTransaction(world().installation.db, (db) =>
    importBankFile(contextIn(db), { path, bytesMax: 10_000_000, onProgress: () => {} }),
  );
}
const book = async () => bookTransactions(world().installation.db, await contextsOf());

/** Each case has its own account and invoices, with the same contents. */
async function newCase(name: string, iban: string) {
  await actAs(world(), 'fin', (context) =>
    addBankAccount(context, { externalId: name, number: iban, currency: 'EUR' }),
  );
  const invoices: string[] = [];
  const references: string[] = [];
  for (let nth = 0; nth < 6; nth++) {
    const body = invoiceBody({
      ...{ external_id: `${name}-${nth}`, buyer_external_id: 'buyer', due_at: NOW + 864_000 },
      ...grossOf(1_000 * (nth + 1)),
    });
    const { body: created } = await create(body);
    invoices.push(created.external_id);
    references.push(created.payment_reference);
  }
  return { invoices, references };
}

/** Two days of an account: payments, a batch, a part payment, a stranger's payment, a charge, a reversal, and pending entries. */
function daysOf(references: string[], isDetailed: boolean): [WrittenEntry[], WrittenEntry[]] {
  const [r1, r2, r3, r4, r5] = references as [string, string, string, string, string];
  const batch = {
    amount: 5_000,
    reference: 'BATCH',
    ...(isDetailed
      ? {
          details: [
            { amount: 2_000, creditorReference: r2 },
            { amount: 3_000, creditorReference: r3 },
          ],
        }
      : { details: null, count: 2 }),
  };
  return [
    [
      { amount: 1_000, reference: 'E1', creditorReference: r1 },
      batch,
      { amount: 4_000, reference: 'E2', creditorReference: r4, endToEndId: 'BOUNCES' },
      { amount: 333, reference: 'E3', text: 'from a stranger' },
      { amount: 333, reference: 'E3', text: 'and again' },
    ],
    [
      { amount: -4_000, reference: 'E4', isReversal: true, endToEndId: 'BOUNCES' },
      { amount: 2_500, reference: 'E5', creditorReference: r5 },
      { amount: -75, reference: 'E6', code: ['ACMT', 'MDOP', 'CHRG'], details: null },
      { amount: 9_999, reference: 'E7', status: 'PDNG', creditorReference: r1 },
    ],
  ];
}

const [FIRST, SECOND] = ['2025-11-18', '2025-11-19'];
const FIRST_SUM = 10_666;

interface Written {
  first: WrittenStatement;
  second: WrittenStatement;
}
function statementsOf(iban: string, references: string[], isDetailed: boolean): Written {
  const [first, second] = daysOf(references, isDetailed);
  return {
    first: { iban, day: FIRST, opening: 500, entries: first.map((entry) => ({ ...entry, day: FIRST })) },
    second: {
      iban,
      day: SECOND,
      opening: 500 + FIRST_SUM,
      entries: second.map((entry) => ({ ...entry, day: SECOND })),
    },
  };
}

type Plan = (detailed: Written, whole: Written) => string[];
const notified = (statement: WrittenStatement, ...nth: number[]) =>
  camt054({
    ...statement,
    entries: (statement.entries ?? []).filter((_, index) => nth.length === 0 || nth.includes(index)),
  });
const plans: [string, Plan][] = [
  ['one file', ({ first, second }) => [camt053([first, second])]],
  ['a file a day', ({ first, second }) => [camt053(first), camt053(second)]],
  ['the second day first', ({ first, second }) => [camt053(second), camt053(first)]],
  [
    'everything twice',
    ({ first, second }) => [camt053(first), camt053(second), camt053(first), camt053([first, second])],
  ],
  [
    'notifications, then statements',
    ({ first, second }, whole) => [notified(first), notified(second), camt053([whole.first, whole.second])],
  ],
  [
    'statements, then notifications',
    ({ first, second }, whole) => [camt053([whole.first, whole.second]), notified(second), notified(first)],
  ],
  [
    'notifications in pieces, in both versions',
    ({ first, second }, whole) => [
      notified(second, 1),
      notified(first, 0, 1),
      notified(first, 1, 2),
      camt053(whole.second, '02'),
      notified(first, 3, 4),
      camt053(first, '02'),
    ],
  ],
];

/** The ledger of a case: amounts by account, day and cause, without the ids of the case. */
async function ledgerOf(name: string, invoices: string[]) {
  const byAccount = await world().sql(
    `select l.account, l.effective_at::int as at, sum(l.amount)::int as amount
    from ledger_lines l
    where l.entry_id in (select entry_id from ledger_lines where account = 'bank' and party = $1)
    group by 1, 2 having sum(l.amount) <> 0 order by 1, 2`,
    [name],
  );
  const owed = await world().sql(
    `select status, outstanding_amount::int as owed, paid_at::int from invoices where external_id = any($1) order by amount_gross`,
    [invoices],
  );
  const queued = await world().sql(
    `select t.amount::int, t.queue_reason from bank_transactions t join bank_entries e using (platform_id, entry_id)
    where e.bank_account = $1 and t.status = 'QUEUED' order by 1, 2`,
    [name],
  );
  return { byAccount, owed, queued };
}

describe('however the bank reports two days', () => {
  let expected: unknown;
  const ibanOf = (nth: number) => `GB33BUKB2000005577${9_900 + nth}`;

  it.each(plans.map(([title, plan], nth) => ({ title, plan, nth })))(
    'the ledger is the same: $title',
    async ({ plan, nth }) => {
      const name = `account-${nth}`;
      const { invoices, references } = await newCase(name, ibanOf(nth));
      const [detailed, whole] = [true, false].map((is) => statementsOf(ibanOf(nth), references, is)) as [
        Written,
        Written,
      ];
      for (const file of plan(detailed, whole)) {
        await importFile(file);
        await book();
      }
      const ledger = await ledgerOf(name, invoices);
      const at = (day: string) => Date.parse(day) / 1_000;
      expect(ledger.byAccount).toEqual([
        { account: 'bank', at: at(FIRST), amount: FIRST_SUM },
        { account: 'bank', at: at(SECOND), amount: -1_575 },
        { account: 'bank_charges', at: at(SECOND), amount: 75 },
        { account: 'merchant_payable', at: at(FIRST), amount: -10_000 },
        { account: 'merchant_payable', at: at(SECOND), amount: 1_500 },
        { account: 'suspense', at: at(FIRST), amount: -666 },
      ]);
      expect(ledger.queued).toEqual([
        { amount: 333, queue_reason: 'NOTHING_NAMED' },
        { amount: 333, queue_reason: 'NOTHING_NAMED' },
      ]);
      expected ??= ledger;
      expect(ledger).toEqual(expected);
      expect(await differences()).toEqual([]);
    },
  );

  /** Two payments of the same amount and day, without a reference of the bank. */
  const alike = (references: string[], which: string): WrittenEntry[] =>
    [...which].map((endToEndId) => ({
      ...{ amount: 700, reference: null, endToEndId },
      creditorReference: references[endToEndId === 'A' ? 0 : 1] as string,
    }));
  it.each([
    ['one statement', '053 AB'],
    ['a notification each', '054 A, 054 B'],
    ['a notification each, then the statement', '054 A, 054 B, 053 AB'],
    ['a notification each, then the statement in another order', '054 B, 054 A, 053 AB'],
    ['the statement, then notifications', '053 BA, 054 A, 054 B'],
    ['a notification, the statement, and the other notification', '054 B, 053 AB, 054 A'],
    ['one notification, and each again', '054 AB, 054 A, 054 B, 053 AB'],
    ['everything twice', '054 A, 054 A, 054 B, 053 AB, 053 AB, 054 B, 054 AB'],
  ])('two alike payments without a reference are two: %s', async (_, plan) => {
    const nth = ++alikeCases;
    const iban = `GB33BUKB2000005566${9_900 + nth}`;
    const name = `alike-${nth}`;
    const { invoices, references } = await newCase(name, iban);
    for (const [type, which] of plan.split(', ').map((each) => each.split(' ') as [string, string])) {
      const statement = { iban, day: FIRST, opening: 0, entries: alike(references, which) };
      await importFile(type === '053' ? camt053(statement) : camt054(statement));
      await book();
    }
    const { byAccount, owed, queued } = await ledgerOf(name, invoices);
    const at = Date.parse(FIRST) / 1_000;
    expect(byAccount).toEqual([
      { account: 'bank', at, amount: 1_400 },
      { account: 'merchant_payable', at, amount: -1_400 },
    ]);
    expect(owed.map(({ owed: owedMinor }) => owedMinor)).toEqual([300, 1_300, 3_000, 4_000, 5_000, 6_000]);
    expect(queued).toEqual([]);
  });

  it('E6 finds a statement that is missing, and money that no statement has', async () => {
    const { references } = await newCase('gap', OUR_IBAN);
    const { first, second } = statementsOf(OUR_IBAN, references, true);
    await importFile(camt053(first));
    await importFile(camt053({ ...second, day: '2025-11-20', opening: 12_000 }));
    await book();
    expect(await differences()).toEqual([
      'The ledger moves 90.91 EUR on the bank account gap from 2025-11-18 to 2025-11-20, and its statements 99.25 EUR.',
    ]);
  });
});

async function differences(): Promise<string[]> {
  const [equation] = bankingEquations('UTC');
  const [platform] = await world().sql<{ id: number }>('select platform_id as id from platforms');
  return equation?.check(world().installation.db, platform?.id ?? 0) ?? [];
}
