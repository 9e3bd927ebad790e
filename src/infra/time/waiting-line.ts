import { InFlight } from '../in-flight.ts';

/** Pieces of work that wait for their turn, the first first. */
export interface WaitingLine {
  /** Resolves when it is released, and after `msMax` at the latest. */
  wait(msMax: number): Promise<void>;
  /** Returns false if none waits. */
  releaseFirst(): boolean;
}

export function createWaitingLine(): WaitingLine {
  const releases = new InFlight<() => void>();
  return {
    wait: (msMax) =>
      new Promise((resolve) => {
        const release = () => {
          clearTimeout(timer);
          releases.delete(release);
          resolve();
        };
        const timer = setTimeout(release, msMax);
        releases.add(release);
      }),
    releaseFirst() {
      const release = releases.oldest;
      release?.();
      return release !== undefined;
    },
  };
}
