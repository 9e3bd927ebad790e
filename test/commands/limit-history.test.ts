import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalIn, runHere, settingsOf } from '#test/command';
import { addBuyer } from '#test/facilities';
import { ensureOperator } from '#test/operators';
import { endPrograms, temporaryFolder } from '#test/program';
import { createWorld, type World } from '#test/world';
import { DEFAULT_PRICE_TABLE } from '../../src/modules/facilities/price-table.rules.ts';

const BUYER = ['--buyer', 'bakery'];
const WHY = ['--reason', 'As agreed.'];
const DAY_SECONDS = 86_400;

let world: World;
let ada: Record<string, string>;
let ben: Record<string, string>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  await addBuyer(world, 'bakery');
  const settings = await settingsOf(world);
  const as = async (id: string) => ({
    ...settings,
    TRADELINE_OPERATOR_KEY: await ensureOperator(world, id, { role: 'ADMIN' }),
  });
  [ada, ben] = [await as('ada'), await as('ben')];
});
afterAll(async () => {
  await world.close();
  await endPrograms();
});

const limits = (...args: string[]) => runHere(['limits', ...args], ada);
const setByTwo = async (...args: string[]) => {
  const id = approvalIn(await limits('set', ...args, ...WHY));
  expect((await runHere(['approval', 'approve', id, ...WHY], ben)).code).toBe(0);
};

/** The cells of the history, without the instants. */
async function history(...args: string[]): Promise<string[][]> {
  const { code, stdout } = await limits('history', ...args);
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((row) => row.split(/ {2,}/).toSpliced(1, 1));
}

const now = async () => (await world.get('/v1/sandbox/clock')).body.now as number;
const dayOf = (at: number) => new Date(at * 1_000).toISOString().slice(0, 10);

describe('limits history', () => {
  const BY_TWO = ['operator:ada', 'operator:ben', 'As agreed.'];
  const BY_ONE = ['operator:ada', '-', 'As agreed.'];
  const HEAD = ['version', 'setting', 'before', 'after', 'set_by', 'approved_by', 'reason'];

  it('prints who changed which setting of the platform from what to what, and why', async () => {
    expect((await limits('history')).stdout).toBe('Nothing has ever been set for platform-1.\n');
    await setByTwo('--tolerance-percent', '5', '--overdue-stop-amount', '2,500.00');
    await limits('set', '--tolerance-percent', '2', ...WHY);
    await limits('set', '--tolerance-percent', '2', ...WHY);
    await limits('set', '--overdue-stop-amount', 'default', ...WHY);
    await limits('clear', ...WHY);
    expect(await history()).toEqual([
      HEAD,
      ['1', 'tolerance-percent', 'default', '5', ...BY_TWO],
      ['1', 'overdue-stop-amount', 'default', '2,500.00 EUR', ...BY_TWO],
      ['2', 'tolerance-percent', '5', '2', ...BY_ONE],
      ['3', '-', '-', '-', ...BY_ONE],
      ['4', 'overdue-stop-amount', '2,500.00 EUR', 'default', ...BY_ONE],
      ['5', 'tolerance-percent', '2', 'default', ...BY_ONE],
    ]);
  });

  it('prints those of a buyer with their end', async () => {
    expect((await limits('history', ...BUYER)).stdout).toBe(
      'Nothing has ever been set for bakery on platform-1.\n',
    );
    await setByTwo(...BUYER, '--tolerance-percent', '20', '--expires', '2099-12-31');
    await limits('clear', ...BUYER, ...WHY);
    expect(await history(...BUYER)).toEqual([
      HEAD,
      ['1', 'tolerance-percent', 'platform', '20', ...BY_TWO],
      ['1', 'expires-at', '-', '2100-01-01T00:00:00Z', ...BY_TWO],
      ['2', 'tolerance-percent', '20', 'platform', ...BY_ONE],
      ['2', 'expires-at', '2100-01-01T00:00:00Z', '-', ...BY_ONE],
    ]);
  });

  it('prints a price table price by price, where another one takes its place', async () => {
    const file = join(temporaryFolder(), 'prices.json');
    const { fee_basis_points: fees } = DEFAULT_PRICE_TABLE;
    const tables = [
      { ...DEFAULT_PRICE_TABLE, tax_basis_points: 700 },
      {
        tax_basis_points: 1_900,
        fee_basis_points: { ...fees, D: { ...fees.D, DEFER_3D: undefined, DEFER_30D: 305 } },
      },
    ];
    for (const table of tables) {
      writeFileSync(file, JSON.stringify(table));
      await setByTwo('--price-table', file);
    }
    expect((await history()).slice(7)).toEqual([
      ['6', 'price-table', 'default', 'own table of 40 rates', ...BY_TWO],
      ['7', 'price-table tax', '7.00 %', '19.00 %', ...BY_TWO],
      ['7', 'price-table D DEFER_3D', '0.30 %', '-', ...BY_TWO],
      ['7', 'price-table D DEFER_30D', '2.50 %', '3.05 %', ...BY_TWO],
    ]);
  });
});

describe('limits show', () => {
  const toleranceOn = async (day: string, ...args: string[]) => {
    const { stdout } = await limits('show', ...args, '--at', day);
    return /^tolerance-percent +(\w+ +\d+)$/m.exec(stdout)?.[1]?.replace(/ +/, ' ');
  };

  it('prints with --at what held at the end of the day, and not of a day to come', async () => {
    const begin = await now();
    const advanceDays = (days: number) =>
      world.post('/v1/sandbox/clock', { advance_seconds: days * DAY_SECONDS });
    await setByTwo('--tolerance-percent', '7');
    await advanceDays(10);
    await setByTwo(...BUYER, '--tolerance-percent', '9', '--expires', dayOf(begin + 14 * DAY_SECONDS));
    await advanceDays(10);
    await limits('set', '--tolerance-percent', '3', ...WHY);
    const held = (...args: string[]) =>
      Promise.all(
        [-1, 0, 9, 10, 14, 15, 20].map((days) => toleranceOn(dayOf(begin + days * DAY_SECONDS), ...args)),
      );
    const ofPlatform = ['default 0', 'platform 7', 'platform 7', 'platform 7', 'platform 7', 'platform 7'];
    expect(await held()).toEqual([...ofPlatform, 'platform 3']);
    expect(await held(...BUYER)).toEqual([...ofPlatform.with(3, 'buyer 9').with(4, 'buyer 9'), 'platform 3']);
    expect((await limits('show', '--at', dayOf(begin + 22 * DAY_SECONDS))).stderr).toBe(
      '--at must be a day that has begun.\n',
    );
  });
});
