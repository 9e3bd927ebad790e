/** A process that posts to receivers, for tests that measure its memory. It takes one job after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createOutboundHttp } from '#infra/outbound/http';

export interface PostsJob {
  /** Each round posts once to each of them, concurrently. */
  urls: string[];
  rounds: number;
  timeoutMs: number;
}

export interface PostsMeasured {
  /** The peak of resident memory during the posts. */
  peakBytes: number;
  /** The size of objects and buffers in use afterwards. */
  liveBytes: number;
  /** The numbers of answers and failures, by kind. */
  outcomes: Record<string, number>;
}

const SAMPLE_MS = 5;
const SETTLE_MS = 200;

const outbound = createOutboundHttp({ allowLoopback: true, extraPorts: [], allowCidrs: [] });

process.on('message', async ({ urls, rounds, timeoutMs }: PostsJob) => {
  let peakBytes = 0;
  const outcomes: Record<string, number> = {};
  const sample = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const post = async (url: string) => {
    const outcome = await outbound
      .post(url, { headers: {}, body: '{}', timeoutMs })
      .then(({ status }) => String(status))
      .catch((error: { kind?: string }) => error.kind ?? String(error));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  for (let round = 0; round < rounds; round++) {
    // Collects garbage first, which does not count as memory in use.
    globalThis.gc?.();
    await Promise.all(urls.map(post));
  }
  clearInterval(sample);
  await sleep(SETTLE_MS);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ peakBytes, liveBytes: heapUsed + external, outcomes } satisfies PostsMeasured);
});
process.on('disconnect', () => process.exit());
