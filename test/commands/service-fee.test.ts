/** `tradeline service-fee`: two operators put the fees of services in force. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '#kernel/day';
import { runHere, settingsOf } from '#test/command';
import { addFinancedParties, DAY } from '#test/financing';
import { ensureOperator } from '#test/operators';
import { createWorld, type World } from '#test/world';

let world: World;
let folder: string;
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
  await addFinancedParties(world);
  folder = mkdtempSync(join(tmpdir(), 'service-fees-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const run = (as: string, ...args: string[]) =>
  runHere(args, { ...settings, TRADELINE_OPERATOR_KEY: keys[as] as string });
const fileOf = (content: unknown) => {
  const file = join(folder, 'fees.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};
const feeNow = async () =>
  (
    await world.post('/v1/invoices/calculate_fees', {
      ...{ merchant_external_id: 'merchant', buyer_external_id: 'buyer', gross_amount: 100_000 },
      due_at: world.clock.now() + 10 * DAY,
    })
  ).body;

describe('tradeline service-fee', () => {
  it('shows the default as a file that `set` takes, and no history', async () => {
    const { stdout } = await run('vera', 'service-fee', 'show');
    expect(JSON.parse(stdout).prices[0].risk_bands.B1).toEqual({ base_ppm: 4_000, daily_ppm: 220 });
    expect((await run('vera', 'service-fee', 'history')).stdout).toContain('the default is in force');
  });

  it('puts other fees in force once a second operator has approved', async () => {
    const before = (await feeNow()).highest_fee;
    const { stdout } = await run('vera', 'service-fee', 'show');
    const fees = JSON.parse(stdout);
    fees.prices[0].risk_bands.B1 = { base_ppm: 10_000, daily_ppm: 0 };
    const proposed = await run('fin', 'service-fee', 'set', fileOf(fees), '--reason', 'New prices.');
    const approval = (/Approval (\S+) waits/.exec(proposed.stdout) ?? [])[1] as string;
    expect((await feeNow()).highest_fee).toEqual(before);
    expect((await run('fin', 'approval', 'approve', approval, '--reason', 'Mine.')).code).toBe(1);
    expect((await run('fay', 'approval', 'approve', approval, '--reason', 'Seen.')).code).toBe(0);
    expect((await feeNow()).highest_fee).toMatchObject({ net: 1_000, tax: 190, tax_category: 'S' });
    const { stdout: history } = await run('vera', 'service-fee', 'history');
    expect(history).toMatch(/1 .*operator:fin +operator:fay +New prices\./);
  });

  it('offers nothing where the rate has ended', async () => {
    const { stdout } = await run('vera', 'service-fee', 'show');
    const fees = JSON.parse(stdout);
    fees.taxes = [
      {
        country: 'DE',
        has_vat_id: null,
        category: 'S',
        basis_points: 1_900,
        from: '2021-01-01',
        until: dayOf(world.clock.now() - DAY),
      },
    ];
    const proposed = await run('fin', 'service-fee', 'set', fileOf(fees), '--reason', 'It ended yesterday.');
    const approval = (/Approval (\S+) waits/.exec(proposed.stdout) ?? [])[1] as string;
    await run('fay', 'approval', 'approve', approval, '--reason', 'Seen.');
    expect((await feeNow()).reason).toBe('SERVICE_NOT_OFFERED');
  });

  it('refuses a file that is none, and who may not', async () => {
    const wrong = await run('fin', 'service-fee', 'set', fileOf({ prices: [] }), '--reason', 'Why');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('fees.json is not a table of service fees'),
    });
    expect((await run('fin', 'service-fee', 'set', '--reason', 'Why')).code).toBe(2);
    const { stdout } = await run('vera', 'service-fee', 'show');
    expect(
      (await run('vera', 'service-fee', 'set', fileOf(JSON.parse(stdout)), '--reason', 'Why')).code,
    ).toBe(1);
  });
});
