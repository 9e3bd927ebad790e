/** `tradeline charge`: late charges of buyers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { runHere, settingsOf } from '#test/command';
import { useInvoicing } from '#test/invoice-setup';
import { addLateCharge, lateInvoiceBody } from '#test/late-charges';
import { ensureOperator } from '#test/operators';

const WHY = ['--reason', 'It is late.'];
const { create, world } = useInvoicing();

let env: Record<string, string>;
let viewer: Record<string, string>;
beforeAll(async () => {
  const settings = await settingsOf(world());
  const keyOf = (id: string, role: 'VIEW' | 'FINANCE') => ensureOperator(world(), id, { role });
  env = { ...settings, TRADELINE_OPERATOR_KEY: await keyOf('fin', 'FINANCE') };
  viewer = { ...settings, TRADELINE_OPERATOR_KEY: await keyOf('vera', 'VIEW') };
});

const run = (args: string[], as = env) => runHere(['charge', ...args], as);

let made = 0;
/** An invoice of EUR 10,000.00 that was due on 31 October 2025. */
async function late(): Promise<string> {
  const external_id = `late-${++made}`;
  expect((await create(lateInvoiceBody(external_id))).status).toBe(201);
  return external_id;
}

/** Commands use the time of the machine: the rate of 1.27 % is known for all of it. */
async function knowRates(): Promise<void> {
  const series = {
    ...{ code: 'DE_BASE', name: 'Basiszinssatz', publisher: 'Deutsche Bundesbank', source: 'the test' },
    ...{ known_until: '9999-12-31', rates: [{ valid_from: '2025-07-01', ten_thousandths: 127 }] },
  };
  await world().sql(
    `insert into reference_rate_versions (platform_id, version, valid_from, set_by, rates) values ($1, 1, 0, 'fin', $2)`,
    [world().platform.platform_id, JSON.stringify({ series: [series] })],
  );
}

describe('tradeline charge claim', () => {
  it('prints the computation line by line', async () => {
    await knowRates();
    const { stdout } = await run(['claim', '--invoice', await late(), ...WHY]);
    expect(stdout).toContain('INTEREST: BGB, section 288(2) (DE)');
    expect(stdout).toMatch(/2025-11-01 +\d{4}-\d{2}-\d{2} +\d+ +1000000 +10\.27 % +365 +\d+/);
    expect(stdout).toContain('COMPENSATION: BGB, section 288(5) (DE)');
  });

  it('claims only the kinds that are named, once', async () => {
    const invoice = await late();
    const compensation = ['claim', '--invoice', invoice, '--kind', 'COMPENSATION', '--json', ...WHY];
    expect(JSON.parse((await run(compensation)).stdout)).toMatchObject({
      charges: [{ kind: 'COMPENSATION', amount: 4_000, status: 'OPEN' }],
      missing: [],
    });
    expect(JSON.parse((await run(compensation)).stdout).charges).toEqual([]);
  });

  it('refuses an unknown or cancelled invoice, another kind or day, and who may not', async () => {
    const invoice = await late();
    const claim = (...more: string[]) => run(['claim', '--invoice', invoice, ...more, ...WHY]);
    expect((await run(['claim', '--invoice', 'unknown', ...WHY])).stderr).toBe(
      'There is no invoice unknown.\n',
    );
    expect((await claim('--kind', 'FINE')).code).toBe(2);
    expect((await claim('--reminded-on', '2025-02-30')).code).toBe(2);
    expect((await claim('--reminded-on', '9999-01-01')).code).toBe(2);
    expect((await run(['claim', '--invoice', invoice, ...WHY], viewer)).code).toBe(1);
    await world().post(`/v1/invoices/${invoice}/refund`);
    expect((await claim()).stderr).toContain('is CANCELLED');
  });
});

describe('tradeline charge list and waive', () => {
  it('lists what is owed, or all charges of an invoice, and gives up what is left', async () => {
    const invoice = await late();
    const interest = (await addLateCharge(world(), invoice)).external_id;
    const compensation = await addLateCharge(world(), invoice, { kind: 'COMPENSATION', amountMinor: 4_000 });
    const waived = await run(['waive', interest, '--reason', 'Goodwill.']);
    expect(waived.stdout).toBe(
      `2.58 EUR of the late charge ${interest} are waived. The invoice is unchanged.\n`,
    );
    expect((await run(['waive', interest, ...WHY])).code).toBe(1);
    const { stdout } = await run(['list', '--buyer', 'buyer']);
    expect(stdout).toContain(compensation.external_id);
    expect(stdout).not.toContain(interest);
    expect((await run(['list', '--status', 'WAIVED'])).stdout).toContain(interest);
    const all = JSON.parse((await run(['list', '--invoice', invoice, '--json'])).stdout);
    expect(all).toMatchObject([{ status: 'WAIVED', waived_amount: 258 }, { status: 'OPEN' }]);
  });

  it('waive refuses an unknown charge, and who may not', async () => {
    const { external_id } = await addLateCharge(world(), await late());
    expect((await run(['waive', 'unknown', ...WHY])).stderr).toContain('There is no late charge unknown');
    expect((await run(['waive', ...WHY])).code).toBe(2);
    expect((await run(['waive', external_id, ...WHY], viewer)).code).toBe(1);
  });
});
