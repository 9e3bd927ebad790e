/** The dependencies of a worker with its own connections, as in another process. */
import { inject } from 'vitest';
import { isCluster, openDatabase } from '#infra/database/database';
import { createFileStore } from '#infra/files/file-store';
import { createLog } from '#infra/log';
import { createOutboundHttp } from '#infra/outbound/http';
import { createPlatformClocks } from '#infra/time/platform-clocks';
import { localRiskSource } from '#modules/underwriting';
import { NO_METRICS } from '../../src/worker/worker-metrics.ts';
import type { World } from './world.ts';

export async function openWorkerProcess(world: World) {
  const [row] = await world.sql<{ name: string }>('select current_database() as name');
  const { db, close } = openDatabase({
    connection: { ...inject('postgres').service, database: row?.name as string },
    connectionsMax: 5,
    isCluster: isCluster(world.installation.db),
  });
  const outbound = createOutboundHttp({ allowLoopback: true, extraPorts: [], allowCidrs: [] });
  const { vault, clock } = world.installation;
  const clocks = createPlatformClocks(clock, true);
  const risk = { source: localRiskSource, onFailure: 'refer' as const, elapsedMs: () => clock.elapsedMs() };
  return {
    db,
    vault,
    files: createFileStore(null),
    clock,
    clocks,
    outbound,
    log: createLog('silent'),
    metrics: NO_METRICS,
    isServing: () => false,
    giveWay: async () => 0,
    deps: {
      vault,
      clocks,
      registries: { lookUp: async () => false },
      risk,
      isSandbox: true,
      baseUrl: () => world.baseUrl,
    },
    eventsKeptDays: 30,
    noticesKeptYears: 10,
    mail: { smtp: null, host: 'localhost' },
    baseUrl: () => world.baseUrl,
    async close() {
      await outbound.close();
      await close();
    },
  };
}
