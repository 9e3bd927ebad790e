import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { endWithWorker } from '#test/children';
import { endPrograms, runCommand } from '#test/program';
import { filesFolder, fixture } from '#test/registry-files';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const folder = filesFolder();

let world: World;
let env: Record<string, string>;
beforeAll(async () => {
  world = await createWorld();
  const [{ name }] = (await world.sql<{ name: string }>('select current_database() as name')) as [
    { name: string },
  ];
  const { owner, service } = inject('postgres');
  const urlOf = ({ user, password, host, port }: typeof owner) =>
    `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`;
  env = {
    DATABASE_URL: urlOf(service),
    DATABASE_OWNER_URL: urlOf(owner),
    TRADELINE_MASTER_KEY: world.installation.settings.masterKey?.toString('base64') ?? '',
  };
});
afterAll(async () => {
  await endPrograms();
  await world.close();
  folder.remove();
});

interface Progress {
  read: number;
  written: number;
  refused: number;
  isFinished: boolean;
}
const progressOf = async (fileName: string): Promise<Progress> => {
  const rows = await world.sql<Progress>(
    `select records_read::int as read, companies_written::int as written, records_refused::int as refused,
      finished_at is not null as "isFinished" from registry_imports where file_name = $1`,
    [fileName],
  );
  return rows[0] ?? { read: 0, written: 0, refused: 0, isFinished: false };
};

/** Starts an import and kills it, so that it cannot even notice, once it has come so far. */
async function killOnce(
  path: string,
  options: string[],
  isTime: (progress: Progress) => boolean,
): Promise<void> {
  const child = endWithWorker(
    spawn(process.execPath, [MAIN, 'registry', 'import', path, ...options], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    }),
  );
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const fileName = path.replace(/^.*\//, '');
  await until(async () => isTime(await progressOf(fileName)) || child.exitCode !== null || undefined);
  child.kill('SIGKILL');
  await gone;
}

describe('tradeline registry import', () => {
  it('loses nothing and does nothing twice, wherever it is killed', async () => {
    const COUNT = 14_000;
    const isRefused = (nth: number) => nth % 100 === 3;
    const records = Array.from({ length: COUNT }, (_, index) => index + 1);
    // The last hundred repeat the keys of the first.
    const keyOf = (nth: number) => (nth > COUNT - 100 ? nth - COUNT + 100 : nth);
    const lines = records.map(
      (nth) =>
        `KILLED,${keyOf(nth)},${isRefused(nth) ? 'XX' : 'FI'},Yhtiö ${nth} Oy,${nth % 5 === 0 ? 'PL 1' : ''}\n`,
    );
    const path = folder.write(
      'killed.csv',
      `registry,registry_key,country,legal_name,additional\n${lines.join('')}`,
    );
    const report = folder.path('killed-refused.csv');

    const seen: number[] = [];
    for (const share of [0.01, 0.4, 0.7]) {
      await killOnce(path, ['--refused', report], ({ read }) => read >= share * COUNT);
      const { read, written, refused } = await progressOf('killed.csv');
      // The batch and its progress are one transaction: neither is there without the other.
      expect(written + refused).toBe(read);
      const [{ found }] = (await world.sql<{ found: number }>(
        "select count(*)::int as found from registry_companies where registry = 'KILLED'",
      )) as [{ found: number }];
      const kept = records.slice(0, read).filter((nth) => !isRefused(nth));
      expect(found).toBe(new Set(kept.map(keyOf)).size);
      seen.push(read);
    }
    await killOnce(path, ['--refused', report], ({ read }) => read === COUNT);

    const { stdout, code } = await runCommand(['registry', 'import', path, '--refused', report], env);
    expect(code).toBe(0);
    expect(await progressOf('killed.csv')).toEqual({
      read: COUNT,
      written: 13_860,
      refused: 140,
      isFinished: true,
    });
    expect(stdout).toMatch(/14,000 records (read, 13,860 companies written, 140 refused|\. Add --again)/);
    const names = await world.sql<{ registry_key: string; legal_name: string }>(
      "select registry_key, legal_name from registry_companies where registry = 'KILLED'",
    );
    const expected = new Map(
      records.filter((nth) => !isRefused(nth)).map((nth) => [String(keyOf(nth)), `Yhtiö ${nth} Oy`]),
    );
    expect(new Map(names.map((row) => [row.registry_key, row.legal_name]))).toEqual(expected);
    const reported = readFileSync(report, 'utf8').trim().split('\n').slice(1);
    expect(reported.map((line) => Number.parseInt(line, 10))).toEqual(records.filter(isRefused));
    const texts = await world.sql(
      "select companies from registry_words where country = 'FI' and word = 'yhtio'",
    );
    expect(texts).toEqual([{ companies: expected.size }]);
    // It was killed before it was done at least once, or this shows nothing.
    expect(seen[0]).toBeLessThan(COUNT);
  });

  it('prints in a sentence what it did, and what it did not', async () => {
    const report = folder.path('refused.csv');
    const first = await runCommand(['registry', 'import', fixture('plain.csv'), '--refused', report], env);
    expect(first.code).toBe(0);
    expect(first.stdout.split('\n').slice(0, 2)).toEqual([
      'plain.csv (csv): 18 records read, 5 companies written, 13 refused.',
      '  2 × vat_id has not the form of its country.',
    ]);
    expect(first.stdout).toContain('Each of them is listed in refused.csv.');
    const again = await runCommand(['registry', 'import', fixture('plain.csv')], env);
    expect(again).toMatchObject({
      code: 0,
      stdout: 'plain.csv was imported before, 18 records. Add --again to import it again.\n',
    });
    const { stdout } = await runCommand(['registry', 'status'], env);
    // Two of the five were the same company.
    expect(stdout).toMatch(/'CHAMBER' +│ 4 /);
    expect(stdout).toMatch(/'plain\.csv' +│ 'csv' +│ 18 +│ 5 +│ 13 /);
  });

  it.each([
    [[], 'Say what to do: tradeline registry import or status.'],
    [['import'], 'Name one file: tradeline registry import FILE.'],
    [['import', 'a.csv', '--format', 'excel'], '--format: excel is not one of gleif, companies-house, csv.'],
    [['import', '/no/such.csv'], 'There is no file /no/such.csv.'],
  ])('refuses %j in a sentence', async (args, sentence) => {
    expect(await runCommand(['registry', ...args], env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${sentence}\n`,
    });
  });
});
