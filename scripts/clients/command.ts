import { execFile } from 'node:child_process';

export interface CommandOptions {
  cwd?: string;
  /** Variables that override those of this process. */
  env?: Record<string, string>;
}

/** A download and a first compilation on a slow machine. */
const COMMAND_MINUTES_MAX = 10;

/** Runs a command to its end and returns its trimmed standard output. Rejects with the whole output if it fails. */
export function command(file: string, args: string[], { cwd, env }: CommandOptions = {}): Promise<string> {
  const options = {
    ...(cwd && { cwd }),
    env: { ...process.env, ...env },
    timeout: COMMAND_MINUTES_MAX * 60_000,
    maxBuffer: 2 ** 28,
  };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout.trim());
      else if (error.code === 'ENOENT') reject(new Error(`${file} is not installed.`));
      else reject(new Error(`${[file, ...args].join(' ')} failed.\n${stdout}${stderr}`));
    });
  });
}
