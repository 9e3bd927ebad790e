/** `tradeline payout`: released by two operators, instructed by files, and followed up. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { transferFaults } from '#test/bank-schemas';
import { runHere, settingsOf } from '#test/command';
import { ensureOperator } from '#test/operators';
import { patience } from '#test/patience';
import { sepaBody } from '#test/payees';
import { PAYING_NOW, usePayouts } from '#test/payouts';
import { tablesHolding } from '#test/stored';

const DAY = 86_400;
const payouts = usePayouts();
const { world } = payouts;
const keys: Record<string, string> = {};
let settings: Record<string, string>;
beforeAll(async () => {
  settings = await settingsOf(world());
  for (const [id, role] of [
    ['fin', 'FINANCE'],
    ['fay', 'FINANCE'],
    ['vera', 'VIEW'],
  ] as const)
    keys[id] = await ensureOperator(world(), id, { role });
});

let monday = PAYING_NOW;
/** Payouts of 100.00 to one merchant, in euro. */
async function scheduled(count = 1): Promise<{ merchant: string; ids: string[] }> {
  const merchant = await payouts.merchant();
  for (let nth = 0; nth < count; nth++) {
    world().clock.set(monday);
    await payouts.advance(merchant);
    await payouts.until(monday + 2 * DAY);
    monday += 7 * DAY;
  }
  const found = await payouts.payoutsOf(merchant);
  return { merchant, ids: found.map(({ external_id }: { external_id: string }) => external_id) };
}

const run = (as: string, ...args: string[]) =>
  runHere(args, { ...settings, TRADELINE_OPERATOR_KEY: keys[as] as string });
const WHY = ['--reason', 'Seen on the statement.'];
const approvalIn = (stdout: string) => (/Approval (\S+) waits/.exec(stdout) ?? [])[1] as string;
const propose = async (...ids: string[]) =>
  approvalIn((await run('fin', 'payout', 'release', ...ids, ...WHY)).stdout);
const approve = (as: string, approval: string) =>
  run(as, 'approval', 'approve', approval, '--reason', 'Seen too.');
const statusOf = async (id: string) => (await world().get(`/v1/payouts/${id}`)).body.status;

async function released(): Promise<{ merchant: string; id: string }> {
  const { merchant, ids } = await scheduled();
  await approve('fay', await propose(...ids));
  return { merchant, id: ids[0] as string };
}

describe('tradeline payout release', () => {
  it('takes a second operator, who sees merchant, amount and the masked account', async () => {
    const { merchant, ids } = await scheduled();
    const [id] = ids as [string];
    const approval = await propose(id);
    expect(await statusOf(id)).toBe('SCHEDULED');
    const { stdout } = await run('fay', 'approval', 'show', approval);
    expect(stdout).toContain(`10000 EUR to ${merchant}, account …3000`);
    expect((await approve('fin', approval)).code).toBe(1);
    expect((await approve('vera', approval)).code).toBe(1);
    expect((await approve('fay', approval)).code).toBe(0);
    expect(await statusOf(id)).toBe('INSTRUCTED');
  });

  it('releases two payouts of one merchant at once, each once', async () => {
    const { ids } = await scheduled(2);
    const approvals = [];
    for (const id of ids) approvals.push(await propose(id));
    const both = await propose(...ids);
    const codes = await Promise.all(approvals.map(async (approval) => (await approve('fay', approval)).code));
    expect(codes).toEqual([0, 0]);
    expect((await approve('fay', both)).code).toBe(1);
    for (const id of ids) {
      expect(await statusOf(id)).toBe('INSTRUCTED');
      const rows = await world().sql(
        `select trigger from payout_transitions where payout_external_id = $1 and trigger = 'release'`,
        [id],
      );
      expect(rows.length).toBe(1);
    }
  });

  it('refuses a payout that changed since it was proposed, and an account that is not verified any more', async () => {
    const { ids, merchant } = await scheduled();
    const [id] = ids as [string];
    const approval = await propose(id);
    await world().put(`/v1/payout_instructions/${merchant}-account`, sepaBody());
    const refused = await approve('fay', approval);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('cannot be paid');
    await run('fin', 'payout', 'cancel', id, ...WHY);
    expect((await run('fin', 'payout', 'release', id, ...WHY)).code).toBe(1);
    expect(await statusOf(id)).toBe('CANCELLED');
  });

  it('refuses a transfer whose payer has no address, and tells how to add one', async () => {
    const { ids } = await scheduled();
    const [id] = ids as [string];
    const approval = await propose(id);
    const setAddress = (town: string | null, country: string | null) =>
      world().sql('update platforms set account_town = $1, account_country = $2', [town, country]);
    for (const [town, country] of [
      ['Hamburg', null],
      [null, 'DE'],
    ] as const) {
      await setAddress(town, country);
      for (const refused of [
        await run('fin', 'payout', 'release', id, ...WHY),
        await approve('fay', approval),
      ])
        expect(refused).toMatchObject({
          code: 1,
          stderr:
            'SEPA transfers need the address of the account holder: set it with tradeline platform update CODE --account-town TOWN --account-country COUNTRY.\n',
        });
    }
    expect(await statusOf(id)).toBe('SCHEDULED');
    await setAddress('Hamburg', 'DE');
    expect((await approve('fay', approval)).code).toBe(0);
    // Like a release from before the address was required.
    await setAddress(null, null);
    expect((await run('fin', 'payout', 'file')).stderr).toContain('need the address of the account holder');
    await setAddress('Hamburg', 'DE');
    expect((await run('fin', 'payout', 'file')).code).toBe(0);
  });

  it('refuses what does not exist', async () => {
    expect(await run('fin', 'payout', 'release', 'nothing', ...WHY)).toMatchObject({
      ...{ code: 1, stderr: `There is no payout nothing on ${world().platform.code}.\n` },
    });
    expect((await run('fin', 'payout', 'release')).code).toBe(2);
  });
});

describe('tradeline payout file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payout-files-'));
  const writtenFiles = async () => JSON.parse((await run('fin', 'payout', 'file', '--json')).stdout);

  it(
    'is written once for each scheme, currency and day, valid, and gives the same bytes again',
    async () => {
      await writtenFiles();
      const [one, other] = [await released(), await released()];
      // Both are late, so they go into one file of the next business day.
      const files = await writtenFiles();
      expect(files).toMatchObject([{ scheme: 'SEPA', currency: 'EUR', payouts_count: 2, amount: 20_000 }]);
      expect(await writtenFiles()).toEqual([]);
      const [{ external_id: id, sha256 }] = files;
      const paths = ['first.xml', 'again.xml'].map((name) => join(folder, name));
      for (const path of paths) expect((await run('fin', 'payout', 'file', id, '--out', path)).code).toBe(0);
      const [first, again] = paths.map((path) => readFileSync(path));
      expect(first).toEqual(again);
      expect(
        createHash('sha256')
          .update(first as Buffer)
          .digest('hex'),
      ).toBe(sha256);
      const xml = `${first}`;
      expect(await transferFaults(xml)).toEqual([]);
      for (const { id: payout } of [one, other])
        expect(xml).toContain(`<EndToEndId>${payout.replaceAll('-', '').toUpperCase()}</EndToEndId>`);
      expect(xml).toContain('<CtrlSum>200.00</CtrlSum>');
      expect((await run('fin', 'payout', 'file', id, '--out', paths[0] as string)).stderr).toContain(
        'exists',
      );
    },
    patience(120),
  );

  it('stands nowhere in clear', async () => {
    expect(await tablesHolding(world(), ['CstmrCdtTrfInitn', 'DE89370400440532013000'])).toEqual([]);
  });

  it('is not written after an account was replaced, until the payout has failed', async () => {
    const { id, merchant } = await released();
    await world().put(`/v1/payout_instructions/${merchant}-account`, sepaBody());
    const refused = await run('fin', 'payout', 'file');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('was replaced after its release');
    expect((await run('fin', 'payout', 'fail', id, ...WHY)).code).toBe(0);
    expect((await run('fin', 'payout', 'file')).code).toBe(0);
  });

  it('is nothing for a viewer, and needs a place', async () => {
    expect((await run('vera', 'payout', 'file')).code).toBe(1);
    expect((await run('fin', 'payout', 'file', 'nothing', '--out', join(folder, 'x'))).code).toBe(1);
    expect(existsSync(join(folder, 'x'))).toBe(false);
    expect((await run('fin', 'payout', 'file', 'nothing')).code).toBe(2);
  });
});

describe('tradeline payout', () => {
  it('confirm, return, retry and cancel make their transitions, for operators of finance', async () => {
    const { id } = await released();
    for (const [verb, status] of [
      ['confirm', 'PAID'],
      ['return', 'FAILED'],
      ['retry', 'SCHEDULED'],
      ['cancel', 'CANCELLED'],
    ] as const) {
      expect((await run('vera', 'payout', verb, id, ...WHY)).code).toBe(1);
      expect((await run('fin', 'payout', verb, id, ...WHY)).stdout).toBe(`The payout ${id} is ${status}.\n`);
    }
    expect((await run('fin', 'payout', 'confirm', id, ...WHY)).code).toBe(1);
    const { stdout } = await run('fin', 'audit', 'list');
    expect(stdout).toContain('PAYOUT_RETURN');
  });

  it('list, show and waiting say what was paid and what waits', async () => {
    const { merchant, ids } = await scheduled();
    const [id] = ids as [string];
    const listed = (await run('vera', 'payout', 'list', '--merchant', merchant)).stdout;
    expect(listed).toMatch(new RegExp(`^${id} +${merchant} .* 100\\.00 EUR +SCHEDULED`, 'm'));
    expect((await run('vera', 'payout', 'show', id)).stdout).toMatch(
      /^advance for invoice-\d+ \(\S+\): 100\.00$/m,
    );
    world().clock.set(monday);
    await payouts.advance(merchant, { amountMinor: 7_700 });
    expect((await run('vera', 'payout', 'waiting')).stdout).toMatch(
      new RegExp(`^${merchant} +\\S+ +1 +77\\.00 EUR$`, 'm'),
    );
    expect((await run('vera', 'payout', 'show', 'nothing')).code).toBe(1);
  });

  it('holiday adds a day to the calendar of a currency, once', async () => {
    const add = () =>
      run(
        'fin',
        'payout',
        'holiday',
        '--currency',
        'JPY',
        '--day',
        '2031-01-13',
        '--reason',
        'Coming of Age Day',
      );
    expect((await add()).code).toBe(0);
    expect((await add()).code).toBe(1);
    expect((await run('vera', 'payout', 'holiday')).stdout).toContain('2031-01-13');
    expect(
      (await run('fin', 'payout', 'holiday', '--currency', 'XXX', '--day', '2031-01-13', ...WHY)).code,
    ).toBe(2);
    expect(
      (await run('fin', 'payout', 'holiday', '--currency', 'JPY', '--day', '2031-02-30', ...WHY)).code,
    ).toBe(2);
  });
});
