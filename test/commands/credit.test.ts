import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartRefused } from '#kernel/start-refused';
import { approvalIn, runHere, secondOperator } from '#test/command';
import {
  type CommandResult,
  endPrograms,
  type RunningProgram,
  startProgram,
  temporaryFolder,
} from '#test/program';
import { get, post } from '#test/program-requests';
import { facilityCommand as runFacility } from '../../src/cli/facility.ts';
import { limitsCommand as runLimits } from '../../src/cli/limits.ts';

const BUYER = ['--buyer', 'cafe-morgenrot'];
const WHY = ['--reason', 'As agreed.'];

let program: RunningProgram;
let ben: Record<string, string>;
beforeAll(async () => {
  program = await startProgram();
  ben = await secondOperator(program.env);
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

const run = (...args: string[]) => runHere(args, program.env);
const approved = (proposed: CommandResult) =>
  runHere(['approval', 'approve', approvalIn(proposed), ...WHY], ben);
/** The changes that take two operators. */
const runByTwo = async (...args: string[]) => approved(await run(...args));
const refused = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: expect.toBeOneOf([1, 2]), stdout: '' });
  return stderr;
};
const offered = async () => {
  const path = '/v1/buyers/cafe-morgenrot/payment_terms?gross_amount=10000';
  const { body } = await get(program, path);
  return body.payment_terms.map((offer: { payment_term: string; fee: { gross: number } }) => [
    offer.payment_term,
    offer.fee.gross,
  ]);
};

describe('facility', () => {
  it('list shows every facility in a line of a table, or those of a status', async () => {
    const { code, stdout } = await run('facility', 'list');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(head).toMatch(
      /^buyer +status +currency +total +used +pending +available +band +expires +frozen +waiting$/,
    );
    expect(rows.map((row) => row.split(/ +/).slice(0, 3).join(' '))).toEqual([
      'brasserie-du-parc ACTIVE EUR',
      'cafe-morgenrot ACTIVE EUR',
      'de-gouden-lepel PENDING EUR',
      'harbour-tearooms ACTIVE GBP',
      'trattoria-del-ponte ACTIVE EUR',
    ]);
    const pending = (await run('facility', 'list', '--status', 'PENDING')).stdout.trimEnd().split('\n');
    expect(pending.slice(1)).toEqual([expect.stringMatching(/^de-gouden-lepel +PENDING .* CREATION$/)]);
    expect((await run('facility', 'list', '--status', 'FROZEN')).stdout).toBe('There is no such facility.\n');
  });

  it('show prints the amounts and the last entries of the ledger', async () => {
    const { code, stdout } = await run('facility', 'show', ...BUYER);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^status +ACTIVE$/m);
    expect(stdout).toMatch(/^total +20,000\.00$/m);
    expect(stdout).toMatch(/^1 +\S+Z +\S+Z +LIMIT_GRANTED +20,000\.00 +20,000\.00 +api_key:demo-story$/m);
  });

  it('freeze stops new orders by one operator, unfreeze allows them by two', async () => {
    const frozen = await run('facility', 'freeze', ...BUYER, '--reason', 'Fraud?');
    expect(frozen).toMatchObject({ code: 0, stdout: 'The facility of cafe-morgenrot is FROZEN.\n' });
    expect((await get(program, '/v1/buyers/cafe-morgenrot/facility')).body.status).toBe('FROZEN');
    expect(await offered()).toEqual([['PREPAYMENT', 0]]);
    expect(await refused('facility', 'freeze', ...BUYER, '--reason', 'Again')).toMatch(
      /^Facility in status FROZEN does not allow this\.\n$/,
    );
    const proposed = await run('facility', 'unfreeze', ...BUYER, '--reason', 'No.');
    expect(proposed.stdout).toMatch(
      /^Approval [\da-f-]{36} waits for a second operator: tradeline approval show .+\.\n$/,
    );
    expect(await offered()).toEqual([['PREPAYMENT', 0]]);
    expect((await approved(proposed)).stdout).toMatch(/: approved, and the change was made\.\n$/);
    expect((await offered()).length).toBeGreaterThan(10);
  });

  it('an unfreeze that was proposed for one freeze does not end a later one', async () => {
    const freeze = () => run('facility', 'freeze', ...BUYER, '--reason', 'Fraud?');
    const propose = () => run('facility', 'unfreeze', ...BUYER, '--reason', 'No.');
    await freeze();
    const first = await propose();
    await approved(await propose());
    await freeze();
    expect((await approved(first)).stderr).toMatch(/ changed after operator:\S+ proposed the change: /);
    expect(await offered()).toEqual([['PREPAYMENT', 0]]);
    await approved(await propose());
    expect((await offered()).length).toBeGreaterThan(10);
  });

  it('a freeze that outlasts the period is ended by two, and the facility stays EXPIRED until it is renewed', async () => {
    const id = 'brasserie-du-parc';
    const facility = `/v1/buyers/${id}/facility`;
    const renew = () => post(program, `${facility}/renew`, {});
    await run('facility', 'freeze', '--buyer', id, '--reason', 'Fraud?');
    await post(program, '/v1/sandbox/facilities', { buyer_external_id: id, trigger: 'expire' });
    expect((await run('facility', 'show', '--buyer', id)).stdout).toMatch(/^frozen +\S+Z$/m);
    const proposed = await run('facility', 'unfreeze', '--buyer', id, '--reason', 'No.');
    expect(proposed.stdout).toMatch(
      /\.\nThe facility of brasserie-du-parc stays EXPIRED until it is renewed\.\n$/,
    );
    expect((await renew()).body.reason).toBe('FACILITY_FROZEN');
    expect((await approved(proposed)).code).toBe(0);
    expect((await get(program, facility)).body).toMatchObject({ status: 'EXPIRED', frozen_at: null });
    expect((await renew()).status).toBe(202);
  });

  it.each([
    ['show', '--buyer', 'nobody'],
    ['freeze', '--buyer', 'nobody', '--reason', 'x'],
    ['unfreeze', '--buyer', 'nobody', '--reason', 'x'],
  ])('%s is refused for a buyer without one', async (...args) => {
    expect(await refused('facility', ...args)).toBe('nobody has no facility on demo.\n');
  });

  it('show is refused on a platform that there is not', async () => {
    const sentence = 'There is no platform with the code other.\n';
    expect(await refused('facility', 'show', ...BUYER, '--platform', 'other')).toBe(sentence);
  });

  it.each([
    [[], 'Name a subcommand: tradeline facility show, list, freeze or unfreeze.'],
    [['melt'], 'Name a subcommand: tradeline facility show, list, freeze or unfreeze.'],
    [['show'], "--buyer is required: a buyer's external_id."],
    [['show', '--buyer', 'a.b'], "--buyer must be a buyer's external_id."],
    [['freeze', ...BUYER], '--reason is required: a reason, one line of at most 1000 characters.'],
  ])('%j is refused with one sentence, before anything is opened', async (args, sentence) => {
    await expect(runFacility(args)).rejects.toEqual(new StartRefused(sentence));
  });
});

describe('limits', () => {
  const settingsOf = async (...args: string[]) => {
    const { stdout } = await run('limits', 'show', ...args);
    const [, ...rows] = stdout.split('\n\n')[0]?.trimEnd().split('\n') ?? [];
    return Object.fromEntries(
      rows.map((row) => {
        const [setting, from, ...value] = row.split(/ +/);
        return [setting, `${from} ${value.join(' ')}`];
      }),
    );
  };

  it('show, set and clear print the settings in force and their source', async () => {
    expect(await settingsOf()).toMatchObject({
      counts: 'default ORDERS',
      'tolerance-percent': 'default 0',
      'overdue-stop-amount': 'default 0.01 EUR',
      'overdue-stop-days': 'default 30',
      'authorization-limit-days': 'default 30',
    });
    await runByTwo('limits', 'set', '--tolerance-percent', '5', '--counts', 'INVOICES', ...WHY);
    const lowered = await run('limits', 'set', '--overdue-stop-days', '0', ...WHY);
    expect(lowered).toMatchObject({ code: 0, stdout: 'Set on demo.\n' });
    expect(await settingsOf()).toMatchObject({
      counts: 'platform INVOICES',
      'tolerance-percent': 'platform 5',
      'overdue-stop-days': 'platform 0',
      'overdue-grace-days': 'default 7',
    });
    await run('limits', 'set', '--counts', 'default', ...WHY);
    expect(await settingsOf()).toMatchObject({ counts: 'default ORDERS', 'tolerance-percent': 'platform 5' });
    // The default is thirty days overdue, which is less strict.
    expect((await runByTwo('limits', 'clear', ...WHY)).code).toBe(0);
    expect((await run('limits', 'clear', ...WHY)).stdout).toBe('Nothing is set for demo.\n');
    expect(await settingsOf()).toMatchObject({ 'tolerance-percent': 'default 0' });
  });

  it('for one buyer apply until the end of their day', async () => {
    const options = ['--expires', '2099-12-31', '--reason', 'A long-standing customer'];
    await runByTwo('limits', 'set', ...BUYER, '--tolerance-percent', '20', ...options);
    expect(await settingsOf(...BUYER)).toMatchObject({ 'tolerance-percent': 'buyer 20' });
    expect(await settingsOf()).toMatchObject({ 'tolerance-percent': 'default 0' });
    expect((await run('limits', 'show', ...BUYER)).stdout).toContain(
      'operator:ada and operator:ben, for cafe-morgenrot: A long-standing customer. Until 2100-01-01T00:00:00Z.',
    );
    const cleared = await run('limits', 'clear', ...BUYER, ...WHY);
    expect(cleared.stdout).toBe('Nothing is set for cafe-morgenrot on demo any more.\n');
    expect(await settingsOf(...BUYER)).toMatchObject({ 'tolerance-percent': 'default 0' });
  });

  it('take amounts in the currency of the platform, with its decimals', async () => {
    const options = ['--overdue-residue-amount', '0.50', '--overdue-stop-amount', '0.00'];
    expect((await run('limits', 'set', ...options, ...WHY)).stdout).toBe('Set on demo.\n');
    expect(await settingsOf()).toMatchObject({
      'overdue-residue-amount': 'platform 0.50 EUR',
      'overdue-stop-amount': 'platform 0.00 EUR',
      'default-materiality-amount': 'default 100.00 EUR',
    });
    await runByTwo('limits', 'clear', ...WHY);
  });

  it.each([
    ['1000', 'must be an amount of EUR with 2 decimals, such as 25,000.00.'],
    ['1000.005', 'must be an amount of EUR with 2 decimals, such as 25,000.00.'],
    ['-1.00', 'must be an amount of EUR with 2 decimals, such as 25,000.00.'],
    ['10,000,000,000.01', 'must be at most 10,000,000,000.00 EUR.'],
  ])('refuse the amount %s', async (amount, sentence) => {
    const set = ['limits', 'set', `--overdue-stop-amount=${amount}`, ...WHY];
    expect(await refused(...set)).toBe(`--overdue-stop-amount ${sentence}\n`);
    expect(await settingsOf()).toMatchObject({ 'overdue-stop-amount': 'default 0.01 EUR' });
  });

  it('set takes a price table from a file, and buyers are offered its prices', async () => {
    const file = join(temporaryFolder(), 'prices.json');
    const prices = { DEFER_14D: 100, DEFER_30D: 200 };
    writeFileSync(
      file,
      JSON.stringify({
        tax_basis_points: 1_900,
        fee_basis_points: { A: prices, B: prices, C: prices, D: prices },
      }),
    );
    expect((await runByTwo('limits', 'set', '--price-table', file, ...WHY)).code).toBe(0);
    expect(await offered()).toEqual([
      ['PREPAYMENT', 0],
      ['DEFER_14D', 119],
      ['DEFER_30D', 238],
    ]);
    await runByTwo('limits', 'set', '--price-table', 'default', ...WHY);
    expect((await offered()).length).toBeGreaterThan(10);

    writeFileSync(file, '{"tax_basis_points": 0, "fee_basis_points": {"A": {"DEFER_3D": -1}}}');
    expect(await refused('limits', 'set', '--price-table', file, ...WHY)).toMatch(
      /^prices\.json is not a price table:\n.*B is required\n.*C is required\n.*D is required\n.*DEFER_3D must be at least 0\n$/,
    );
  });

  it.each([
    [[], 'Name a subcommand: tradeline limits show, history, set or clear.'],
    [['set', ...WHY], 'Name at least one setting: --counts, --tolerance-percent, --overdue-stop-amount, '],
    [['set', '--counts', 'ALL', ...WHY], '--counts must be ORDERS or INVOICES, or default.'],
    [
      ['set', '--tolerance-percent', '26', ...WHY],
      '--tolerance-percent must be a whole number from 0 to 25, or default.',
    ],
    [
      ['set', '--tolerance-percent', '0.5', ...WHY],
      '--tolerance-percent must be a whole number from 0 to 25, or default.',
    ],
    [
      ['set', '--confirmation-limit-days', '0', ...WHY],
      '--confirmation-limit-days must be a whole number from 1 to 365, or default.',
    ],
    [['set', '--price-table', '/nowhere', ...WHY], '/nowhere cannot be read (ENOENT).'],
    [['set', '--counts', 'ORDERS'], '--reason is required: a reason'],
    [
      ['set', '--price-table', 'default', '--counts', 'ORDERS', ...WHY],
      'Set the price table in a separate command: it requires the role FINANCE.',
    ],
    [
      ['set', ...BUYER, '--counts', 'ORDERS', ...WHY],
      '--expires is required: a day such as 2026-12-31, the last on which it holds.',
    ],
    [
      ['set', ...BUYER, '--counts', 'ORDERS', '--expires', '2099-02-30', ...WHY],
      '--expires must be a day such as 2026-12-31, the last on which it holds.',
    ],
    [
      ['set', '--counts', 'ORDERS', '--expires', '2099-12-31', ...WHY],
      '--expires applies to the settings of one buyer: name the buyer with --buyer.',
    ],
    [['clear'], '--reason is required: a reason'],
    [['show', '--at', '2026-02-30'], '--at must be a day such as 2026-03-31.'],
  ])('%j is refused with one sentence, before anything is opened', async (args, sentence) => {
    const refusal: unknown = await runLimits(args).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    const { message } = refusal as StartRefused;
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message.startsWith(sentence)).toBe(true);
  });

  it.each([
    ['cafe-morgenrot', '2020-12-31', '--expires must be a day in the future.'],
    ['nobody', '2099-12-31', 'There is no buyer nobody.'],
  ])('set for %s until %s is refused', async (buyer, day, sentence) => {
    const options = ['--buyer', buyer, '--expires', day, '--reason', 'x', '--counts', 'ORDERS', ...WHY];
    expect(await refused('limits', 'set', ...options)).toBe(`${sentence}\n`);
  });
});
