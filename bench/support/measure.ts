/** Measures how often a task can be done in a given time, and how long it takes. */

export interface Measurement {
  /** Number of completed tasks. A failed task ends the measurement. */
  done: number;
  /** Tasks per second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Share of one core. Near 1, the measuring process was the bottleneck. */
  busyShare: number;
}

/**
 * Repeats `task` for a given time in several concurrent loops. Tasks in progress at the end are awaited and counted, so
 * that every completed task is counted.
 */
export async function measure(
  { durationMs, loops }: { durationMs: number; loops: number },
  task: (loop: number) => Promise<void>,
): Promise<Measurement> {
  const tookMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  const run = async (loop: number) => {
    for (let before = startedAt; before < endsAt; ) {
      await task(loop);
      const after = performance.now();
      tookMs.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: loops }, (_, loop) => run(loop)));
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    done: tookMs.length,
    rate: (tookMs.length / elapsedMs) * 1_000,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    busyShare: (user + system) / 1_000 / elapsedMs,
  };
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

/** The smallest value that the given share of the values does not exceed. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
