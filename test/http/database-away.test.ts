import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '#config';
import { inTransaction } from '#infra/database/transaction';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { createPlatform, issueApiKey } from '#modules/platforms';
import { buyerBody } from '#test/bodies';
import { answers, processesBelow, query } from '#test/embedded-postgres-processes';
import { expectProblem } from '#test/problem';
import { until } from '#test/until';
import { type Installation, openInstallation, type RunningServer, startServer } from '../../src/app.ts';

let dataDir: string;
let installation: Installation;
let server: RunningServer;
let apiKey: string;
let owner: PostgresEndpoint;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tradeline-test-'));
  // PostgreSQL's user passes through it when the tests run as root.
  chmodSync(dataDir, 0o755);
  const settings = readSettings({
    PORT: '0',
    TRADELINE_DATA_DIR: dataDir,
    TRADELINE_MASTER_KEY: randomBytes(32).toString('base64'),
    TRADELINE_LOG_LEVEL: 'silent',
  });
  installation = await openInstallation(settings, { report: () => {} });
  const { db, vault, clock } = installation;
  const platform = await inTransaction(db, (transaction) =>
    createPlatform(transaction, vault, clock.now(), {
      code: 'platform',
      name: 'The platform',
      country: 'DE',
      currency: 'EUR',
    }),
  );
  apiKey = await issueApiKey(db, platform?.platform_id as number, clock.now(), {
    name: 'test',
    environment: 'sandbox',
  });
  owner = (await attachToRunningPostgres(dataDir))?.endpoint('owner') as PostgresEndpoint;
  server = await startServer(installation);
});
afterAll(async () => {
  await server?.stop();
  await installation?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function send(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(server.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** PostgreSQL's first process; all others end with it. */
function killPostgres(): void {
  const first = processesBelow(dataDir).find(({ command }) => /\/postgres -D/.test(command));
  process.kill(first?.pid as number, 'SIGKILL');
}

describe('while the database is away', () => {
  it('every answer is 503 with Retry-After, and no acknowledged write is lost or done twice', async () => {
    const acknowledged = new Set<string>();
    let unavailable = 0;
    let isOver = false;

    /** The status, where that is not 503. */
    async function served(...request: Parameters<typeof send>): Promise<number | undefined> {
      const reply = await send(...request);
      if (reply.status !== 503) return reply.status;
      unavailable++;
      expectProblem(reply, 'SERVICE_UNAVAILABLE');
      expect(reply.headers.get('retry-after')).toBe('1');
      return undefined;
    }
    async function write(writer: number): Promise<void> {
      for (let index = 0; !isOver; index++) {
        const id = `b-${writer}-${index}`;
        const body = buyerBody({ external_id: id });
        let status = await served('/v1/buyers', body, index % 2 === 0 ? { 'idempotency-key': id } : {});
        // The write may have been done: it is repeated with its key until an answer comes.
        while (status === undefined && index % 2 === 0)
          status = await served('/v1/buyers', body, { 'idempotency-key': id });
        expect([201, undefined]).toContain(status);
        if (status === undefined) continue;
        acknowledged.add(id);
        expect([200, undefined]).toContain(await served(`/v1/buyers/${id}`));
      }
    }
    const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));

    for (let kill = 1; kill <= 3; kill++) {
      const before = acknowledged.size;
      await until(() => acknowledged.size > before + 50);
      killPostgres();
      await until(async () => !(await answers(owner)));
      await until(() => answers(owner));
      const acknowledgedThen = acknowledged.size;
      await until(() => acknowledged.size > acknowledgedThen);
    }
    isOver = true;
    await writing;

    expect(unavailable).toBeGreaterThan(0);
    const stored = await query(owner, 'select external_id as id from buyers order by 1');
    const seen = await query(owner, 'select resource_external_id as id from events order by 1');
    const ids = new Set(stored.map(({ id }) => id));
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    expect(seen).toEqual(stored);
  });

  it('GET /readyz is 503, and GET /healthz is not: a restart would bring nothing back', async () => {
    killPostgres();
    // The checks run at once: the database may answer one of them and be gone for another.
    await until(async () => {
      const { status, text } = await send('/readyz');
      return status === 503 && JSON.parse(text).checks.database === 'failed';
    });
    expect((await send('/healthz')).status).toBe(200);
    await until(async () => (await send('/readyz')).status === 200);
  });

  it('the checkout answers a page with Retry-After', async () => {
    const visit = () => send(`/checkout/${'x'.repeat(43)}/company`);
    expect((await visit()).status).toBe(404);
    killPostgres();
    const away = await until(async () => {
      const answer = await visit();
      return answer.status === 503 ? answer : undefined;
    });
    expect(away.headers.get('retry-after')).toBe('1');
    expect(away.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(away.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(away.text).toContain('We will be right back');
    await until(() => answers(owner));
  });
});
