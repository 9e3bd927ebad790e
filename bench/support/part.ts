/** A part of a bench that has a process of its own, so that it shares no event loop with what it is measured against. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Part<Job, Result> extends AsyncDisposable {
  /** Hands the part a job. One at a time; rejects with the part's own sentence where it fails. */
  send(job: Job): Promise<Result>;
}

type Reply<Result> = { result: Result } | { error: string };

/** Starts a file of this folder that calls `answerJobs`. */
export function startPart<Job, Result>(file: string): Part<Job, Result> {
  const child = fork(join(import.meta.dirname, file));
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

/** The part's side: does each job it is handed and answers with what came of it. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', (job) => {
    work(job as Job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message || String(error) }),
    );
  });
  // Ctrl-C reaches every process of the terminal: the bench ends its parts itself, and a bench that is gone leaves none.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
}
