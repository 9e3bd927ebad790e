import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { buyerBody } from '#test/bodies';
import { approvalIn, runHere, secondOperator } from '#test/command';
import { query } from '#test/embedded-postgres-processes';
import { endPrograms, type RunningProgram, runCommand, startProgram, temporaryFolder } from '#test/program';
import { post } from '#test/program-requests';
import { ORDINARY } from '../../src/modules/underwriting/policy/sample-inputs.ts';

const DEFAULT = new URL('../../policies/default.json', import.meta.url);

let program: RunningProgram;
let ben: Record<string, string>;
let folder: string;
const run = (...args: string[]) => runHere(['policy', ...args], program.env);

beforeAll(async () => {
  folder = temporaryFolder();
  program = await startProgram({ args: ['--empty'] });
  ben = await secondOperator(program.env);
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

/** A file with the default policy, with one text replaced. */
function policyFile(name: string, from = '', to = ''): string {
  const path = join(folder, name);
  const text = readFileSync(DEFAULT, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
  return path;
}

async function succeed(...args: string[]): Promise<string> {
  const { code, stderr, stdout } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function refused(...args: string[]): Promise<string> {
  const { code, stderr, stdout } = await run(...args);
  expect({ code, stdout }).toEqual({ code: expect.toBeOneOf([1, 2]), stdout: '' });
  return stderr;
}

async function sql(text: string) {
  const endpoint = (await attachToRunningPostgres(program.dataDir))?.endpoint('owner');
  if (!endpoint) throw new Error('PostgreSQL does not run.');
  return query(endpoint, text);
}

/** The cells of a printed table, below its head. */
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('policy show', () => {
  it('shows the default policy of a platform without one, as tables', async () => {
    const text = await succeed('show');
    expect(text).toMatch(/^Version 1 \(default\) of demo\n/);
    expect(text).toContain('### Risk band');
    expect(text).toContain('| `"GOVERNMENT"` | any | `"A1"` | `100000` |');
  });

  it('shows it as the file it is', async () => {
    const text = await succeed('show', '--version', '1', '--json', '--platform', 'demo');
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(DEFAULT, 'utf8')));
  });
});

describe('policy validate', () => {
  it('confirms that a policy is valid', async () => {
    expect(await succeed('validate', policyFile('mine.json'))).toBe(
      `mine.json is a valid policy of ${JSON.parse(readFileSync(DEFAULT, 'utf8')).nodes.length} nodes.\n`,
    );
  });

  it('prints every error on a line with the name of its node', async () => {
    const path = policyFile('broken.json', '">= 2"', '">= "');
    const lines = (await refused('validate', path)).trimEnd().split('\n');
    expect(lines[0]).toBe('broken.json is not a valid policy:');
    expect(lines.slice(1)).toHaveLength(5);
    for (const line of lines.slice(1))
      expect(line).toMatch(/^Node "(Risk band|Applicant)" \((risk-band|applicant)\): row \d+ .+: >= ?$/);
  });
});

describe('without a build of the rules engine for the machine', () => {
  // The engine's own variable: the place of its native part.
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/zen-engine.node' };

  it.each([
    ['validate', DEFAULT.pathname],
    ['backtest', '1'],
  ])('policy %s prints the reason in one sentence', async (...args) => {
    const { code, stdout, stderr } = await runCommand(['policy', ...args], { ...program.env, ...env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The rules engine cannot be loaded on this machine \(.+\): docs\/decisions\/0016.+\.\n$/,
    );
  });
});

describe('policy activate', () => {
  const active = async () => {
    const [, ...rows] = rowsOf(await succeed('list'));
    return rows.filter(([, , mark]) => mark === 'yes').map(([version]) => version);
  };

  const WHY = ['--reason', 'Losses are low.'];
  const propose = async (source: string) => approvalIn(await run('activate', source, ...WHY));
  const approve = (id: string) => runHere(['approval', 'approve', id, '--reason', 'Back-tested.'], ben);

  it('stores a file as the next version, and two operators put it in force', async () => {
    const path = policyFile('wider.json', '"25000"', '"40000"');
    const { stdout } = await run('activate', path, ...WHY);
    expect(stdout).toMatch(
      /^Version 2 is stored\. Approval [\da-f-]{36} waits for a second operator: .+\.\n$/,
    );
    expect(await active()).toEqual(['1']);
    const id = /[\da-f-]{36}/.exec(stdout)?.[0] as string;
    const alone = await runHere(['approval', 'approve', id, '--reason', 'Me.'], program.env);
    expect(alone).toMatchObject({
      code: 1,
      stderr: 'The operator who proposed a change cannot approve it: another one must.\n',
    });
    expect(await active()).toEqual(['1']);
    expect(await approve(id)).toMatchObject({ code: 0, stderr: '' });
    expect(await active()).toEqual(['2']);
    expect(await succeed('show')).toContain('`40000`');
    const [head, newest, first] = rowsOf(await succeed('list'));
    expect(head?.slice(0, 3)).toEqual(['version', 'name', 'active']);
    expect(newest).toEqual(expect.arrayContaining(['2', 'wider', 'yes', 'operator:ada', 'operator:ben']));
    expect(first).toEqual(expect.arrayContaining(['1', 'default', 'Tradeline']));
    expect(await refused('activate', '2', ...WHY)).toBe('Version 2 is already in force.\n');
  });

  it('goes back to an earlier version, by two as well; the newest one is not stored twice', async () => {
    await approve(await propose('1'));
    expect(await active()).toEqual(['1']);
    const again = await propose(policyFile('wider.json', '"25000"', '"40000"'));
    expect((await runHere(['approval', 'show', again], program.env)).stdout).toMatch(/^version +1 +2$/m);
    await runHere(['approval', 'reject', again, '--reason', 'Not yet.'], ben);
    expect(await active()).toEqual(['1']);
  });

  it('is refused to the second operator if another policy was put in force since', async () => {
    const [first, second] = [await propose('2'), await propose('2')];
    await approve(first);
    expect((await approve(second)).stderr).toBe('Version 2 is already in force.\n');
    const late = await propose('1');
    await approve(await propose(policyFile('widest.json', '"25000"', '"50000"')));
    expect((await approve(late)).stderr).toMatch(/^The credit policy changed after operator:ada proposed/);
    await approve(await propose('1'));
    expect(await active()).toEqual(['1']);
  });

  it('leaves a history of who put what in force, and why', async () => {
    const rows = (await succeed('history')).trimEnd().split('\n');
    const cells = rows.map((row) => row.split(/ {2,}/).toSpliced(1, 1));
    const byTwo = ['operator:ada', 'operator:ben', 'Losses are low.'];
    expect(cells.slice(0, 4)).toEqual([
      ['version', 'setting', 'before', 'after', 'set_by', 'approved_by', 'reason'],
      ['1', 'policy', '-', 'version 1 (default)', 'Tradeline', '-', '-'],
      ['2', 'policy', 'version 1 (default)', 'version 2 (wider)', ...byTwo],
      ['3', 'policy', 'version 2 (wider)', 'version 1 (default)', ...byTwo],
    ]);
  });

  it('leaves the policy of every day readable', async () => {
    const dayOf = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await succeed('show', '--at', dayOf(0))).toMatch(/^Version 1 \(default\) of demo\n/);
    expect(await refused('show', '--at', dayOf(-2))).toBe(
      'demo had no policy at that time: see tradeline policy history.\n',
    );
    expect(await refused('show', '--at', dayOf(2))).toBe('--at must be a day that has begun.\n');
    expect(await refused('show', '--at', dayOf(0), '--version', '1')).toBe(
      'Give --version or --at, not both: each names one policy.\n',
    );
  });

  it('changes nothing if the policy is invalid', async () => {
    const path = policyFile('broken.json', '">= 2"', '">= "');
    expect(await refused('activate', path, ...WHY)).toMatch(/^broken.json is not a valid policy:\n/);
    expect(await active()).toEqual(['1']);
  });

  it.each([
    [[], 'Name one policy: tradeline policy activate FILE|VERSION.'],
    [['1', '2'], 'Name one policy: tradeline policy activate FILE|VERSION.'],
    [['1'], '--reason is required: a reason, one line of at most 1000 characters.'],
    [['77', ...WHY], 'demo has no version 77 of its policy: see tradeline policy list.'],
    [['nowhere.json', ...WHY], 'nowhere.json cannot be read (ENOENT).'],
    [['1', ...WHY, '--platform', 'nobody'], 'There is no platform with the code nobody.'],
  ])('%j is refused with one sentence', async (args, sentence) => {
    expect(await refused('activate', ...args)).toBe(`${sentence}\n`);
  });
});

describe('policy backtest', () => {
  it('reports that there are no past applications', async () => {
    expect(await succeed('backtest', '1')).toBe(
      'Nothing has been decided yet: there are no past applications to compare.\n',
    );
  });

  it('compares a file with the version in force, on everything that was decided', async () => {
    const buyer = buyerBody({ external_id: 'cafe', legal_form: 'LIMITED_COMPANY' });
    expect((await post(program, '/v1/buyers', buyer)).status).toBe(201);
    const inputs = ORDINARY;
    const past = [inputs, { ...inputs, company_age_years: 1 }, { ...inputs, days_past_due_max: 90 }];
    for (const [index, each] of past.entries())
      await sql(`insert into credit_decisions (platform_id, decision_id, subject, buyer_external_id, outcome, currency,
        reasons, buyer_reasons, policy_version, inputs, actor, decided_at)
        values (1, gen_random_uuid(), 'FACILITY_CREATION', 'cafe', 'REFER', 'EUR', '{}', '{}', 1,
          '${JSON.stringify(each)}', 'key', ${1_763_640_000 + index})`);
    const path = policyFile('wider.json', '"25000"', '"40000"');
    const text = await succeed('backtest', path);
    const [head, ...rows] = rowsOf(text.split('\n\n')[0] ?? '');
    expect(head).toEqual(['', 'version 1', 'wider.json']);
    expect(rows.slice(0, 8)).toEqual([
      ['applications', '3', '3'],
      ['approvals', '2', '2'],
      ['approval rate', '66.7 %', '66.7 %'],
      ['referrals', '0', '0'],
      ['rejections', '1', '1'],
      // They were referred, and no person granted them credit.
      ['approvals without a past', '2', '2'],
      ['sum of limits, EUR', '39,000.00', '57,000.00'],
      ['average limit, EUR', '19,500.00', '28,500.00'],
    ]);
    expect(rows.slice(8).map(([what]) => what)).toEqual(
      [
        ...['orders kept', 'orders dropped', 'amount dropped', 'good business dropped', 'losses avoided'],
        ...[
          'peak exposure',
          'expected loss',
          'defaulted',
          'paid since',
          'written off',
          'recovered',
          'net loss',
        ],
        'still in default',
      ].map((what) => `${what}, EUR`),
    );
    expect(text).toMatch(
      /By month of the decision under wider\.json, in whole EUR\n\nmonth +decided +approved/,
    );
    expect(text).toMatch(/\n2025-11 +3 +2 +57,000 +0 /);
    expect(text).toMatch(
      /Applications by risk band\n\nfrom +to +applications\nB2 += {2,}1\nC2 += {2,}1\nREJECT += {2,}1\n/,
    );
    expect(text).toContain('1 of 3 differ\n');
    expect(text).toMatch(
      /2025-11-20T12:00:00.000Z +cafe +FACILITY_CREATION +ACCEPT 30,000.00 EUR B2 +ACCEPT 48,000.00 EUR B2\n/,
    );
    expect(text).toMatch(/Lost by month of the decision, EUR: █ version 1 +░ wider\.json/);
    expect(await succeed('backtest', '2', '--against', '2')).toMatch(/\n0 of 3 differ\.\n/);
    const chart = join(folder, 'losses.svg');
    expect(await succeed('backtest', path, '--chart', chart)).toMatch(/\nThe chart is in .+losses\.svg\.\n$/);
    expect(readFileSync(chart, 'utf8')).toMatch(/^<svg [\s\S]+wider\.json[\s\S]+<\/svg>\n$/);
    const nowhere = join(folder, 'nowhere', 'losses.svg');
    const { code, stderr } = await run('backtest', path, '--chart', nowhere);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${nowhere} cannot be written (ENOENT).\n` });
  });
});

describe('policy', () => {
  it.each([
    [[], 'Name a subcommand: tradeline policy show, list, history, validate, activate or backtest.'],
    [['draw'], 'Name a subcommand: tradeline policy show, list, history, validate, activate or backtest.'],
    [['show', '--version', 'new'], 'demo has no version new of its policy: see tradeline policy list.'],
    [['backtest'], 'Name one policy: tradeline policy backtest FILE|VERSION.'],
    [['backtest', '1', '--chart', 'losses.png'], '--chart must be a file that ends in .svg.'],
    [['backtest', '1', '--against', '9'], 'demo has no version 9 of its policy: see tradeline policy list.'],
  ])('%j is refused with one sentence', async (args, sentence) => {
    expect(await refused(...args)).toBe(`${sentence}\n`);
  });
});
