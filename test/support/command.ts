/**
 * Commands in this process, as fast as a call: on the database of a running program or of a world. It gives the same results as
 * `runCommand` of program.ts, with which tests check that the program runs commands.
 */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { inject, vi } from 'vitest';
import { COMMANDS, exitCodeOf, sentenceOfRefusal } from '../../src/cli/commands.ts';
import type { CommandResult } from './program.ts';
import type { World } from './world.ts';

const SETTINGS = Object.keys(
  parseEnv(readFileSync(new URL('../../config.default.env', import.meta.url), 'utf8')),
);

let last: Promise<unknown> = Promise.resolve();

/** Runs `tradeline <args>` with these settings. Commands take turns: they share the environment and the terminal. */
export function runHere(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const turn = last.then(() => run(args, env));
  last = turn.catch(() => {});
  return turn;
}

async function run([name = '', ...args]: string[], env: Record<string, string>): Promise<CommandResult> {
  for (const setting of SETTINGS) vi.stubEnv(setting, env[setting]);
  let stdout = '';
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => {
    stdout += `${line}\n`;
  });
  // Hides the line with the location of the data.
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const end = { signal: null };
  try {
    const command = await COMMANDS[name as keyof typeof COMMANDS]();
    await command(args);
    return { ...end, code: 0, stdout, stderr: '' };
  } catch (thrown) {
    const sentence = sentenceOfRefusal(thrown);
    if (sentence === undefined) throw thrown;
    return { ...end, code: exitCodeOf(thrown), stdout, stderr: `${sentence}\n` };
  } finally {
    log.mockRestore();
    error.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** The settings with which commands reach the database of a world. */
export async function settingsOf({
  installation: { settings },
  sql,
}: World): Promise<Record<string, string>> {
  const { owner, service } = inject('postgres');
  const [row] = await sql<{ name: string }>('select current_database() as name');
  const urlOf = ({ user, password, host, port }: typeof owner) =>
    `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${row?.name}?host=${encodeURIComponent(host)}`;
  return {
    DATABASE_URL: urlOf(service),
    DATABASE_OWNER_URL: urlOf(owner),
    TRADELINE_ENVIRONMENT: settings.environment,
    TRADELINE_MASTER_KEY: settings.masterKey?.toString('base64') ?? '',
  };
}

/** Adds a second operator with the operator of these settings. Returns the settings with the key of the new one. */
export async function secondOperator(env: Record<string, string>): Promise<Record<string, string>> {
  const why = ['--reason', 'Four eyes.'];
  const address = ['--email', 'ben@operators.example', '--role', 'ADMIN'];
  const { key, hash } = await newOperatorKey(env);
  const added = await runHere(['operator', 'add', 'ben', ...address, '--key-hash', hash, ...why], env);
  if (added.code !== 0) throw new Error(added.stderr);
  return { ...env, TRADELINE_OPERATOR_KEY: key };
}

/** Creates a key as a person does, and its hash. */
export async function newOperatorKey(env: Record<string, string>): Promise<{ key: string; hash: string }> {
  const { stdout } = await runHere(['operator', 'new-key'], env);
  const [, key, hash] = /(tl_op_test_\w{51})\n[\s\S]*(tl_op_test_\w{12}:[\da-f]{64})\n/.exec(stdout) ?? [];
  if (key === undefined || hash === undefined) throw new Error(`No key was shown: ${stdout}`);
  return { key, hash };
}

/** The id of the approval in a command's output. */
export function approvalIn({ stdout, stderr }: CommandResult): string {
  const [, id] = /^(?:.*\. )?Approval ([\da-f-]{36}) waits for a second operator/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`Nothing was proposed: ${stdout}${stderr}`);
  return id;
}
