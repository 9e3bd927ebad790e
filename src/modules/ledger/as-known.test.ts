/** Balances as of any instant, as known at any instant: each equals the balance that was seen live at that time. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { postOn } from '#test/ledger';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';
import { ACCOUNT_CODES, ACCOUNTS, type LedgerLine } from './account.rules.ts';
import { NOW_AND_ALL } from './as-of.rules.ts';
import { type Balance, findBalance, listAccountBalances, listPartyBalances } from './balance.queries.ts';
import { numberEntries } from './numbering.ts';
import type { Posting } from './posting.rules.ts';

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  platformId = world.platform.platform_id;
});
afterAll(() => world.close());

const START = 1_763_640_000;
const DAYS = 40;
const STEPS = 200;

const line = fc
  .record({
    account: fc.constantFrom(...ACCOUNT_CODES),
    party: fc.constantFrom('one', 'two', 'three'),
    amountMinor: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  })
  .map(({ account, party, amountMinor }): LedgerLine => {
    return { account, party: ACCOUNTS[account].party === null ? '' : party, amountMinor };
  });

const posting = fc
  .record({
    currency: fc.constantFrom<Currency>('EUR', 'GBP', 'JPY'),
    effectiveAt: fc.integer({ min: START, max: START + DAYS * 86_400 }),
    lines: fc.array(line, { minLength: 2, maxLength: 6 }),
  })
  .filter(({ lines }) => lines.some(({ amountMinor }) => amountMinor !== 0))
  .map(({ currency, effectiveAt, lines }): Posting => {
    const total = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const balanced = [...lines, { account: 'suspense' as const, party: '', amountMinor: -total }];
    const isEntry = balanced.filter(({ amountMinor }) => amountMinor !== 0).length >= 2;
    const written = isEntry ? balanced : [...balanced, ...PAIR];
    return { cause: 'CORRECTED', currency, effectiveAt, actor: 'service', lines: written };
  });
const PAIR: LedgerLine[] = [
  { account: 'loss', party: '', amountMinor: 1 },
  { account: 'recovery', party: '', amountMinor: -1 },
];

const daysAgo = (days: number) => `clock_timestamp() - interval '${days} days'`;

/** From now on the database's clock records entries as if `days` days ago. */
const recordDaysAgo = (days: number) =>
  world.sql(`alter table ledger_entries alter column recorded_at set default ${daysAgo(days)}`);

async function clockOf(days: number): Promise<string> {
  const [row] = await world.sql<{ now: string }>(
    `select to_char((${daysAgo(days)}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  );
  return row?.now ?? '';
}

const shown = (balances: Balance[]) =>
  balances
    .filter(({ balance }) => balance !== 0n)
    .map(({ account, party, currency, balance }) => `${currency} ${account} ${party} ${balance}`)
    .sort();

it('200 trial balances of random instants are the ones that were taken live then', {
  timeout: patience(90),
}, async () => {
  const { db, vault } = world.installation;
  const postings = fc.sample(posting, STEPS * 2);
  const ats = fc.sample(fc.integer({ min: START - 86_400, max: START + DAYS * 86_400 }), STEPS);
  const seen: { asOf: { at: number; knownAt: string }; live: string[] }[] = [];
  for (let step = 0; step < STEPS; step++) {
    // The last entries are recorded now.
    const days = Math.floor((STEPS - 1 - step) / 20);
    if (step % 20 === 0) await recordDaysAgo(days);
    await postOn(world, platformId, ...postings.slice(step * 2, step * 2 + 2));
    if (step % 7 === 0) await numberEntries(db, vault);
    const at = ats[step] ?? START;
    const live = shown(await listAccountBalances(db, platformId, { at, knownAt: null }));
    seen.push({ asOf: { at, knownAt: await clockOf(days) }, live });
  }
  const isRight = async (of: typeof seen) => {
    for (const { asOf, live } of of)
      expect(shown(await listAccountBalances(db, platformId, asOf)), JSON.stringify(asOf)).toEqual(live);
  };
  await isRight(seen.filter((_, index) => index % 10 === 0));
  await numberEntries(db, vault);
  await isRight(seen);
  // The balances must differ.
  expect(new Set(seen.map(({ live }) => live.join())).size).toBeGreaterThan(STEPS / 2);
});

it('each balance is the sum of its lines, in every currency for itself', async () => {
  const { db } = world.installation;
  const all = await listAccountBalances(db, platformId, NOW_AND_ALL);
  const lines = await world.sql<{ currency: Currency; account: string; total: string }>(
    'select currency, account, sum(amount) as total from ledger_lines group by 1, 2',
  );
  for (const { currency, account, total } of lines) {
    const of = all.filter((each) => each.currency === currency && each.account === account);
    expect(of.reduce((sum, { balance }) => sum + balance, 0n)).toBe(BigInt(total));
  }
  for (const currency of CURRENCIES) {
    const of = await listAccountBalances(db, platformId, NOW_AND_ALL, currency);
    expect(of.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
    expect(of).toEqual(all.filter((each) => each.currency === currency));
  }
});

it('the parties of an account sum to its balance, as of every instant', async () => {
  const { db } = world.installation;
  const instants = fc.sample(fc.integer({ min: START, max: START + DAYS * 86_400 }), 5);
  for (const asOf of [NOW_AND_ALL, ...instants.map((at) => ({ at, knownAt: null }))])
    for (const account of ACCOUNT_CODES) {
      const parties = await listPartyBalances(db, platformId, account, asOf);
      const whole = await listAccountBalances(db, platformId, asOf, 'EUR');
      const sum = (balances: Balance[]) => balances.reduce((total, { balance }) => total + balance, 0n);
      expect(sum(parties.filter(({ currency }) => currency === 'EUR'))).toBe(
        sum(whole.filter((each) => each.account === account)),
      );
      for (const party of parties) expect(await findBalance(db, platformId, party, asOf)).toBe(party.balance);
    }
});

it('sums that no exact number can hold are exact', async () => {
  const { platform } = await world.addPlatform();
  const { db, vault } = world.installation;
  const most = 1_000_000_000_000_000;
  const large: Posting = {
    ...{ cause: 'CORRECTED', currency: 'EUR', effectiveAt: START, actor: 'service' },
    lines: Array.from({ length: 20 }, (_, nth) => ({
      account: nth < 10 ? ('bank' as const) : ('suspense' as const),
      party: nth < 10 ? 'main' : '',
      amountMinor: nth < 10 ? most : -most,
    })),
  };
  const oneCent: Posting = {
    ...large,
    lines: [
      { account: 'bank', party: 'main', amountMinor: 1 },
      { account: 'suspense', party: '', amountMinor: -1 },
    ],
  };
  await postOn(world, platform.platform_id, large, oneCent);
  for (const _ of ['unnumbered', 'numbered']) {
    expect(await listAccountBalances(db, platform.platform_id, NOW_AND_ALL)).toEqual([
      { account: 'bank', party: 'main', currency: 'EUR', balance: 10_000_000_000_000_001n },
      { account: 'suspense', party: '', currency: 'EUR', balance: -10_000_000_000_000_001n },
    ]);
    await numberEntries(db, vault);
  }
});
