/** `tradeline dunning`: a plan of reminders that two operators put in force, and the stops of reminders. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { useInvoicing } from '#test/invoice-setup';
import { ensureOperator } from '#test/operators';

const { create, world } = useInvoicing();
let folder: string;
const keys: Record<string, string> = {};
let settings: Record<string, string>;
beforeAll(async () => {
  settings = await settingsOf(world());
  for (const [id, role] of [
    ['fin', 'FINANCE'],
    ['fay', 'FINANCE'],
    ['vera', 'VIEW'],
    ['carl', 'CREDIT'],
    ['cleo', 'CREDIT'],
  ] as const)
    keys[id] = await ensureOperator(world(), id, { role });
  folder = mkdtempSync(join(tmpdir(), 'plans-'));
  await create(invoiceBody({ external_id: 'owed', buyer_external_id: 'buyer' }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const runAs = (as: string, ...args: string[]) =>
  runHere(args, { ...settings, TRADELINE_OPERATOR_KEY: keys[as] as string });
const run = (as: string, ...args: string[]) => runAs(as, 'dunning', ...args);
const WHY = ['--reason', 'As agreed.'];
const fileOf = (content: unknown) => {
  const file = join(folder, 'plan.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const planOf = async (...of: string[]) =>
  JSON.parse((await run('vera', 'plan', ...of, '--json')).stdout).plan;
const approvalIn = (stdout: string) => (/Approval (\S+) waits/.exec(stdout) ?? [])[1] as string;

async function byTwo(...args: string[]): Promise<void> {
  const proposed = await run('fin', 'propose', ...args, ...WHY);
  const approved = await runAs(
    'fay',
    'approval',
    'approve',
    approvalIn(proposed.stdout),
    '--reason',
    'Compared.',
  );
  expect(approved).toMatchObject({ code: 0, stderr: '' });
}

const ONE_STEP = { least_gap_days: 5, steps: [{ days: 7, kind: 'REMINDER' }] };

describe('a plan of reminders', () => {
  it('is in force once a second operator has approved it, and not before', async () => {
    expect((await run('vera', 'plan')).stdout).toContain('No plan is in force: no reminders are sent.');
    const proposed = await run('fin', 'propose', ...WHY);
    const approval = approvalIn(proposed.stdout);
    expect(await planOf()).toBeNull();
    expect(await runAs('fin', 'approval', 'approve', approval, '--reason', 'I too.')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another one must'),
    });
    expect(await planOf()).toBeNull();
    await runAs('fay', 'approval', 'approve', approval, '--reason', 'Compared.');
    expect((await planOf()).steps).toHaveLength(6);
    expect((await run('vera', 'plan')).stdout).toMatch(/LAST_REMINDER .*claimed/);
    expect((await run('vera', 'history')).stdout).toMatch(/the platform +1 .*operator:fin +operator:fay/);
  });

  it('is not proposed by who may only look', async () => {
    expect((await run('vera', 'propose', ...WHY)).code).not.toBe(0);
  });

  it('of a buyer holds before that of its merchant, and until it is ended', async () => {
    await byTwo(fileOf({ ...ONE_STEP, least_gap_days: 4 }));
    await byTwo(fileOf(ONE_STEP), '--merchant', 'other-merchant');
    await byTwo(fileOf({ ...ONE_STEP, least_gap_days: 9 }), '--buyer', 'buyer');
    expect(await planOf('--merchant', 'other-merchant')).toEqual(ONE_STEP);
    expect(await planOf('--buyer', 'buyer')).toMatchObject({ least_gap_days: 9 });
    await byTwo('--end', '--buyer', 'buyer');
    expect(await planOf('--buyer', 'buyer')).toMatchObject({ least_gap_days: 4 });
  });

  it.each([
    ['is no JSON', '{', 'it is not JSON'],
    ['has no steps', { least_gap_days: 3, steps: [] }, 'plan.steps'],
    [
      'asks for payment before the due day',
      { ...ONE_STEP, steps: [{ days: -2, kind: 'REMINDER' }] },
      'above 0',
    ],
    [
      'has its steps in no order',
      { ...ONE_STEP, steps: [...ONE_STEP.steps, ...ONE_STEP.steps] },
      'plan.steps.1',
    ],
    [
      'prints what hands over',
      { ...ONE_STEP, steps: [{ days: 7, kind: 'HAND_OVER', channel: 'LETTER' }] },
      'plan.steps.0.channel must be MAIL',
    ],
    ['has a field that is unknown', { ...ONE_STEP, colour: 'red' }, 'plan.colour'],
  ])('that %s is refused, with what is wrong', async (_, content, fault) => {
    expect(await run('fin', 'propose', fileOf(content), ...WHY)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(fault),
    });
  });

  it.each([
    ['a buyer that there is not', ['--buyer', 'nobody'], 'There is no buyer nobody.'],
    ['a merchant that there is not', ['--merchant', 'nobody'], 'There is no merchant nobody.'],
    ['both', ['--merchant', 'merchant', '--buyer', 'buyer'], 'not both'],
    ['a file that there is not', ['/nowhere/plan.json'], 'cannot be read'],
  ])('of %s is refused', async (_, args, fault) => {
    const { code, stderr } = await run('fin', 'propose', ...args, ...WHY);
    expect(code).not.toBe(0);
    expect(stderr).toContain(fault);
  });
});

describe('what stops reminders', () => {
  it('is written with its reason, shown, and ended by resume', async () => {
    const stopped = await run('fin', 'stop', '--invoice', 'owed', '--until', '2099-01-01', ...WHY);
    expect(stopped.stdout).toContain('The reminders of invoice owed are stopped until 2099-01-01.');
    const promised = await run(
      'fin',
      'promise',
      '--invoice',
      'owed',
      '--until',
      '2099-01-01',
      '--amount',
      '10.00',
      ...WHY,
    );
    expect(promised).toMatchObject({ code: 0 });
    expect((await run('vera', 'show', 'owed')).stdout).toMatch(/STOP_LIST .*operator:fin +As agreed\./);
    expect((await run('fin', 'resume', '--invoice', 'owed', ...WHY)).stdout).toContain('continue');
    expect(await run('fin', 'resume', '--invoice', 'owed', ...WHY)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The reminders of invoice owed are not stopped.'),
    });
  });

  it('of a buyer that is insolvent freezes its facility too, until two operators lift it by its review', async () => {
    const { stdout } = await run('fin', 'insolvency', '--buyer', 'buyer', ...WHY);
    expect(stdout).toContain('its facility is frozen');
    const [review = ''] = /[\da-f-]{36}/.exec(stdout) ?? [];
    const about = `Review ${review} (INSOLVENCY of buyer): `;
    expect(await run('fin', 'insolvency', '--buyer', 'buyer', ...WHY)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`tradeline review show --review ${review}`),
    });
    expect((await run('fin', 'resume', '--buyer', 'buyer', ...WHY)).code).toBe(1);
    const onReview = (as: string, verb: string, ...more: string[]) =>
      runAs(as, 'review', verb, '--review', review, ...more);
    expect((await runAs('vera', 'review', 'list')).stdout).toMatch(
      new RegExp(`${review} +OPEN +INSOLVENCY +buyer`),
    );
    const shown = (await onReview('vera', 'show')).stdout;
    expect(shown).toContain('BUYER_INSOLVENT: The buyer is insolvent');
    expect(shown).toMatch(/ open +OPEN .*operator:fin +As agreed\./);
    expect(await onReview('carl', 'decide', '--outcome', 'accept', ...WHY)).toMatchObject({
      code: 1,
      stderr: 'Lifting an insolvency needs a second person.\n',
    });
    expect(await onReview('carl', 'override', '--limit', '5.00', ...WHY)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('limit must be left out'),
    });
    expect((await onReview('carl', 'override', ...WHY)).stdout).toBe(
      `${about}lifting it waits for the approval of a second operator.\n`,
    );
    expect((await onReview('cleo', 'approve', ...WHY)).stdout).toBe(`${about}it is lifted.\n`);
    expect((await runAs('vera', 'facility', 'show', '--buyer', 'buyer')).stdout).toContain('ACTIVE');
    const again = /[\da-f-]{36}/.exec(
      (await run('fin', 'insolvency', '--buyer', 'buyer', ...WHY)).stdout,
    )?.[0];
    expect(
      (await runAs('cleo', 'review', 'decide', '--review', `${again}`, '--outcome', 'reject', ...WHY)).stdout,
    ).toBe(`Review ${again} (INSOLVENCY of buyer): it stands.\n`);
  });

  it.each([
    [
      'a promise of more than is owed',
      ['promise', '--invoice', 'owed', '--until', '2099-01-01', '--amount', '9999999.00'],
    ],
    ['a promise of nothing', ['promise', '--invoice', 'owed', '--until', '2099-01-01', '--amount', '0.00']],
    ['a promise of a day that has passed', ['promise', '--invoice', 'owed', '--until', '2001-01-01']],
    ['a day that there is not', ['stop', '--invoice', 'owed', '--until', '2099-02-30']],
    ['an invoice that there is not', ['stop', '--invoice', 'nothing']],
    ['the whole platform by stop', ['stop']],
    ['two at once', ['freeze', '--invoice', 'owed', '--buyer', 'buyer']],
    ['an insolvency of nobody', ['insolvency', '--buyer', 'nobody']],
  ])('is refused: %s', async (_, args) => {
    const { code, stderr } = await run('fin', ...args, ...WHY);
    expect(code).toBeGreaterThan(0);
    expect(stderr).not.toBe('');
  });

  it('takes an operator of finance', async () => {
    expect((await run('vera', 'freeze', ...WHY)).code).not.toBe(0);
    expect(await world().sql(`select 1 from dunning_stops where cause = 'FROZEN'`)).toEqual([]);
  });
});
