/** One process serves requests, and another one works in the background, on the operator's own PostgreSQL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { patience } from '#test/patience';
import { endPrograms, type RunningProgram, startProgram, temporaryFolder } from '#test/program';
import { get, post } from '#test/program-requests';
import { type Receiver, startReceiver } from '#test/receiver';

describe('with TRADELINE_WORKER=only', () => {
  let postgres: OwnPostgres;
  let receiver: Receiver;
  let api: RunningProgram;
  let worker: RunningProgram;
  const readyFile = join(temporaryFolder(), 'worker.json');

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    receiver = await startReceiver();
    const password = await postgres.addLogin('tradeline', 'createrole');
    await postgres.addDatabase('apart', 'tradeline');
    const shared = {
      DATABASE_URL: postgres.url('tradeline', password, 'apart'),
      TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    api = await startProgram({ args: ['--empty'], env: { ...shared, TRADELINE_WORKER: 'off' } });
    worker = await startProgram({
      env: {
        ...shared,
        TRADELINE_WORKER: 'only',
        TRADELINE_BASE_URL: api.baseUrl,
        TRADELINE_READY_FILE: readyFile,
      },
    });
  }, patience(60));
  afterAll(async () => {
    await postgres?.stop();
    await endPrograms();
    await receiver?.close();
  });

  it('a process delivers what another one has committed', async () => {
    await post(api, '/v1/webhooks', { type: 'BUYER', url: receiver.url });
    await post(api, '/v1/buyers', buyerBody({ external_id: 'apart' }));
    const [received] = await receiver.waitFor(1);
    expect(received?.event).toMatchObject({ type: 'BUYER.CREATED', data: { external_id: 'apart' } });
  });

  it('it has a ready file with its own address, and no key', () => {
    expect(JSON.parse(readFileSync(readyFile, 'utf8'))).toMatchObject({
      base_url: worker.baseUrl,
      api_key: null,
      operator_key: null,
      pid: worker.pid,
    });
    expect(worker.baseUrl).not.toBe(api.baseUrl);
    expect(worker.output()).toContain(
      `Tradeline is working in the background. Health: ${worker.baseUrl}/readyz`,
    );
  });

  it('it answers for its health, and serves nothing else', async () => {
    const checks = { database: 'ok', migrations: 'ok', worker: 'ok' };
    expect(await get(worker, '/readyz')).toMatchObject({ status: 200, body: { checks } });
    expect((await get(worker, '/healthz')).status).toBe(200);
    for (const path of ['/v1/buyers', '/docs', '/checkout/x', '/sandbox/mailbox'])
      expect([path, (await get({ ...worker, apiKey: api.apiKey }, path)).status]).toEqual([path, 404]);
    expect(await get(api, '/readyz')).toMatchObject({ body: { checks: { worker: 'off' } } });
  });
});
