/** A child process that ends when this process ends, even by kill -9. */
import { type ChildProcess, spawn } from 'node:child_process';
import { asUser, BARE_ENVIRONMENT, type SystemUser } from './system-user.ts';

export interface ProcessEnd {
  isSuccess: boolean;
  /** "signal SIGKILL", "exit code 1", or why it did not start. */
  description: string;
}

export interface GuardedProcess {
  pid: number | undefined;
  end: Promise<ProcessEnd>;
  signal(name: NodeJS.Signals): void;
}

// Each script waits on a pipe whose other end only this process has, so that the kernel closes it however this process
// ends. The child starts after its guard runs, so it is never unguarded. `exec` makes it a direct child, without a shell
// between it and its signals.
const START_ON_SIGNAL_LINE = 'read -r word && exec "$@" </dev/null';
// The guard waits in a shell builtin, so it has no child to leave behind. A full line means that the child has ended; end
// of file means that this process has. SIGINT is PostgreSQL's fast shutdown and also ends initdb cleanly.
const GUARD_PAUSE_MS = 10;
const GUARD = 'trap "" HUP INT QUIT TERM; read -r word || kill -INT "$1"';

/** Starts a program under a guard. Both are detached from the terminal: Ctrl-C reaches only this process, which drains first. */
export function spawnGuarded(options: {
  command: string[];
  user: SystemUser | undefined;
  logDescriptor: number;
}): GuardedProcess {
  const { command, user, logDescriptor } = options;
  const child = spawn('/bin/sh', ['-c', START_ON_SIGNAL_LINE, 'tradeline-start', ...command], {
    ...asUser(user),
    env: BARE_ENVIRONMENT,
    detached: true,
    stdio: ['pipe', logDescriptor, logDescriptor],
  });
  const { pid } = child;
  let guard: ChildProcess | undefined;
  let guardsReplaced = 0;
  let isRunning = pid !== undefined;

  const end = new Promise<ProcessEnd>((resolve) => {
    const finish = (result: ProcessEnd) => {
      isRunning = false;
      // Waits for the guard, so that no process is left when `end` resolves.
      if (guard?.pid === undefined || guard.exitCode !== null || guard.signalCode !== null)
        return resolve(result);
      guard.once('exit', () => resolve(result));
      guard.stdin?.end('ended\n');
    };
    child.on('error', (error) => finish({ isSuccess: false, description: error.message }));
    child.on('exit', (code, signal) =>
      finish({ isSuccess: code === 0, description: signal ? `signal ${signal}` : `exit code ${code}` }),
    );
  });

  const keepGuard = () => {
    if (!isRunning) return;
    guard = spawn('/bin/sh', ['-c', GUARD, 'tradeline-guard', String(pid)], {
      ...asUser(user),
      env: BARE_ENVIRONMENT,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.stdin?.on('error', () => {});
    guard.on('error', () => child.kill('SIGINT'));
    // A killed guard is replaced immediately. Growing pauses keep guards that cannot run from flooding the machine.
    guard.on('exit', () => setTimeout(keepGuard, GUARD_PAUSE_MS * guardsReplaced++).unref());
  };
  keepGuard();
  child.stdin?.on('error', () => {});
  child.stdin?.end('start\n');

  return { pid, end, signal: (name) => child.kill(name) };
}
