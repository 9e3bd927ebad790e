/** Timers that fire apart from one another. */

/** Of the golden ratio: its multiples are spread evenly over a period, however many there are. */
const PERIOD_SHARE = 0.618;

/**
 * Wakes each work every so many milliseconds. Each begins at an instant of its own within its first period: requests would wait for
 * the work of a whole second otherwise, once a second.
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
