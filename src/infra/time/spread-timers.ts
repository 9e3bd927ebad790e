/** Timers that fire apart from one another. */

/** The fraction of the golden ratio, whose multiples are spread evenly over a period, regardless of their number. */
const PERIOD_SHARE = 0.618;

/**
 * Wakes each piece of work every `ms` milliseconds. Each starts at a different instant of its first period; otherwise, once a second,
 * requests would wait for all of them.
 */
export function startSpreadTimers(all: readonly (readonly [work: { wake(): void }, ms: number])[]): {
  stop(): void;
} {
  const timers = all.map(([{ wake }, ms], nth) => {
    let timer = setTimeout(
      () => {
        wake();
        timer = setInterval(wake, ms);
      },
      ms * ((nth * PERIOD_SHARE) % 1),
    );
    return { stop: () => clearInterval(timer) };
  });
  return {
    stop() {
      for (const timer of timers) timer.stop();
    },
  };
}
