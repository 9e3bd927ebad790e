/** `tradeline late-payment`: the law of a country, and reference rates that two operators update. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, settingsOf } from '#test/command';
import { ensureOperator } from '#test/operators';
import { createWorld, type World } from '#test/world';

let world: World;
let folder: string;
const keys: Record<string, string> = {};
let settings: Record<string, string>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  settings = await settingsOf(world);
  for (const [id, role] of [
    ['fin', 'FINANCE'],
    ['fay', 'FINANCE'],
    ['vera', 'VIEW'],
  ] as const)
    keys[id] = await ensureOperator(world, id, { role });
  folder = mkdtempSync(join(tmpdir(), 'reference-rates-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const run = (as: string, ...args: string[]) =>
  runHere(['late-payment', ...args], { ...settings, TRADELINE_OPERATOR_KEY: keys[as] as string });
const fileOf = (content: unknown) => {
  const file = join(folder, 'rates.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};
const series = (knownUntil: string, rates: [string, number][]) => ({
  ...{ code: 'DE_BASE', name: 'Basiszinssatz', publisher: 'Deutsche Bundesbank', source: 'bundesbank.de' },
  known_until: knownUntil,
  rates: rates.map(([valid_from, ten_thousandths]) => ({ valid_from, ten_thousandths })),
});
const germanRates = async () =>
  JSON.parse((await run('vera', 'show', '--json')).stdout).find(
    ({ code }: { code: string }) => code === 'DE_BASE',
  );

async function updateByTwo(knownUntil: string, rates: [string, number][]) {
  const file = fileOf({ series: [series(knownUntil, rates)] });
  const proposed = await run('fin', 'update', file, '--reason', 'As published.');
  const approval = (/Approval (\S+) waits/.exec(proposed.stdout) ?? [])[1] as string;
  const before = await germanRates();
  const approved = await runHere(['approval', 'approve', approval, '--reason', 'Compared.'], {
    ...settings,
    TRADELINE_OPERATOR_KEY: keys.fay as string,
  });
  expect(approved.code).toBe(0);
  return before;
}

describe('tradeline late-payment', () => {
  it('shows the law of a country with its sources, and refuses another country', async () => {
    const { stdout } = await run('vera', 'show', 'DE');
    expect(stdout).toContain('Check every value before production');
    expect(stdout).toMatch(/interest +2014-07-29 +\{"reference_rate":"DE_BASE".*BGB, section 288\(2\)/);
    expect(await run('vera', 'show', 'BR')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is a law of late payment for AT, BE'),
    });
  });

  it('shows until when each reference rate is known', async () => {
    const { stdout } = await run('vera', 'show');
    expect(stdout).toMatch(/DE_BASE .*Deutsche Bundesbank +2025-07-01 +0\.0127 +2026-01-01/);
    expect(stdout).toMatch(/BNB_BASE .* - +- +-/);
    expect((await run('vera', 'history')).stdout).toContain('those of the program are in force');
  });

  it('puts rates in force once a second operator has approved, and keeps those of before', async () => {
    const before = await updateByTwo('2026-07-01', [['2026-01-01', 127]]);
    expect(before.known_until).toBe('2026-01-01');
    expect((await germanRates()).known_until).toBe('2026-07-01');
    await updateByTwo('2027-01-01', [
      ['2026-07-01', 150],
      ['2027-01-01', -88],
    ]);
    const { rates } = await germanRates();
    expect(rates.map(({ ten_thousandths }: { ten_thousandths: number }) => ten_thousandths)).toEqual([
      162, 312, 362, 337, 227, 127, 127, 150, -88,
    ]);
    expect((await run('vera', 'show')).stdout).toMatch(/DE_BASE .*-0\.0088 +2027-01-01/);
    const { stdout } = await run('vera', 'history');
    expect(stdout).toMatch(/2 .*operator:fin +operator:fay +As published\. +DE_BASE/);
  });

  it('refuses a file without rates, and who may not', async () => {
    const wrong = await run('fin', 'update', fileOf({ series: [] }), '--reason', 'Why');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('rates.json has no reference rates: series must have'),
    });
    expect((await run('fin', 'update', '--reason', 'Why')).code).toBe(2);
    const file = fileOf({ series: [series('2027-07-01', [])] });
    expect((await run('vera', 'update', file, '--reason', 'Why')).code).toBe(1);
  });
});
