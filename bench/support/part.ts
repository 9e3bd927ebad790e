/** Runs a part of a bench in a separate process, so that it shares no event loop with the other parts. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Part<Job, Result> extends AsyncDisposable {
  /** Sends the part a job, one at a time. Rejects with the part's error message. */
  send(job: Job): Promise<Result>;
}

type Reply<Result> = { result: Result } | { error: string };

/** Starts a file of this folder that calls `answerJobs`. */
export function startPart<Job, Result>(file: string): Part<Job, Result> {
  // A session of its own: Linux shares the processor between sessions, so that a part would wait for the turns of the program.
  const child = fork(join(import.meta.dirname, file), { detached: true });
  return {
    send(job) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const onExit = () => reject(new Error(`${file} ended before it answered.`));
      const onReply = (reply: Reply<Result>) => {
        if ('result' in reply) resolve(reply.result);
        else reject(new Error(`${file}: ${reply.error}`));
      };
      child.once('exit', onExit).once('message', onReply as (message: unknown) => void);
      child.send(job as object, (error) => error && reject(error));
      return promise.finally(() => child.off('exit', onExit));
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Called by the part: runs each received job and answers with its result. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', (job) => {
    work(job as Job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message || String(error) }),
    );
  });
  // A part ends with its bench.
  process.on('disconnect', () => process.exit());
}
