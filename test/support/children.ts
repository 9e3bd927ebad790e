/** The processes that tests start: none outlives its worker, and no worker outlives the run. */
import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** Kills the child, where it still runs, when this worker ends. */
export function endWithWorker<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

let isBound = false;

/** Ends this worker, and what it started, as soon as the run is gone or stops it. Does so once, however often it is called. */
export function endWorkerWithRun(): void {
  if (isBound) return;
  isBound = true;
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  process.once('disconnect', endWorker);
  process.once('SIGTERM', endWorker);
}

/** In a test file Vitest refuses `process.exit`, and a signal alone runs no listener of `exit`: Chromium's is one. */
function endWorker(): void {
  process.emit('exit', 143);
  process.kill(process.pid, 'SIGKILL');
}
