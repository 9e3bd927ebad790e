import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachToRunningPostgres, startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { StartRefused } from '#kernel/start-refused';
import { namesOf, useTestFolder } from '#test/embedded-postgres-folders';
import {
  answers,
  processesBelow,
  query,
  start,
  untilNothingRunsBelow,
} from '#test/embedded-postgres-processes';
import { until } from '#test/until';

// One cluster for all tests: each test also shows that the one before left it intact.
const { folder, made: dataDir } = useTestFolder();

describe('another process on the same data folder', () => {
  it('is refused, and attaches to the running database instead', async () => {
    expect(await attachToRunningPostgres(dataDir)).toBeNull();
    const first = start({ dataDir });
    const { endpoints } = await first.line('ready');

    await expect(startEmbeddedPostgres({ dataDir, report: () => {} })).rejects.toThrow(
      new StartRefused(
        `The data folder ${dataDir} is in use by another Tradeline (pid ${first.process.pid}); ` +
          'stop it, or set TRADELINE_DATA_DIR to another folder.',
      ),
    );
    const second = start({ dataDir });
    expect(await second.line('refused')).toContain('is in use by another Tradeline');

    const attached = await attachToRunningPostgres(dataDir);
    expect(attached?.endpoint('owner')).toEqual(endpoints.owner);
    expect(attached?.startedHere).toBe(false);
    await attached?.stop();
    expect(await query(endpoints.service, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
    expect(await attachToRunningPostgres(dataDir)).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('kill -9', () => {
  it('in the middle of the first start lets the next one start over', async () => {
    const interrupted = join(folder, 'interrupted');
    const first = start({ dataDir: interrupted });
    await first.line('said');
    await until(() => namesOf(interrupted).some((name) => name.startsWith('postgres-unfinished-')));
    first.process.kill('SIGKILL');

    const second = start({ dataDir: interrupted });
    await second.line('ready');
    await second.stop();
    expect(namesOf(interrupted).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('of the parent leaves nothing behind, and the next start succeeds while the old one still ends', async () => {
    const first = start({ dataDir });
    const { endpoints } = await first.line('ready');
    await query(endpoints.owner, 'create table kept (id int); insert into kept values (1)');
    const pids = processesBelow(dataDir).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(5);
    first.process.kill('SIGKILL');

    const second = start({ dataDir });
    await second.line('ready');
    expect(await query(endpoints.service, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await query(endpoints.owner, 'select id from kept')).toEqual([{ id: 1 }]);
    second.process.kill('SIGKILL');
    await untilNothingRunsBelow(dataDir);
    for (const pid of pids) expect(existsSync(`/proc/${pid}/cwd`)).toBe(false);
  });

  it('of PostgreSQL starts it again, over a query that would go on without it', async () => {
    const server = start({ dataDir });
    const { endpoints } = await server.line('ready');
    const busy = query(endpoints.service, 'select count(*) from generate_series(1, 1000000000)').catch(
      (error) => error,
    );
    await until(async () => {
      const [row] = await query(
        endpoints.superuser,
        `select count(*)::int as n from pg_stat_activity where query ~ 'count.*series' and pid <> pg_backend_pid()`,
      );
      return row?.n === 1;
    });
    for (const _ of ['first', 'second']) {
      process.kill(postmasterPid(), 'SIGKILL');
      await until(() => answers(endpoints.service));
    }
    expect(await busy).toBeInstanceOf(Error);
    expect(server.said).toEqual([
      'PostgreSQL ended unexpectedly (signal SIGKILL); starting it again.',
      'PostgreSQL ended unexpectedly (signal SIGKILL); starting it again.',
    ]);
    await server.stop();
  });

  it('of the guard brings another', async () => {
    const server = start({ dataDir });
    await server.line('ready');
    const first = await until(() => guardPid());
    process.kill(first, 'SIGKILL');
    await until(() => {
      const pid = guardPid();
      return pid !== undefined && pid !== first;
    });
    server.process.kill('SIGKILL');
    await untilNothingRunsBelow(dataDir);
  });

  it('of guard and parent leaves an orphan, which the next start ends', async () => {
    const server = start({ dataDir });
    await server.line('ready');
    const orphanPid = postmasterPid();
    server.process.kill('SIGSTOP');
    process.kill(await until(() => guardPid()), 'SIGKILL');
    server.process.kill('SIGKILL');

    const next = start({ dataDir });
    expect((await next.line('ready')).afterMs).toBeGreaterThan(2_900);
    expect(existsSync(`/proc/${orphanPid}/cwd`)).toBe(false);
    expect(postmasterPid()).not.toBe(orphanPid);
    await next.stop();
  });
});

const postmasterPid = () =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);

const guardPid = () =>
  processesBelow(dataDir).find(({ command }) => command.includes('tradeline-guard'))?.pid;
