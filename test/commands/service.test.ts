/** `tradeline service`: the information that operators get about services, and their decisions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, settingsOf } from '#test/command';
import {
  addFinanceableInvoice,
  addFinancedParties,
  FINANCING_STARTS,
  requestFinancing,
} from '#test/financing';
import { ensureOperator } from '#test/operators';
import { createWorld, type World } from '#test/world';

let world: World;
let settings: Record<string, string>;
let financing: string;
let collection: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(FINANCING_STARTS);
  settings = await settingsOf(world);
  await addFinancedParties(world);
  await addFinanceableInvoice(world, { external_id: 'invoice' });
  financing = (await requestFinancing(world, 'invoice')).body.external_id;
  const terms = { terms_accepted_at: FINANCING_STARTS };
  collection = (await world.post('/v1/invoices/invoice/services/COLLECTION', terms)).body.external_id;
});
afterAll(() => world.close());

const run = async (role: 'FINANCE' | 'VIEW' | 'CREDIT', ...args: string[]) =>
  runHere(args, {
    ...settings,
    TRADELINE_OPERATOR_KEY: await ensureOperator(world, role.toLowerCase(), { role }),
  });
const decide = (service: string, trigger: string, role: 'FINANCE' | 'VIEW' = 'FINANCE') =>
  run(
    role,
    'service',
    'decide',
    '--service',
    service,
    '--trigger',
    trigger,
    '--reason',
    'The collector said so.',
  );

describe('tradeline service', () => {
  it('lists services, by status and by invoice', async () => {
    const { stdout } = await run('VIEW', 'service', 'list', '--invoice', 'invoice');
    expect(stdout).toMatch(new RegExp(`${financing} +invoice +merchant +FINANCING +ACCEPTED +117.50 EUR`));
    expect(stdout).toContain(collection);
    const { stdout: accepted } = await run('VIEW', 'service', 'list', '--status', 'ACCEPTED');
    expect(accepted).not.toContain(collection);
  });

  it('records what a collector decided, with who and why', async () => {
    expect((await decide(collection, 'accept')).stdout).toBe(
      `The service ${collection} is EARLY_COLLECTION.\n`,
    );
    const history = await world.sql(
      `select actor, reason from invoice_service_transitions where external_id = $1 and version = 2`,
      [collection],
    );
    expect(history).toEqual([{ actor: 'operator:finance', reason: 'The collector said so.' }]);
    expect((await run('VIEW', 'audit', 'list')).stdout).toContain('SERVICE_DECIDED');
  });

  it('refuses an accepted financing, which undoes it', async () => {
    expect((await decide(financing, 'reject')).stdout).toBe(`The service ${financing} is REJECTED.\n`);
    expect(await world.sql('select from payout_lines')).toEqual([]);
  });

  it('shows a financing that a person must decide among the reviews, and decides it there', async () => {
    await world.sql(`update platforms set financing_review = 'ALWAYS'`);
    await addFinanceableInvoice(world, { external_id: 'reviewed' });
    const service = (await requestFinancing(world, 'reviewed')).body.external_id;
    await world.sql(`update platforms set financing_review = 'NEVER'`);
    const review = /[\da-f-]{36}/.exec((await run('VIEW', 'review', 'list')).stdout)?.[0] as string;
    const { stdout } = await run('VIEW', 'review', 'show', '--review', review);
    expect(stdout).toMatch(/^subject +FINANCING$/m);
    expect(stdout).toMatch(new RegExp(`^service +${service}$`, 'm'));
    expect(stdout).toMatch(/^invoice +reviewed$/m);
    expect(stdout).toContain('FINANCING_REVIEWED: A person decides about every financing of the platform.');
    const verdict = ['--outcome', 'accept', '--reason', 'Compared with the delivery.'];
    const decided = await run('CREDIT', 'review', 'decide', '--review', review, ...verdict);
    expect(decided).toMatchObject({
      code: 0,
      stdout: `Review ${review} (FINANCING of ${service}): accepted, 119.00 EUR.\n`,
    });
    expect((await run('VIEW', 'service', 'list', '--invoice', 'reviewed')).stdout).toContain('ACCEPTED');
  });

  it('refuses what the lifecycle does not have, what is unknown, and who may not', async () => {
    expect((await decide(collection, 'assess')).code).toBe(1);
    expect((await decide('nothing', 'accept')).stderr).toBe(
      `There is no service nothing on ${world.platform.code}.\n`,
    );
    expect((await decide(collection, 'pay_out')).code).toBe(2);
    expect((await decide(collection, 'collect', 'VIEW')).code).toBe(1);
    const writeOff = await run('FINANCE', 'service', 'write-off', '--service', financing, '--reason', 'Why');
    expect(writeOff.stderr).toBe(
      `The service ${financing} is REJECTED: only a DEFAULTED financing can be written off.\n`,
    );
  });
});
