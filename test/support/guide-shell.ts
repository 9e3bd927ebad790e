/** A reader's shell: one bash that runs the fences of guides one after the other. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithWorker } from './children.ts';
import type { User } from './program.ts';
import { until } from './until.ts';

/** The npx of this machine; empty without one. */
export const npxFile = spawnSync('sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).stdout.trim();

export const hasShell =
  npxFile !== '' && ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** On an idle reference machine. */
const FENCE_SECONDS_MAX = 60;

export interface FenceResult {
  stdout: string;
  stderr: string;
  /** The commands that ended with an exit code other than 0, as bash reports them. */
  failed: string[];
}

export interface GuideShell {
  run(commands: string): Promise<FenceResult>;
  stop(): void;
}

export interface GuideReader {
  /** The folder of the program. */
  root: string;
  /** The folder in which the reader works. */
  cwd: string;
  /** A folder for files of bash, curl and npm. */
  home: string;
  user?: User;
}

/** Both folders belong to the user. */
export async function openGuideShell({ root, cwd, home, user }: GuideReader): Promise<GuideShell> {
  mkdirSync(join(home, 'bin'));
  const socket = join(home, 'commands');
  const resident = endWithWorker(
    spawn(process.execPath, [RESIDENT_PROGRAM, join(root, 'src', 'main.ts'), socket], {
      cwd: home,
      ...user,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: 'ignore',
    }),
  );
  await until(() => existsSync(socket) || resident.exitCode !== null, FENCE_SECONDS_MAX);
  writeFileSync(join(home, 'bin', 'npx'), npxOf(socket), { mode: 0o755 });
  // A 4xx answer fails the command, and each answer ends with a line break.
  writeFileSync(join(home, '.curlrc'), 'fail-with-body\nwrite-out = "\\n"\n');
  const shell = endWithWorker(
    spawn('bash', {
      cwd,
      ...user,
      env: { PATH: [join(home, 'bin'), process.env.PATH].join(delimiter), HOME: home },
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  );
  const file = (name: string) => join(home, name);
  // Also traps errors in functions and command substitutions.
  shell.stdin.write(`set -E; trap 'echo "$BASH_COMMAND" >>${file('failed')}' ERR\n`);
  let count = 0;
  return {
    async run(commands) {
      count += 1;
      const [source, stdout, stderr, done] = ['commands', 'stdout', 'stderr', 'done'].map((name) =>
        file(`${name}-${count}`),
      ) as [string, string, string, string];
      writeFileSync(source, commands);
      shell.stdin.write(`: >${file('failed')}; . ${source} </dev/null >${stdout} 2>${stderr}; : >${done}\n`);
      await until(() => existsSync(done) || shell.exitCode !== null, FENCE_SECONDS_MAX);
      const read = (path: string) => readFileSync(path, 'utf8');
      const failed = read(file('failed'))
        .split('\n')
        .filter((line) => line !== '');
      return { stdout: read(stdout), stderr: read(stderr), failed };
    },
    stop() {
      shell.kill('SIGKILL');
      resident.kill('SIGKILL');
    },
  };
}

const RESIDENT_PROGRAM = fileURLToPath(new URL('resident-program.ts', import.meta.url));

/**
 * A replacement that runs `npx tradeline` in a tenth of the time. A separate test checks that the real one finds the program and its data.
 */
function npxOf(socket: string): string {
  return `#!/bin/bash
[ "$1" = tradeline ] || exec ${npxFile} "$@"
shift
export RESIDENT_ANSWER=$(mktemp -d)
code=$({ printf '%s\\0' "$PWD" $# "$@"; env -0; } | curl -q -sS --fail-with-body --unix-socket ${socket} --data-binary @- http://localhost/) || { echo "$code" >&2; exit 70; }
cat $RESIDENT_ANSWER/out
cat $RESIDENT_ANSWER/err >&2
rm -r $RESIDENT_ANSWER
exit $code
`;
}
