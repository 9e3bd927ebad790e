/** W2: PostgreSQL is repeatedly killed with SIGKILL while integrators write and receivers listen. The server continues to run. */

import { describe, expect, it, vi } from 'vitest';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { readPostmasterFile } from '#infra/embedded-postgres/leftovers';
import { clusterOf } from '#infra/embedded-postgres/locations';
import { answers } from '#test/embedded-postgres-processes';
import { patience } from '#test/patience';
import { get } from '#test/program-requests';
import { eventually, until } from '#test/until';
import { acknowledgements, useWritesUnderKills } from '#test/writes-under-kills';

const KILLS = Number(process.env.DATABASE_KILLS ?? 3);
const isLongRun = process.env.DATABASE_KILLS !== undefined;
/** The bar of the long run, from when the database accepts connections. */
const WRITE_AFTER_MS_MAX = 1_000;

vi.setConfig({ testTimeout: patience(60) });

describe(`after ${KILLS} kills of PostgreSQL`, () => {
  const scene = useWritesUnderKills(KILLS, async ({ program, load }) => {
    const { dataDir } = program;
    const owner = (await attachToRunningPostgres(dataDir))?.endpoint('owner') as PostgresEndpoint;
    process.kill(readPostmasterFile(clusterOf(dataDir))?.pid as number, 'SIGKILL');
    await until(async () => !(await answers(owner)));
    await until(() => answers(owner));
    const answersAtMs = performance.now();
    await acknowledgements(load, 1);
    const tookMs = performance.now() - answersAtMs;
    // It is the same server, and it reports that it is healthy again.
    await eventually(async () => expect((await get(program, '/readyz')).status).toBe(200));
    expect(() => process.kill(program.pid, 0)).not.toThrow();
    return tookMs;
  });

  it('every request was answered as it should, or with 503', () => {
    expect(scene.load.surprises).toEqual([]);
    expect(scene.load.unanswered).toBe(0);
    expect(scene.load.unavailable).toBeGreaterThan(KILLS);
  });

  it.runIf(isLongRun)('a write succeeds soon after the database accepts connections', () => {
    expect(Math.max(...scene.firstAnswersMs)).toBeLessThan(WRITE_AFTER_MS_MAX);
  });
});
