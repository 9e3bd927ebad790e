/** The only source of time. All other code receives instants as arguments, so that tests and sandboxes can set them. */
export interface Clock {
  /** Whole Unix seconds, as resources and events carry them. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary origin, for durations and times to live. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  elapsedMs: () => performance.now(),
};
