/** A child that never outlives us, not even after our kill -9. */
import { type ChildProcess, spawn } from 'node:child_process';
import { asUser, BARE_ENVIRONMENT, type SystemUser } from './system-user.ts';

export interface ProcessEnd {
  isSuccess: boolean;
  /** "signal SIGKILL", "exit code 1", or why it could not be started. */
  description: string;
}

export interface GuardedProcess {
  pid: number | undefined;
  end: Promise<ProcessEnd>;
  signal(name: NodeJS.Signals): void;
}

// Each script waits on a pipe whose other end only we hold, so that the kernel tells of our end, however it comes.
// The child starts at our word, which it gets once its guard stands: there is no moment without. `exec` makes it our
// own child, so that its end and its signals are ours without a shell in between.
const START_AT_OUR_WORD = 'read -r word && exec "$@" </dev/null';
// The guard waits in a builtin, so it has no child of its own to leave behind. A full line means the child has ended;
// the end of the pipe without one means we have. SIGINT is PostgreSQL's fast shutdown, and ends initdb cleanly too.
const GUARD_PAUSE_MS = 10;
const GUARD = 'trap "" HUP INT QUIT TERM; read -r word || kill -INT "$1"';

/** Starts a program under a guard. Both are detached from the terminal: Ctrl-C is for us, who drain before PostgreSQL stops. */
export function spawnGuarded(options: {
  command: string[];
  user: SystemUser | undefined;
  logDescriptor: number;
}): GuardedProcess {
  const { command, user, logDescriptor } = options;
  const child = spawn('/bin/sh', ['-c', START_AT_OUR_WORD, 'tradeline-start', ...command], {
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
      // Its end is waited for, so that nothing of ours is left when we say so.
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
    // Somebody may end it. The next one comes at once, but pauses that grow keep guards which cannot live from filling the machine.
    guard.on('exit', () => setTimeout(keepGuard, GUARD_PAUSE_MS * guardsReplaced++).unref());
  };
  keepGuard();
  child.stdin?.on('error', () => {});
  child.stdin?.end('start\n');

  return { pid, end, signal: (name) => child.kill(name) };
}
