import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { endWithWorker } from '#test/children';
import { approvalIn, runHere } from '#test/command';
import { ensureOperator } from '#test/operators';
import { type CommandResult, endPrograms, runCommand } from '#test/program';
import { filesFolder, fixture } from '#test/registry-files';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const folder = filesFolder();

let world: World;
let env: Record<string, string>;
let ben: Record<string, string>;
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
    TRADELINE_OPERATOR_KEY: await ensureOperator(world, 'ada', { role: 'ADMIN' }),
  };
  ben = { ...env, TRADELINE_OPERATOR_KEY: await ensureOperator(world, 'ben', { role: 'CREDIT' }) };
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

const WHY = ['--reason', 'The edition of today.'];

/** Has two operators approve the import of the file. */
async function approve(path: string, options: string[] = []): Promise<CommandResult> {
  const proposed = await runHere(['registry', 'import', path, ...WHY, ...options], env);
  return runHere(['approval', 'approve', approvalIn(proposed), ...WHY], ben);
}

/** Starts an import and kills it with SIGKILL once it has reached this point. */
async function killOnce(
  path: string,
  options: string[],
  isTime: (progress: Progress) => boolean,
): Promise<void> {
  const child = endWithWorker(
    spawn(process.execPath, [MAIN, 'registry', 'import', path, ...WHY, ...options], {
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
    await approve(path);

    const seen: number[] = [];
    for (const share of [0.01, 0.4, 0.7]) {
      await killOnce(path, ['--refused', report], ({ read }) => read >= share * COUNT);
      const { read, written, refused } = await progressOf('killed.csv');
      // The batch and its progress are one transaction: neither exists without the other.
      expect(written + refused).toBe(read);
      const [{ found }] = (await world.sql<{ found: number }>(
        "select count(*)::int as found from registry_companies where registry = 'KILLED'",
      )) as [{ found: number }];
      const kept = records.slice(0, read).filter((nth) => !isRefused(nth));
      expect(found).toBe(new Set(kept.map(keyOf)).size);
      seen.push(read);
    }
    await killOnce(path, ['--refused', report], ({ read }) => read === COUNT);

    const { stdout, code } = await runCommand(['registry', 'import', path, '--refused', report, ...WHY], env);
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
    // At least one kill came before the end; otherwise this test proves nothing.
    expect(seen[0]).toBeLessThan(COUNT);
  });

  it('prints in a sentence what it did, and what it did not', async () => {
    const report = folder.path('refused.csv');
    await approve(fixture('plain.csv'));
    const command = ['registry', 'import', fixture('plain.csv'), ...WHY];
    const first = await runCommand([...command, '--refused', report], env);
    expect(first.code).toBe(0);
    expect(first.stdout.split('\n').slice(0, 2)).toEqual([
      'plain.csv (csv): 18 records read, 5 companies written, 13 refused.',
      '  2 × vat_id does not have the format of its country.',
    ]);
    expect(first.stdout).toContain('Each of them is listed in refused.csv.');
    const again = await runCommand(command, env);
    expect(again).toMatchObject({
      code: 0,
      stdout: 'plain.csv was already imported (18 records). Add --again to import it again.\n',
    });
    const { stdout } = await runCommand(['registry', 'status'], env);
    // Two of the five were the same company.
    expect(stdout).toMatch(/^CHAMBER +4$/m);
    expect(stdout).toMatch(/^plain\.csv +csv +18 +5 +13 /m);
  });

  it('imports nothing before a second operator has approved the hash of the file, and then once', async () => {
    const header = 'registry,registry_key,country,legal_name\n';
    const path = folder.write('twice.csv', `${header}APPROVED,1,FI,Yksi Oy\n`);
    const command = (...more: string[]) => runHere(['registry', 'import', path, ...WHY, ...more], env);
    const companies = async () =>
      (await world.sql("select 1 from registry_companies where registry = 'APPROVED'")).length;
    const proposed = await command();
    expect(proposed.stdout).toMatch(
      /^SHA-256 [\da-f]{64}\. Run the same command again after the approval\.$/m,
    );
    const id = approvalIn(proposed);
    // After another request, the same approval waits.
    expect(approvalIn(await command())).toBe(id);
    const own = await runHere(['approval', 'approve', id, ...WHY], env);
    expect(own.stderr).toMatch(/^The operator who proposed a change cannot approve it/);
    expect(await companies()).toBe(0);
    expect((await runHere(['approval', 'approve', id, ...WHY], ben)).code).toBe(0);
    // Only the file as it was approved.
    folder.write('twice.csv', `${header}APPROVED,1,FI,Kaksi Oy\nAPPROVED,2,FI,Kolme Oy\n`);
    expect(approvalIn(await command())).not.toBe(id);
    expect(await companies()).toBe(0);
    folder.write('twice.csv', `${header}APPROVED,1,FI,Yksi Oy\n`);
    expect((await command()).stdout).toMatch(/^twice\.csv \(csv\): 1 records read, 1 companies written/);
    expect((await command()).stdout).toMatch(/^twice\.csv was already imported/);
    expect(approvalIn(await command('--again'))).not.toBe(id);
    folder.write('renamed.csv', `${header}APPROVED,1,FI,Yksi Oy\n`);
    const renamed = await runHere(['registry', 'import', folder.path('renamed.csv'), ...WHY], env);
    expect(approvalIn(renamed)).not.toBe(id);
  });

  it('is in the audit log of the platform, with the hash, the registries and the records', async () => {
    const path = folder.write(
      'logged.csv',
      'registry,registry_key,country,legal_name\nLOGGED,1,FI,Yksi Oy\n',
    );
    await approve(path);
    await runHere(['registry', 'import', path, ...WHY], env);
    const { stdout } = await runHere(['audit', 'list', '--json'], env);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    const ofFile = entries.filter(({ subject }) => subject === 'registry file logged.csv');
    expect(ofFile.map(({ action, actor }) => [action, actor])).toEqual([
      ['REGISTRY_IMPORT_PROPOSED', 'operator:ada'],
      ['REGISTRY_IMPORT_APPROVED', 'operator:ben'],
      ['REGISTRY_IMPORT_BEGUN', 'operator:ada'],
      ['REGISTRY_IMPORTED', 'operator:ada'],
    ]);
    expect(ofFile.at(-1)).toMatchObject({
      reason: 'The edition of today.',
      details: { sha256, registries: ['LOGGED'], records_read: 1, companies_written: 1, records_refused: 0 },
    });
  });

  it.each([
    [[], 'Name a subcommand: tradeline registry import or status.'],
    [['import'], 'Name one file: tradeline registry import FILE.'],
    [['import', 'a.csv', '--format', 'excel'], '--format: excel is not one of gleif, companies-house, csv.'],
    [['import', 'a.csv'], '--reason is required: a reason, one line of at most 1000 characters.'],
    [['import', '/no/such.csv', ...WHY], 'There is no file /no/such.csv.'],
  ])('refuses %j in a sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await runCommand(['registry', ...args], env);
    expect({ code, stdout }).toEqual({ code: expect.toBeOneOf([1, 2]), stdout: '' });
    expect(stderr.startsWith(`${sentence}\n`)).toBe(true);
  });
});
