/** The common behaviour of all commands: help, options, exit codes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VERSION } from '#infra/version';
import { runHere } from '#test/command';
import { runCommand } from '#test/program';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandHelp, generalHelp, HELP } from '../../src/cli/help.ts';

type Name = keyof typeof COMMANDS;
const names = Object.keys(COMMANDS) as Name[];
const verbs = names.flatMap((name) =>
  Object.entries(HELP[name].verbs).map(([verb, [usage]]) => ({ name, verb, usage })),
);
/** These commands print no result, so they have no JSON output. */
const WITHOUT_JSON = ['serve', 'migrate', 'listen', 'trigger', 'openapi'];
/** This verb concerns one platform, like most commands and unlike the other verbs of its command. */
const WITH_PLATFORM = ['platform mails'];
/** These commands concern no platform, or take it as CODE. */
const WITHOUT_PLATFORM = [
  ...WITHOUT_JSON,
  'platform',
  'cell',
  'events',
  'registry',
  'operator new-key',
  'policy validate',
  'distribute',
];

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const optionsIn = (text: string) => [...new Set(text.match(/--[a-z-]+/g))].sort();

/** The options that a verb accepts, according to its help. */
async function optionsOf(name: string, verb: string): Promise<string[]> {
  const { code, stderr } = await runHere([name, ...(verb ? [verb] : []), '--no-such-option']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^Unknown option '--no-such-option': /)]);
  return optionsIn(stderr.replace(/^Unknown option '--no-such-option'/, ''));
}

describe('the help', () => {
  it('has every command with every verb', async () => {
    for (const name of names) {
      const { verbs: known } = await COMMANDS[name]();
      expect([name, ...Object.keys(HELP[name].verbs).filter((verb) => verb !== '')]).toEqual([
        name,
        ...known,
      ]);
      expect(generalHelp()).toMatch(new RegExp(`^ {2}${name.padEnd(12)}  \\w`, 'm'));
    }
  });

  it.each(verbs)('has exactly the options of tradeline $name $verb', async ({ name, verb, usage }) => {
    const command = `${name} ${verb}`.trim();
    const isIn = (list: string[]) => list.includes(name) || list.includes(command);
    const common = [
      ...(isIn(WITHOUT_JSON) ? [] : ['--json']),
      ...(isIn(WITHOUT_PLATFORM) && !isIn(WITH_PLATFORM) ? [] : ['--platform']),
    ];
    const mentioned = optionsIn(usage);
    expect(await optionsOf(name, verb)).toEqual([...mentioned, ...common].sort());
  });

  it('of a command is printed in three ways, in lines that a terminal of 100 columns does not fold', async () => {
    const expected = { code: 0, stdout: commandHelp('policy'), stderr: '' };
    for (const args of [
      ['help', 'policy'],
      ['policy', '--help'],
      ['policy', 'backtest', '-h'],
    ])
      expect(await runCommand(args)).toMatchObject(expected);
    for (const text of [generalHelp(), ...names.map(commandHelp)])
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe('a status that nothing has', () => {
  it.each(verbs.filter(({ usage }) => usage.includes('--status')))(
    'is refused by tradeline $name $verb',
    async ({ name, verb }) => {
      expect(await runHere([name, verb, '--status', 'GONE'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^--status must be one of [A-Z_, ]+\.\n$/),
      });
    },
  );
});

describe('the command line', () => {
  it('prints the version', async () => {
    expect(await runCommand(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('ends without a word when the reader of its output ends first, as `head` does', async () => {
    const child = spawn(process.execPath, [MAIN, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({ code: 141, stderr: '' });
  });

  it.each([[[]], [['help']], [['--help']]])('%j prints the commands', async (args) => {
    expect(await runCommand(args)).toMatchObject({ code: 0, stdout: generalHelp(), stderr: '' });
  });

  it.each([
    [['nonsense'], 'There is no command "nonsense": see `tradeline help`.\n'],
    [['toString'], 'There is no command "toString": see `tradeline help`.\n'],
    [['help', 'nonsense'], 'There is no command "nonsense": see `tradeline help`.\n'],
    [
      ['checkout', 'close'],
      'Name a subcommand: tradeline checkout link or revoke.\nSee `tradeline help checkout`.\n',
    ],
    [['serve', 'now'], "Unexpected argument 'now'.\nSee `tradeline help serve`.\n"],
    [
      ['migrate', '--down'],
      "Unknown option '--down': the options are --check.\nSee `tradeline help migrate`.\n",
    ],
    [
      ['key', 'revoke'],
      '--key is required: the id of a key: see tradeline key list.\nSee `tradeline help key`.\n',
    ],
  ])('%j is wrong usage: exit code 2', async (args, stderr) => {
    expect(await runCommand(args)).toEqual({ code: 2, signal: null, stdout: '', stderr });
  });
});
