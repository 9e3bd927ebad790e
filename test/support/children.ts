/** The processes that tests start. None outlives its worker, and no worker outlives the run. */
import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** Kills the child, if it still runs, when this worker ends. */
export function endWithWorker<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

let isBound = false;

/** Ends this worker, and the processes that it started, as soon as the run ends or stops it. Repeated calls have no effect. */
export function endWorkerWithRun(): void {
  if (isBound) return;
  isBound = true;
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  process.once('disconnect', endWorker);
  process.once('SIGTERM', endWorker);
}

/** Vitest refuses `process.exit` in a test file, and a signal alone does not run listeners of `exit`, such as Chromium's. */
function endWorker(): void {
  process.emit('exit', 143);
  process.kill(process.pid, 'SIGKILL');
}
