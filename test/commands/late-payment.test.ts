/** `tradeline late-payment`: the law of a country, and reference rates that two operators update. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
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
    expect(stdout).toMatch(/due day on holiday +2014-07-29 +NEXT_WORKING_DAY +BGB, section 193/);
    expect(stdout).toMatch(/public holiday +day.*\n(.*\n)*Good Friday +EASTER-2/);
    expect((await run('vera', 'show', 'GB')).stdout).not.toContain('public holiday ');
    expect(await run('vera', 'show', 'BR')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Tradeline supports the law on late payment of AT, BE'),
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

  describe('what a buyer agreed to', () => {
    const agree = (as: string, more: Record<string, string> = {}) => {
      const options = {
        ...{ buyer: 'cafe', rate: '12.5', on: '2026-01-05', source: 'Terms of 2026, section 9' },
        ...{ reason: 'Signed.', ...more },
      };
      return run(as, 'agree', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]));
    };

    it('is recorded with its document, listed, and audited', async () => {
      await world.post('/v1/buyers', buyerBody({ external_id: 'cafe' }));
      expect((await run('vera', 'agreements')).stdout).toContain(
        'No buyer has agreed to a rate above the law.',
      );
      expect((await agree('fin')).stdout).toContain(
        'Buyer cafe has agreed to at most 12.5 % a year on invoices from 2026-01-05 on.',
      );
      await agree('fin', { rate: '0', on: '2026-02-01' });
      const { stdout } = await run('vera', 'agreements', '--buyer', 'cafe');
      expect(stdout).toMatch(/2026-02-01 +0\.00 %.*\n.*2026-01-05 +12\.50 % +Terms of 2026, section 9/);
      expect(JSON.parse((await run('vera', 'agreements', '--json')).stdout)).toMatchObject([
        { basis_points: 0 },
        { buyer_external_id: 'cafe', basis_points: 1_250, recorded_by: 'operator:fin' },
      ]);
      const audited = await world.sql(
        `select subject, reason from audit_entries where action = 'LATE_INTEREST_AGREED'`,
      );
      expect(audited).toEqual(Array(2).fill({ subject: 'buyer cafe', reason: 'Signed.' }));
    });

    it.each([
      ['a buyer that is not there', { buyer: 'nobody' }, 1, 'There is no buyer nobody.'],
      ['a rate that is none', { rate: '12,5' }, 2, '--rate must be a percentage below 100, such as 4.5.'],
      ['a day that is none', { on: '2026-02-30' }, 2, '--on must be a day such as 2026-03-31.'],
      ['a day to come', { on: '2099-01-01' }, 1, '--on must not be after today.'],
      ['no document', { source: ' ' }, 2, '--source must be the document and its clause, one line'],
      ['two lines', { source: 'a\nb' }, 2, '--source must be the document and its clause, one line'],
    ])('is not recorded for %s', async (_, more, code, sentence) => {
      expect(await agree('fin', more)).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    });

    it('is recorded by operators of finance only', async () => {
      expect((await agree('vera')).code).toBe(1);
    });
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
