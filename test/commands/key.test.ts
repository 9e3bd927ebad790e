import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { hashSecret } from '#kernel/api-key';
import { buyerBody, merchantBody } from '#test/bodies';
import { runHere } from '#test/command';
import { query } from '#test/embedded-postgres-processes';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { until } from '#test/until';

let program: RunningProgram;
const run = (verb: string, ...args: string[]) =>
  runHere(['key', verb, '--platform', 'demo', ...args], program.env);

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
  await post(program, '/v1/merchants', merchantBody({ external_id: 'north' }));
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

async function create(...args: string[]) {
  const { code, stderr, stdout } = await run('create', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return keyIn(stdout);
}

function keyIn(stdout: string) {
  const [apiKey = '', keyId = ''] = /tl_test_([0-9A-Za-z]{12})_[0-9A-Za-z]{38}/.exec(stdout) ?? [];
  return { apiKey, keyId };
}

const statusOf = async (apiKey: string) => (await get({ ...program, apiKey }, '/v1/platform')).status;

async function storedKey(keyId: string) {
  const postgres = await attachToRunningPostgres(program.dataDir);
  const endpoint = postgres?.endpoint('owner');
  if (!endpoint) throw new Error('PostgreSQL does not run.');
  const [row] = await query(endpoint, `select * from api_keys where key_id = '${keyId}'`);
  return {
    row,
    set: (change: string) => query(endpoint, `update api_keys set ${change} where key_id = '${keyId}'`),
  };
}

describe('key create', () => {
  it('issues a key that may do everything and never ends', async () => {
    const { apiKey, keyId } = await create('--name', 'back office');
    expect(await statusOf(apiKey)).toBe(200);
    const buyer = buyerBody({ external_id: 'by-the-new-key' });
    expect((await post({ ...program, apiKey }, '/v1/buyers', buyer)).status).toBe(201);
    const { row } = await storedKey(keyId);
    expect(row).toMatchObject({ name: 'back office', expires_at: null, merchant_external_id: null });
  });

  it('issues a key for one merchant that may read and order, unless scopes are named', async () => {
    const { keyId } = await create('--merchant', 'north');
    const { row } = await storedKey(keyId);
    expect(row).toMatchObject({ scopes: ['read', 'orders:write'], merchant_external_id: 'north' });
  });

  it('issues a key with some scopes, for one merchant, that ends', async () => {
    const options = [
      '--scopes',
      'read, webhooks:write,read',
      '--merchant',
      'north',
      '--expires-in-days',
      '90',
    ];
    const { apiKey, keyId } = await create(...options);
    expect(await statusOf(apiKey)).toBe(200);
    const refused = await post({ ...program, apiKey }, '/v1/buyers', buyerBody({}));
    expect(refused).toMatchObject({ status: 403, body: { reason: 'INSUFFICIENT_SCOPE' } });
    const { row, set } = await storedKey(keyId);
    expect(row).toMatchObject({ scopes: ['read', 'webhooks:write'], merchant_external_id: 'north' });
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(90 * 86_400);
    await set('expires_at = created_at');
    await until(async () => (await statusOf(apiKey)) === 401);
  });

  it.each([
    [['--scopes', 'read,write'], '--scopes must be some of read,orders:write,'],
    [['--scopes', ''], '--scopes must be some of read,orders:write,'],
    [['--merchant', 'south'], 'There is no merchant south on the platform demo.'],
    [['--expires-in-days', '0'], '--expires-in-days must be a whole number from 1 to 99999.'],
    [['--expires-in-days', 'ten'], '--expires-in-days must be a whole number from 1 to 99999.'],
    [['--expires-in-days', '-1'], "Option '--expires-in-days' argument is ambiguous."],
    [['--name', ''], '--name must be one line of at most 255 characters.'],
    [['--platform', 'nobody'], 'There is no platform with the code nobody.'],
    [
      ['--overlap-hours', '1'],
      "Unknown option '--overlap-hours': the options are --platform, --name, --scopes, ",
    ],
  ])('with %j is refused with one sentence', async (args, sentence) => {
    const result = await run('create', ...args);
    expect(result).toMatchObject({ code: expect.toBeOneOf([1, 2]), stdout: '' });
    expect(result.stderr).toMatch(/^[^\n]+\.\n$/);
    expect(result.stderr.startsWith(sentence)).toBe(true);
  });

  it('is for the first platform unless another one is named', async () => {
    const { code, stdout } = await runHere(['key', 'create'], program.env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The new API key of demo, /)]);
  });
});

describe('key list', () => {
  it('shows every key of the platform, and no secret', async () => {
    const { apiKey, keyId } = await create('--name', 'till', '--scopes', 'read', '--merchant', 'north');
    await statusOf(apiKey);
    const { code, stdout } = await run('list');
    expect(code).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(head.split(/ +/)).toEqual([
      'key',
      'name',
      'scopes',
      'merchant',
      'created',
      'expires',
      'revoked',
      'last_used',
    ]);
    expect(
      rows
        .find((row) => row.startsWith(keyId))
        ?.split(/ {2,}/)
        .slice(1, 4),
    ).toEqual(['till', 'read', 'north']);
    expect(
      rows
        .find((row) => row.includes('first key'))
        ?.split(/ {2,}/)
        .slice(2, 4),
    ).toEqual(['all', 'all']);
    const secret = apiKey.split('_')[3]?.slice(0, 32) as string;
    for (const text of [secret, hashSecret(secret).toString('hex')]) expect(stdout).not.toContain(text);
  });
});

describe('key rotate', () => {
  it('lets the old key and its like work side by side until the overlap is over', async () => {
    const old = await create('--name', 'shop', '--scopes', 'read', '--merchant', 'north');
    const result = await run('rotate', '--key', old.keyId, '--overlap-hours', '2');
    const fresh = keyIn(result.stdout);
    expect(result.stdout).toBe(
      `The successor of ${old.keyId}, shown only now; the old key works for 2 more hours at most:\n\n  ${fresh.apiKey}\n\n`,
    );
    expect(await statusOf(old.apiKey)).toBe(200);
    expect(await statusOf(fresh.apiKey)).toBe(200);
    const [before, after] = await Promise.all([storedKey(old.keyId), storedKey(fresh.keyId)]);
    expect(Number(before.row?.expires_at) - Number(after.row?.created_at)).toBe(2 * 3_600);
    const { name, scopes, merchant_external_id } = before.row ?? {};
    expect(after.row).toMatchObject({ name, scopes, merchant_external_id, expires_at: null });

    await before.set('expires_at = created_at');
    await until(async () => (await statusOf(old.apiKey)) === 401);
    expect(await statusOf(fresh.apiKey)).toBe(200);
    expect(await run('rotate', '--key', old.keyId)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The key ${old.keyId} has already ended: issue a new one with tradeline key create.\n`,
    });
  });

  it('gives the successor of a key that ends a life as long', async () => {
    const old = await create('--expires-in-days', '30');
    await (await storedKey(old.keyId)).set(
      'created_at = created_at - 1000000, expires_at = expires_at - 1000000',
    );
    const fresh = keyIn((await run('rotate', '--key', old.keyId)).stdout);
    const { row } = await storedKey(fresh.keyId);
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(30 * 86_400);
  });
});

describe('key revoke', () => {
  // authenticator.test.ts shows with its clock that it takes at most five seconds.
  it('ends a key in the running service, and for good', async () => {
    const { apiKey, keyId } = await create();
    expect(await statusOf(apiKey)).toBe(200);
    const result = await run('revoke', '--key', keyId);
    expect(result).toEqual({
      code: 0,
      signal: null,
      stdout: `Key ${keyId} is revoked; it stops working within 5 seconds.\n`,
      stderr: '',
    });
    await until(async () => (await statusOf(apiKey)) === 401);
    expect((await run('list')).stdout).toMatch(new RegExp(`^${keyId} .*Z .*Z`, 'm'));
    const successor = await run('rotate', '--key', keyId);
    expect(successor).toMatchObject({ code: 1, stdout: '' });
  });

  it.each(['revoke', 'rotate'])('%s finds only the keys of the platform', async (verb) => {
    for (const key of ['unknown', program.apiKey])
      expect(await run(verb, '--key', key)).toEqual({
        ...{ code: 1, signal: null, stdout: '' },
        stderr: 'There is no key with this id on demo: see tradeline key list --platform demo.\n',
      });
    expect(await run(verb)).toMatchObject({
      code: 2,
      stderr: '--key is required: the id of a key: see tradeline key list.\n',
    });
  });
});
