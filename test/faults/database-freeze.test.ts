/** PostgreSQL stops (SIGSTOP) while integrators write and receivers listen: requests are refused, and all work continues after SIGCONT. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPostmasterFile } from '#infra/embedded-postgres/leftovers';
import { clusterOf } from '#infra/embedded-postgres/locations';
import { buyerBody } from '#test/bodies';
import { processesBelow } from '#test/embedded-postgres-processes';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { patience } from '#test/patience';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { eventually, until } from '#test/until';
import { acknowledgements, useWritesUnderKills } from '#test/writes-under-kills';

const FREEZES = 2;

vi.setConfig({ testTimeout: patience(60) });

describe(`while PostgreSQL stands still, ${FREEZES} times`, () => {
  const answers: { path: string; status: number; retryAfter: string | null; afterMs: number }[] = [];
  const health: unknown[] = [];
  const scene = useWritesUnderKills(FREEZES, async ({ program, load }) => {
    const unavailable = load.unavailable;
    const thaw = freeze(clusterOf(program.dataDir));
    try {
      const askedAtMs = performance.now();
      const request = async (path: string) => {
        const { status, headers } = await get(program, path);
        const retryAfter = headers.get('retry-after');
        answers.push({ path, status, retryAfter, afterMs: performance.now() - askedAtMs });
      };
      // More requests than connections: some wait for a connection, and some for the statement that they would share.
      const paths = ['/v1/platform', '/v1/orders', '/v1/buyers/nobody', '/v1/buyers?limit=1', '/v1/webhooks'];
      const requests = Promise.all(Array.from({ length: 60 }, (_, nth) => request(paths[nth % 5] as string)));
      health.push((await get(program, '/healthz')).status, (await get(program, '/readyz')).body.checks);
      await requests;
      await until(() => load.unavailable >= unavailable + 16);
    } finally {
      thaw();
    }
    const goesOnAtMs = performance.now();
    await acknowledgements(load, 1);
    const tookMs = performance.now() - goesOnAtMs;
    await eventually(async () => expect((await get(program, '/readyz')).status).toBe(200));
    return tookMs;
  });

  it('every request is answered with 503 and Retry-After, within seconds', () => {
    const others = answers.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1');
    expect(others).toEqual([]);
    expect(answers).toHaveLength(60 * FREEZES);
    const slowestMs = Math.max(...answers.map(({ afterMs }) => afterMs));
    console.log(`Slowest refusal after ${Math.round(slowestMs)} ms`);
    expect(slowestMs).toBeLessThan(patience(10));
  });

  it('the process lives, and is not ready', () => {
    const checks = { database: 'failed', migrations: 'failed', worker: 'ok' };
    expect(health).toEqual(Array(FREEZES).fill([200, checks]).flat());
  });

  it('every write was answered as it should, or with 503', () => {
    expect(scene.load.surprises).toEqual([]);
    expect(scene.load.unanswered).toBe(0);
  });
});

describe('while the PostgreSQL of the operator stands still', () => {
  let postgres: OwnPostgres;
  let program: RunningProgram;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const password = await postgres.addLogin('tradeline', 'createrole');
    await postgres.addDatabase('frozen', 'tradeline');
    const env = { DATABASE_URL: postgres.url('tradeline', password, 'frozen') };
    program = await startProgram({ args: ['--empty'], env });
  }, patience(60));
  afterAll(async () => {
    await postgres?.stop();
    await endPrograms();
  });

  it('a signal stops the program, with exit code 0', async () => {
    expect((await post(program, '/v1/buyers', buyerBody({ external_id: 'before' }))).status).toBe(201);
    const thaw = freeze(postgres.cluster);
    try {
      expect(await program.stop()).toBe(0);
    } finally {
      thaw();
    }
    const again = await startProgram({ dataDir: program.dataDir, env: program.env });
    expect((await get(again, '/v1/buyers/before')).status).toBe(200);
  });
});

/** Stops all processes of a cluster. The result continues them. */
function freeze(cluster: string): () => void {
  const stopped = new Set<number>();
  const stop = (pid: number) => {
    process.kill(pid, 'SIGSTOP');
    stopped.add(pid);
  };
  // The process that starts the others comes first.
  stop(readPostmasterFile(cluster)?.pid as number);
  for (const { pid, command } of processesBelow(cluster)) if (!command.includes('tradeline-guard')) stop(pid);
  return () => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  };
}
