import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '#config';
import { inTransaction } from '#infra/database/transaction';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { createPlatform, issueApiKey } from '#modules/platforms';
import { buyerBody } from '#test/bodies';
import { answers, processesBelow } from '#test/embedded-postgres-processes';
import { expectProblem } from '#test/problem';
import { until } from '#test/until';
import { type RunningServer, startServer } from '../../src/app.ts';
import { type Installation, openInstallation } from '../../src/installation.ts';

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

async function send(path: string, body?: unknown) {
  const response = await fetch(server.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** PostgreSQL's first process; all others end when it ends. */
function killPostgres(): void {
  const first = processesBelow(dataDir).find(({ command }) => /\/postgres -D/.test(command));
  process.kill(first?.pid as number, 'SIGKILL');
}

describe('while the database is away', () => {
  it('an answer is 503 with Retry-After', async () => {
    killPostgres();
    const away = await until(async () => {
      const answer = await send('/v1/buyers', buyerBody({ external_id: randomUUID() }));
      return answer.status === 503 ? answer : undefined;
    });
    expectProblem(away, 'SERVICE_UNAVAILABLE');
    expect(away.headers.get('retry-after')).toBe('1');
    await until(() => answers(owner));
  });

  it('GET /readyz is 503, and GET /healthz is not: a restart would bring nothing back', async () => {
    killPostgres();
    // The checks are concurrent: the database may answer one of them and be down for another.
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
    expect(away.text).toContain('We’ll be right back');
    await until(() => answers(owner));
  });
});
