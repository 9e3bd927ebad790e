/** The one place that reads the time. Everything else is handed an instant, so that a test or a sandbox can set it. */
export interface Clock {
  /** Whole unix seconds: the time of every resource and event. */
  now(): number;
  /** Milliseconds that only ever grow: for durations and time-to-live, never shown. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  elapsedMs: () => performance.now(),
};
