import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '#test/command';
import { untilNothingRunsBelow } from '#test/embedded-postgres-processes';
import { endPrograms, type RunningProgram, runCommand, startProgram, temporaryFolder } from '#test/program';
import { get } from '#test/program-requests';

let program: RunningProgram;
const run = (...args: string[]) => runCommand(args, program.env);
const acme = ['--code', 'acme', '--name', 'Acme Trading', '--country', 'FR', '--currency', 'GBP'];
const KEY = /tl_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/;

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

describe('platform create', () => {
  it('beside a running server prints a key, once, that the server takes', async () => {
    const more = ['--language', 'FR', '--single-merchant', '--support-email', 'a@acme.example'];
    const made = await run('platform', 'create', ...acme, ...more, '--support-email', 'b@acme.example');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const apiKey = KEY.exec(made.stdout)?.[0] as string;
    expect(made.stdout).toBe(`Platform acme created. Its API key, shown only now:\n\n  ${apiKey}\n\n`);
    const { body } = await get({ ...program, apiKey }, '/v1/platform');
    expect(body).toMatchObject({
      code: 'acme',
      name: 'Acme Trading',
      country: 'FR',
      currency: 'GBP',
      language: 'FR',
      is_single_merchant: true,
      support_emails: ['a@acme.example', 'b@acme.example'],
    });
    const list = await run('platform', 'list');
    expect(list.stdout).not.toMatch(/tl_test/);
    expect((await get({ ...program, apiKey }, '/v1/buyers')).body.total).toBe(0);
  });

  it('refuses a code that is taken, and issues no key for it', async () => {
    const again = await run('platform', 'create', ...acme);
    expect(again).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'There is a platform with the code acme already.\n',
    });
    const keys = await run('key', 'list', '--platform', 'acme');
    expect(keys.stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it.each([
    [[], '--code is required: lower-case letters, digits and hyphens, at most 50.'],
    [['--code', 'Acme'], '--code must be lower-case letters, digits and hyphens, at most 50.'],
    [['--name', ' '], '--name must be the name that buyers read, one line of at most 255 characters.'],
    [['--name', 'a\nb'], '--name must be the name that buyers read, one line of at most 255 characters.'],
    [['--country', 'UK'], '--country must be an ISO 3166-1 alpha-2 code, such as DE.'],
    [['--currency', 'eur'], '--currency must be one of EUR, GBP, USD, '],
    [['--language', 'de'], '--language must be one of AR, BG, CS, '],
    [['--support-email', 'nobody'], '--support-email must be an e-mail address.'],
    [['--colour', 'red'], "Unknown option '--colour': see `tradeline help`."],
    [['extra'], "Unexpected argument 'extra': see `tradeline help`."],
    [['--name'], "Option '--name <value>' argument missing: see `tradeline help`."],
  ])('with %j is refused with one sentence', async (args, sentence) => {
    const result = await runHere(
      ['platform', 'create', ...(args.length > 0 ? acme : []), ...args],
      program.env,
    );
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^[^\n]+\.\n$/);
    expect(result.stderr.startsWith(sentence)).toBe(true);
  });
});

describe('platform list', () => {
  it('shows every platform in a line of a table', async () => {
    const { code, stdout, stderr } = await run('platform', 'list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^code +name +country +currency +merchants +requests +created$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, -1))).toEqual([
      ['demo', 'Demo platform', 'DE', 'EUR', 'many', 'taken'],
      ['acme', 'Acme Trading', 'FR', 'GBP', 'one', 'taken'],
    ]);
  });
});

describe('without a server', () => {
  it('a command starts the database, works, and leaves nothing running', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const env = { TRADELINE_DATA_DIR: dataDir };
    const empty = await runCommand(['platform', 'list'], env);
    expect(empty).toEqual({
      code: 0,
      signal: null,
      stdout: 'There is no platform yet: make one with `tradeline platform create`.\n',
      stderr: '',
    });
    const made = await runCommand(['platform', 'create', ...acme], env);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    await untilNothingRunsBelow(dataDir);

    const first = await startProgram({ dataDir });
    // The first platform is there already: no demo is added to it.
    expect(first.apiKey).toBe('');
    const apiKey = KEY.exec(made.stdout)?.[0] as string;
    expect((await get({ ...first, apiKey }, '/v1/platform')).body.code).toBe('acme');
    await first.stop();
  });

  it('migrate migrates an empty database, and prints what it did', async () => {
    const result = await runCommand(['migrate'], { TRADELINE_DATA_DIR: join(temporaryFolder(), 'data') });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(
      /^Creating the database in .+\n(Migrated the database: \d{4}_\w+\n)+The database is up to date\.\n$/,
    );
  });
});

describe('the command line', () => {
  it.each([[[]], [['help']], [['--help']], [['key', 'create', '--help']]])(
    '%j prints the usage',
    async (args) => {
      const result = await runCommand(args);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      expect(result.stdout).toMatch(/^Usage: tradeline <command>\n/);
      // A terminal of 100 columns does not fold it.
      expect(Math.max(...result.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    },
  );

  it.each([
    [['nonsense'], 2, 'There is no command "nonsense": see `tradeline help`.\n'],
    [['toString'], 2, 'There is no command "toString": see `tradeline help`.\n'],
    [
      ['platform', 'delete'],
      1,
      'Say what to do: tradeline platform create, list, show, history, update, disable, enable or return-secret.\n',
    ],
    [['checkout', 'close'], 1, 'Say what to do: tradeline checkout link or revoke.\n'],
    [['serve', 'now'], 1, "Unexpected argument 'now': see `tradeline help`.\n"],
    [['migrate', '--down'], 1, "Unknown option '--down': see `tradeline help`.\n"],
  ])('%j is refused', async (args, code, stderr) => {
    expect(await runCommand(args, program.env)).toEqual({ code, signal: null, stdout: '', stderr });
  });
});
