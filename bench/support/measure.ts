/** How often something can be done in a while, and how long each time takes. */

export interface Measurement {
  /** How often it was done; every time counted was seen to end well. */
  done: number;
  /** Done a second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Of one core: near 1, the measuring process was the bottleneck and not what it measures. */
  busyShare: number;
}

/**
 * Does `task` over and over for a while in several loops side by side, each waiting for its own last one. What is under
 * way when the time is up is still waited for and counted, so that nothing was done that is not counted.
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
  const sorted = Float64Array.from(tookMs).sort();
  return {
    done: sorted.length,
    rate: (sorted.length / elapsedMs) * 1_000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    busyShare: (user + system) / 1_000 / elapsedMs,
  };
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
