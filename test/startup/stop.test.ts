import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { buyerBody } from '#test/bodies';
import { processesBelow } from '#test/embedded-postgres-processes';
import { endPrograms, launchProgram, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { openRawClient } from '#test/raw-client';
import { onEachRequest, startRawServer } from '#test/raw-server';
import { until } from '#test/until';

let dataDir: string;

beforeAll(async () => {
  const first = await startProgram();
  dataDir = first.dataDir;
  await first.stop();
});
afterAll(endPrograms);

describe('a signal to stop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends everything the program started, and its ready file, with exit code 0',
    async (signal) => {
      const program = await startProgram({ dataDir });
      expect(await program.stop(signal)).toBe(0);
      assertNothingIsLeft(program);
      expect(program.output()).toMatch(/\n\nStopping …\n$/);
    },
  );

  it('given twice is the same as once', async () => {
    const program = await startProgram({ dataDir });
    process.kill(program.pid, 'SIGINT');
    process.kill(program.pid, 'SIGTERM');
    await until(() => program.output().includes('Stopping'));
    expect(await program.stop('SIGINT')).toBe(0);
    assertNothingIsLeft(program);
    expect(program.output().match(/Stopping/g)).toHaveLength(1);
  });

  it('given while a first start makes the database leaves a folder that the next start works with', async () => {
    const program = launchProgram();
    await until(() => program.output().includes('Creating the database'));
    expect(await program.stop('SIGINT')).toBe(0);
    assertNothingIsLeft(program);
    expect(program.output()).not.toContain('is running');

    const again = await startProgram({ dataDir: program.dataDir });
    expect((await get(again, '/v1/buyers')).body.total).toBe(7);
    await again.stop();
  });
});

describe('while the program stops', () => {
  it('a request under way is answered, and no new connection is taken', async () => {
    const program = await startProgram({ dataDir });
    const body = Buffer.from(JSON.stringify(buyerBody({ external_id: 'under-way' })));
    const client = await openRawClient(program.baseUrl);
    client.send(headOf(program, body.length));
    client.send(body.subarray(0, 10));
    // Its headers must have arrived before the signal.
    await get(program, '/v1/platform');
    process.kill(program.pid, 'SIGINT');
    await until(() => isRefused(program));
    client.send(body.subarray(10));
    await client.waitFor(() => client.answers().length > 0);
    const answeredAtMs = performance.now();
    await client.waitFor(() => client.isEnded);
    expect(client.answers()).toMatchObject([{ status: 201 }]);
    // The answered connection is not kept until the program ends all of them, 5 s after the signal.
    expect(performance.now() - answeredAtMs).toBeLessThan(4_000);
    expect((await program.exited).code).toBe(0);

    const again = await startProgram({ dataDir });
    expect((await get(again, '/v1/buyers/under-way')).status).toBe(200);
    await again.stop();
  });

  it('a request whose client has left is finished as well, before the database is closed', async () => {
    const program = await startProgram({ dataDir });
    const body = Buffer.from(JSON.stringify(buyerBody({ external_id: 'left-alone' })));
    const endpoint = (await attachToRunningPostgres(dataDir))?.endpoint('owner') as PostgresEndpoint;
    const owner = new pg.Client(endpoint);
    await owner.connect();
    // The earlier response is looked up first; then the request begins its transaction.
    await owner.query('begin; lock table idempotency_keys');
    const client = await openRawClient(program.baseUrl);
    client.send(headOf(program, body.length, 'Idempotency-Key: left-alone'));
    client.send(body);
    await until(async () => {
      const { rows } = await owner.query('select from pg_locks where not granted');
      return rows.length > 0;
    });
    client.close();
    process.kill(program.pid, 'SIGTERM');
    await until(() => isRefused(program));
    await owner.query('commit');
    await owner.end();
    expect((await program.exited).code).toBe(0);
    expect(program.output()).toMatch(/\n\nStopping …\n$/);

    const again = await startProgram({ dataDir });
    expect((await get(again, '/v1/buyers/left-alone')).status).toBe(200);
    await again.stop();
  });

  it('a client that does not finish its request does not delay it', async () => {
    const program = await startProgram({ dataDir });
    const client = await openRawClient(program.baseUrl);
    client.send(headOf(program, 100));
    await get(program, '/v1/platform');
    expect(await program.stop()).toBe(0);
    assertNothingIsLeft(program);
    // If the 15 s that it has to finish it had passed, the response would be 408.
    await client.waitFor(() => client.isEnded);
    expect(client.answers()).toEqual([]);
    client.close();
  });

  it('a receiver that never answers does not delay it, and gets its webhook again after the next start', async () => {
    let isSilent = true;
    const bodies: string[] = [];
    const attempts: (string | undefined)[] = [];
    const receiver = await startRawServer((socket) =>
      onEachRequest(socket, (head, body) => {
        bodies.push(body.toString());
        attempts.push(/^webhook-attempt: (\d+)/im.exec(head)?.[1]);
        if (!isSilent) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    const program = await startProgram({ dataDir });
    const url = `http://127.0.0.1:${receiver.port}/hooks`;
    await post(program, '/v1/webhooks', { type: 'BUYER.CREATED', url });
    await post(program, '/v1/buyers', buyerBody({ external_id: 'unheard' }));
    await until(() => bodies.length > 0);
    expect(await program.stop()).toBe(0);
    assertNothingIsLeft(program);

    isSilent = false;
    const again = await startProgram({ dataDir });
    await until(() => bodies.length > 1);
    expect(bodies[1]).toBe(bodies[0]);
    // If the 15 s that it has to answer had passed, this would be the second attempt.
    expect(attempts.slice(0, 2)).toEqual(['1', '1']);
    await again.stop();
    await receiver.close();
  });
});

describe('a second start on the same data folder', () => {
  it('ends with a sentence, and leaves the first one alone', async () => {
    const first = await startProgram({ dataDir });
    const second = await runCommand(['serve'], first.env);
    expect(second).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `The data folder ${dataDir} is in use by another Tradeline (pid ${first.pid}); stop it, or set TRADELINE_DATA_DIR to another folder.\n`,
    });
    expect(existsSync(first.env.TRADELINE_READY_FILE as string)).toBe(true);
    expect((await get(first, '/v1/platform')).status).toBe(200);
    await first.stop();
  });
});

function assertNothingIsLeft({ dataDir, env }: Pick<RunningProgram, 'dataDir' | 'env'>): void {
  expect(processesBelow(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(existsSync(env.TRADELINE_READY_FILE as string)).toBe(false);
}

function headOf({ apiKey }: RunningProgram, bodyBytes: number, ...more: string[]): string {
  return [
    'POST /v1/buyers HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${bodyBytes}`,
    ...more,
    '\r\n',
  ].join('\r\n');
}

function isRefused({ baseUrl }: RunningProgram): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });
}
