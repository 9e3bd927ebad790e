import { existsSync } from 'node:fs';
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
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'A platform with the code acme already exists.\n',
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
    [['--colour', 'red'], "Unknown option '--colour': the options are --name, --language, "],
    [['extra'], "Unexpected argument 'extra'."],
    [['--name'], "Option '--name <value>' argument missing."],
  ])('with %j is refused with one sentence', async (args, sentence) => {
    const result = await runHere(
      ['platform', 'create', ...(args.length > 0 ? acme : []), ...args],
      program.env,
    );
    expect(result).toMatchObject({ code: 2, stdout: '' });
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
  const env = () => ({ TRADELINE_DATA_DIR: join(temporaryFolder(), 'data') });

  it('a command makes no database', async () => {
    const nowhere = env();
    const { code, stdout, stderr } = await runCommand(['platform', 'list'], nowhere);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`There is no database in ${nowhere.TRADELINE_DATA_DIR}: start the service`);
    expect(existsSync(nowhere.TRADELINE_DATA_DIR)).toBe(false);
  });

  it('migrate makes the database; a command starts it, works, and leaves nothing running', async () => {
    const data = env();
    const dataDir = data.TRADELINE_DATA_DIR;
    const migrated = await runCommand(['migrate'], data);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(
      /^Creating the database in .+\n(Migrated the database: \d{4}_\w+\n)+Up to date: .+\/data\.\n$/,
    );
    expect(await runCommand(['platform', 'list'], data)).toMatchObject({
      code: 0,
      stdout: 'There is no platform yet: create one with `tradeline platform create`.\n',
    });
    const made = await runCommand(['platform', 'create', ...acme], data);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    await untilNothingRunsBelow(dataDir);

    const first = await startProgram({ dataDir });
    // The first platform already exists, so no demo is added to it.
    expect(first.apiKey).toBe('');
    const apiKey = KEY.exec(made.stdout)?.[0] as string;
    expect((await get({ ...first, apiKey }, '/v1/platform')).body.code).toBe('acme');
    await first.stop();
  });
});
