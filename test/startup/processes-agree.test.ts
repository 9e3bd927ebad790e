/** Two processes on one database: a change by one of them takes effect in the other within seconds. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { approvalIn, runHere, secondOperator } from '#test/command';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { patience } from '#test/patience';
import { endPrograms, type RunningProgram, startProgram, temporaryFolder } from '#test/program';
import { get, post } from '#test/program-requests';
import { eventually } from '#test/until';

/** Seconds after which every process knows a change, as docs/several-processes.md promises. */
const KNOWN_AFTER = 5;
const WHY = ['--reason', 'A test of two processes.'];

describe('two processes on one database', () => {
  let postgres: OwnPostgres;
  let one: RunningProgram;
  let other: RunningProgram;
  let ben: Record<string, string>;
  const both = <T>(work: (program: RunningProgram) => Promise<T>) => Promise.all([one, other].map(work));
  const run = async (...args: string[]) => {
    const result = await runHere(args, one.env);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return result;
  };
  const statuses = (apiKey: string) =>
    both(async ({ baseUrl }) => (await get({ baseUrl, apiKey }, '/v1/platform')).status);

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const password = await postgres.addLogin('tradeline', 'createrole');
    await postgres.addDatabase('shared', 'tradeline');
    const env = { DATABASE_URL: postgres.url('tradeline', password, 'shared') };
    one = await startProgram({ args: ['--empty'], env });
    other = await startProgram({ env, dataDir: one.dataDir });
    ben = await secondOperator(one.env);
  }, patience(60));
  afterAll(async () => {
    await postgres?.stop();
    await endPrograms();
  });

  it('a revoked key is refused by both, though both have just used it', async () => {
    const { stdout } = await run('key', 'create', '--name', 'short-lived');
    const [apiKey = '', keyId = ''] = /tl_test_([0-9A-Za-z]{12})_[0-9A-Za-z]{38}/.exec(stdout) ?? [];
    expect(await statuses(apiKey)).toEqual([200, 200]);
    await run('key', 'revoke', '--key', keyId);
    await eventually(async () => expect(await statuses(apiKey)).toEqual([401, 401]), KNOWN_AFTER);
  });

  it('settings of a platform hold in both at once', async () => {
    await run('platform', 'update', 'demo', '--name', 'Renamed', '--language', 'FR', ...WHY);
    const shown = await both(async (program) => (await get(program, '/v1/platform')).body);
    expect(shown).toMatchObject(Array(2).fill({ name: 'Renamed', language: 'FR' }));
  });

  it('a credit policy decides in both at once', async () => {
    const versionOf = async (program: RunningProgram, buyer: string) => {
      await post(program, '/v1/buyers', buyerBody({ external_id: buyer }));
      await post(program, `/v1/buyers/${buyer}/facility`, {});
      const { body } = await get(program, `/v1/buyers/${buyer}/decisions`);
      return body.items.at(-1)?.policy_version;
    };
    expect(await both((program) => versionOf(program, `before-${program.pid}`))).toEqual([1, 1]);
    const path = join(temporaryFolder(), 'wider.json');
    const policy = readFileSync(new URL('../../policies/default.json', import.meta.url), 'utf8');
    writeFileSync(path, policy.replaceAll('"25000"', '"40000"'));
    const id = approvalIn(await run('policy', 'activate', path, ...WHY));
    expect(await runHere(['approval', 'approve', id, ...WHY], ben)).toMatchObject({ code: 0 });
    expect(await both((program) => versionOf(program, `after-${program.pid}`))).toEqual([2, 2]);
  });

  it('a clock that one of them has moved shows the same time in both', async () => {
    const clockOf = async (program: RunningProgram) => (await get(program, '/v1/sandbox/clock')).body.now;
    const now = await clockOf(other);
    const to = now + 40 * 86_400;
    expect((await post(one, '/v1/sandbox/clock', { now: to })).status).toBe(200);
    await eventually(async () => {
      for (const shown of await both(clockOf)) expect(shown).toBeGreaterThanOrEqual(to);
    }, KNOWN_AFTER);
  });

  it('a disabled platform is refused by both', async () => {
    expect(await statuses(one.apiKey)).toEqual([200, 200]);
    await run('platform', 'disable', 'demo');
    await eventually(async () => expect(await statuses(one.apiKey)).toEqual([401, 401]), KNOWN_AFTER);
  });
});
