/** The metrics of a process, if a setting enables them. */
import type { Registry } from 'prom-client';
import type { Connections, Db } from '#infra/database/database';
import { createMetrics, type MetricsAddress, type MetricsServer, serveMetrics } from '#infra/metrics';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { createBacklogMetrics } from './backlog-metrics.ts';
import { createWorkerMetrics, NO_METRICS, type WorkerMetrics } from './worker-metrics.ts';

export interface ServiceMetrics {
  /** The registry for the metrics of requests; null without metrics. */
  registry: Registry | null;
  work: WorkerMetrics;
  /** Null without metrics. Throws StartRefused if the address cannot be used. */
  serve(): Promise<MetricsServer | null>;
}

interface Measured {
  db: Db;
  connections(): Connections;
}

export function createServiceMetrics(
  address: MetricsAddress | null,
  { db, connections }: Measured,
  clocks: PlatformClocks,
): ServiceMetrics {
  if (address === null) return { registry: null, work: NO_METRICS, serve: async () => null };
  const registry = createMetrics(connections);
  const backlog = createBacklogMetrics(db, clocks, registry);
  return {
    registry,
    work: createWorkerMetrics(registry),
    serve: () => serveMetrics(address, registry, backlog.refresh),
  };
}
