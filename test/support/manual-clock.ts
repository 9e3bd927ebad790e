/** A clock that a test sets forward, and timers that run when it passes them. */
export interface ManualClock {
  elapsedMs(): number;
  /** Runs it once, when the clock has advanced by that much; the result cancels it. */
  schedule(run: () => void, delayMs: number): () => void;
  advance(ms: number): void;
  /** Timers that wait still. */
  scheduled(): number;
}

export function manualClock(): ManualClock {
  // Like the real one, it does not begin at zero.
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
