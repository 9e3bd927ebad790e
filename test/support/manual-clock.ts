/** A clock that tests move forward, with timers that run when it passes them. */
export interface ManualClock {
  elapsedMs(): number;
  /** Calls `run` once, when the clock has advanced by `delayMs`; the result cancels it. */
  schedule(run: () => void, delayMs: number): () => void;
  advance(ms: number): void;
  /** The number of waiting timers. */
  scheduled(): number;
}

export function manualClock(): ManualClock {
  // Like the real clock, it does not begin at zero.
  let nowMs = 1_000_000;
  let timers: { run: () => void; dueMs: number }[] = [];
  return {
    elapsedMs: () => nowMs,
    schedule(run, delayMs) {
      const timer = { run, dueMs: nowMs + delayMs };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      nowMs += ms;
      const due = timers.filter(({ dueMs }) => dueMs <= nowMs);
      timers = timers.filter(({ dueMs }) => dueMs > nowMs);
      for (const { run } of due) run();
    },
    scheduled: () => timers.length,
  };
}
