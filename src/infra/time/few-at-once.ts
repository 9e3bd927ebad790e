import { createWaitingLine } from './waiting-line.ts';

/**
 * Limits how many pieces of work run at the same time. One that has waited for `waitMsMax` runs anyway: the limit smooths bursts of fast work,
 * and does not slow down work that takes long because it waits for others.
 */
export function fewAtOnce(
  countMax: number,
  waitMsMax: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const line = createWaitingLine();
  return async (work) => {
    if (running >= countMax) await line.wait(waitMsMax);
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      if (running < countMax) line.releaseFirst();
    }
  };
}
