/** `tradeline payee`: two operators decide who owns an account. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { ensureOperator } from '#test/operators';
import { sepaBody } from '#test/payees';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

let world: World;
const keys: Record<string, string> = {};
let settings: Record<string, string>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  settings = await settingsOf(world);
  for (const [id, role] of [
    ['fin', 'FINANCE'],
    ['fay', 'FINANCE'],
    ['vera', 'VIEW'],
  ] as const)
    keys[id] = await ensureOperator(world, id, { role });
  for (const external_id of ['m1', 'm2']) await world.post('/v1/merchants', merchantBody({ external_id }));
});
afterAll(() => world.close());

let made = 0;
let id: string;
beforeEach(async () => {
  id = `account-${++made}`;
  await addPayee(id, 'm1');
});

async function addPayee(external_id: string, merchant_external_id: string): Promise<void> {
  const body = sepaBody({ external_id, merchant_external_id });
  expect((await world.post('/v1/payout_instructions', body)).status).toBe(201);
}

const run = (as: string, ...args: string[]) =>
  runHere(args, { ...settings, TRADELINE_OPERATOR_KEY: keys[as] as string });
const verify = (as: string, ...more: string[]) =>
  run(
    as,
    ...['payee', 'verify', '--instruction', id, '--version', '1', '--name-check', 'MATCH'],
    ...['--reason', 'Statement of 3 March.', ...more],
  );
const isVerified = async () => (await world.get(`/v1/payout_instructions/${id}`)).body.is_verified;

describe('tradeline payee list and show', () => {
  it('list accounts masked, and show one whole with the merchants that have it too', async () => {
    await addPayee(`${id}-of-another`, 'm2');
    const listed = (await run('vera', 'payee', 'list', '--merchant', 'm1', '--status', 'UNVERIFIED')).stdout;
    expect(listed).toMatch(new RegExp(`^${id} +m1 +SEPA +…3000 +UNVERIFIED `, 'm'));
    expect(listed).not.toContain('370400440532013000');
    const { code, stdout } = await run('fin', 'payee', 'show', id);
    expect(code).toBe(0);
    for (const line of ['version: 1', 'iban: DE89370400440532013000', 'same account at: m2'])
      expect(stdout.split('\n')).toContain(line);
    const { stdout: audit } = await run('fin', 'audit', 'list');
    expect(audit).toContain('PAYEE_SHOWN');
    expect(audit).not.toContain('370400440532013000');
  });

  it('show nothing to a viewer, and nothing that does not exist', async () => {
    expect((await run('vera', 'payee', 'show', id)).code).toBe(1);
    expect(await run('fin', 'payee', 'show', 'nothing')).toMatchObject({
      ...{ code: 1, stderr: `There is no payout instruction nothing on ${world.platform.code}.\n` },
    });
  });
});

describe('tradeline payee verify', () => {
  const approvalIn = (stdout: string) => (/Approval (\S+) waits/.exec(stdout) ?? [])[1] as string;
  const approve = (as: string, approval: string) =>
    run(as, 'approval', 'approve', approval, '--reason', 'Seen too.');

  it('takes a second operator', async () => {
    const approval = approvalIn((await verify('fin')).stdout);
    expect(await isVerified()).toBe(false);
    expect((await approve('fin', approval)).code).toBe(1);
    expect((await approve('vera', approval)).code).toBe(1);
    expect((await approve('fay', approval)).code).toBe(0);
    expect(await isVerified()).toBe(true);
    const history = await world.sql(
      'select actor, approved_by, reason, name_check from payout_instruction_transitions where external_id = $1 and version = 2',
      [id],
    );
    expect(history).toEqual([
      {
        ...{ actor: 'operator:fin', approved_by: 'operator:fay' },
        ...{ reason: 'Statement of 3 March.', name_check: 'MATCH' },
      },
    ]);
    expect((await recordedEvents(world, id)).map(({ type }) => type)).toEqual([
      'PAYOUT_INSTRUCTION.VERIFIED',
    ]);
  });

  it('is refused where the account was replaced after the first operator saw it', async () => {
    const approval = approvalIn((await verify('fin')).stdout);
    await world.put(
      `/v1/payout_instructions/${id}`,
      sepaBody({ iban: 'DE02120300000000202051', bic: 'BYLADEM1001' }),
    );
    expect(await approve('fay', approval)).toMatchObject({
      ...{
        code: 1,
        stderr: `The payout instruction ${id} was replaced: check its new details with tradeline payee show.\n`,
      },
    });
    expect(await isVerified()).toBe(false);
  });

  it('is refused for a name that does not match, and for one that is verified or unknown', async () => {
    expect((await verify('fin', '--name-check', 'NO_MATCH')).code).toBe(2);
    expect((await verify('fin', '--instruction', 'nothing')).stderr).toBe(
      'There is no payout instruction nothing.\n',
    );
    await approve('fay', approvalIn((await verify('fin')).stdout));
    expect((await verify('fin')).stderr).toBe(
      `The payout instruction ${id} is VERIFIED: only an UNVERIFIED one can be verified.\n`,
    );
  });
});

describe('tradeline payee reject', () => {
  const reject = (as: string) =>
    run(as, 'payee', 'reject', '--instruction', id, '--reason', 'The name is another.');

  it('takes one operator, and is final for these details', async () => {
    expect((await reject('vera')).code).toBe(1);
    expect((await reject('fin')).stdout).toBe(
      `The payout instruction ${id} is REJECTED: no payout goes to it.\n`,
    );
    expect((await reject('fin')).stderr).toBe('Payout instruction in status REJECTED does not allow this.\n');
  });
});
