/**
 * A statement of a request never goes to more than one node: here each that would is an error. Runs on the cluster of
 * `npm run test:citus`.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { type ClusterDatabase, isOnCluster, makeClusterDatabase } from '#test/cluster';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, { get?: object }>;
};
const READ = Object.keys(paths).filter((path) => paths[path]?.get);

describe.skipIf(!isOnCluster())('a service whose statements may go to one node only', () => {
  let database: ClusterDatabase;
  let program: RunningProgram;

  beforeAll(async () => {
    // An error in place of a warning in the log.
    database = await makeClusterDatabase({ 'citus.multi_task_query_log_level': 'error' });
    const env = {
      ...database.env,
      TRADELINE_WORKER: 'off',
      TRADELINE_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    for (const command of ['migrate', 'distribute'])
      expect(await runCommand([command], env)).toMatchObject({ code: 0 });
    program = await startProgram({ env });
  });
  afterAll(async () => {
    await endPrograms();
    await database?.drop();
  });

  it('is an error otherwise', async () => {
    const client = new pg.Client(database.env.DATABASE_URL);
    await client.connect();
    const count = client.query('select count(*) from orders').finally(() => client.end());
    await expect(count).rejects.toThrow('multi-task query about to be executed');
  });

  it('tells the demo story, and answers every read about it', async () => {
    const statusOf = async (path: string) => {
      const answer = await fetch(program.baseUrl + path, {
        headers: { authorization: `Bearer ${program.apiKey}` },
      });
      await answer.body?.cancel();
      return answer.status;
    };
    for (const path of READ) {
      const [list = '', ...rest] = path.split('/{external_id}');
      const first = rest.length > 0 ? (await get(program, list)).body.items?.[0]?.external_id : null;
      const whole = [list, ...rest].join(`/${first}`).replaceAll(/\{\w+\}/g, 'unknown');
      expect([path, (await statusOf(whole)) < 500]).toEqual([path, true]);
    }
  });

  it('takes orders and invoices', async () => {
    const made = [
      ['merchants', merchantBody({ external_id: 'shop' })],
      ['buyers', buyerBody({ external_id: 'bar' })],
      ['buyers/bar/facility', {}],
      [
        'orders',
        draftOrderBody({ external_id: 'o', buyer_external_id: 'bar', merchant_external_id: 'shop' }),
      ],
      [
        'orders/draft',
        draftOrderBody({ external_id: 'd', buyer_external_id: 'bar', merchant_external_id: 'shop' }),
      ],
      ['invoices', invoiceBody({ external_id: 'i', buyer_external_id: 'bar', merchant_external_id: 'shop' })],
      ['invoices/i/cancel', {}],
      ['orders/d/cancel', {}],
    ] as const;
    for (const [path, body] of made) {
      const { status, text } = await post(program, `/v1/${path}`, body);
      expect([path, status < 500, text]).toEqual([path, true, expect.any(String)]);
    }
  });
});
