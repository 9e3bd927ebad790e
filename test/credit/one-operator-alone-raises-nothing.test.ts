/**
 * Classifies every command, and every operation of the API that writes, by its effect on the amounts that buyers may owe. A new
 * one fails until it has a line. One operator alone tries those that could raise these amounts.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v1 } from '#api/v1';
import { inTransaction } from '#infra/database/transaction';
import { findCreditSettings, findFacility, limitPolicyOf, openFacility } from '#modules/facilities';
import { buyerBody, merchantBody } from '#test/bodies';
import { newOperatorKey, runHere, settingsOf } from '#test/command';
import { ensureOperator } from '#test/operators';
import { endPrograms, temporaryFolder } from '#test/program';
import { type Attempts, commands } from '#test/what-commands-raise';
import { operations } from '#test/what-operations-raise';
import { createWorld, type World } from '#test/world';
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { DEFAULT_PRICE_TABLE } from '../../src/modules/facilities/price-table.rules.ts';

let world: World;
let ada: Record<string, string>;
let ben: Record<string, string>;
const filled: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const settings = await settingsOf(world);
  const asOperator = async (id: string) => ({
    ...settings,
    TRADELINE_OPERATOR_KEY: await ensureOperator(world, id, { role: 'ADMIN' }),
  });
  [ada, ben] = [await asOperator('ada'), await asOperator('ben')];
  await world.post('/v1/merchants', merchantBody({}));
  await grant('plain');
  await grant('frozen');
  await operate(ada, 'facility freeze --buyer frozen --reason Why');
  for (const buyer of ['z-rejected', 'z-in-review']) {
    await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
    await world.post(`/v1/buyers/${buyer}/facility`, {});
  }
  const { stdout } = await runHere(['review', 'list'], ada);
  filled.PLATFORM = world.platform.code;
  filled.KEY_HASH = (await newOperatorKey({})).hash;
  filled.REVIEW = /[\da-f-]{36}/.exec(stdout)?.[0] as string;
  const folder = temporaryFolder();
  filled.PRICES = join(folder, 'prices.json');
  writeFileSync(filled.PRICES, JSON.stringify({ ...DEFAULT_PRICE_TABLE, tax_basis_points: 100 }));
  filled.COMPANIES = join(folder, 'companies.csv');
  const ministry = 'MINISTRIES,1,DE,Ministerium für Erfundenes';
  writeFileSync(filled.COMPANIES, `registry,registry_key,country,legal_name\n${ministry}\n`);
  filled.POLICY = join(folder, 'policy.json');
  const active = await runHere(['policy', 'show', '--json'], ada);
  writeFileSync(filled.POLICY, active.stdout.replace('"name": "Risk band"', '"name": "Risk bands"'));
});
afterAll(async () => {
  await world.close();
  await endPrograms();
});

/** Grants a limit above every limit that the policy grants. */
async function grant(buyer: string): Promise<void> {
  await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
  const { platform_id: platformId } = world.platform;
  await inTransaction(world.installation.db, async (db) => {
    const decision = { about: 'CREATION', outcome: 'ACCEPT', decisionId: randomUUID() } as const;
    const terms = {
      limitMinor: 100_000_000,
      riskBand: 'A1',
      priceClass: 'A',
      buyerReasons: ['LIMIT_GRANTED' as const],
    };
    const context = { db, platformId, actor: 'service', now: world.clock.now() };
    await openFacility(context, buyer, { currency: 'EUR' }, { ...decision, ...terms });
  });
}

function operate(env: Record<string, string>, line: string) {
  const args = line
    .split(' ')
    .map((word) => (word.startsWith('$') ? (filled[word.slice(1)] as string) : word));
  return runHere(args, env);
}

/** The amount that each buyer may owe: the limit with its tolerance, and the rules in force. */
async function mayOwe() {
  const { db } = world.installation;
  const { platform_id: platformId } = world.platform;
  const now = world.clock.now();
  const settingsFor = (buyerExternalId: string) => findCreditSettings(db, { platformId, buyerExternalId });
  const ofPlatform = await settingsFor('');
  const buyers = ['plain', 'frozen', 'z-rejected', 'z-in-review'].map(async (buyer) => {
    const facility = await findFacility(db, { platformId, buyerExternalId: buyer });
    const limits = limitPolicyOf(ofPlatform, await settingsFor(buyer), now);
    const isUsable = facility?.status === 'ACTIVE';
    const amount = isUsable ? (facility.total_amount * (100 + limits.tolerancePercent)) / 100 : 0;
    return [buyer, { amount, limits }] as const;
  });
  const policy = await world.sql(
    'select version from credit_policy_activations order by activation desc limit 1',
  );
  const [platform] = await world.sql(
    `select max_payment_term, financing_currencies, collection_currencies, payout_term, min_payout_business_day,
      enrolls_merchants, term_fee_payer, financing_default_days,
      financing_review, disabled_at from platforms where platform_id = $1`,
    [platformId],
  );
  const companies = await world.sql('select registry, registry_key from registry_companies order by 1, 2');
  return { buyers: Object.fromEntries(await Promise.all(buyers)), policy, platform, companies };
}

/** Settings that can only make the rules stricter may change. */
const lessStrict = async () => {
  const { buyers, ...others } = await mayOwe();
  const loose = Object.entries(buyers).map(([buyer, { amount, limits }]) => {
    const { overdueStopDays: _, ...rest } = limits;
    return [buyer, amount, rest];
  });
  return { loose, ...others };
};

const names = async (): Promise<string[]> => {
  const all = Object.entries(COMMANDS).map(async ([name, load]) => {
    const { verbs } = (await load()) as Command;
    return verbs.length === 0 ? [name] : verbs.map((verb) => `${name} ${verb}`);
  });
  return (await Promise.all(all)).flat();
};

describe('every command', () => {
  it('is classified, and every classified one exists', async () => {
    expect(Object.keys(commands).sort()).toEqual((await names()).sort());
  });
});

describe('every operation of the API that writes', () => {
  const writing = v1.filter(([method]) => method !== 'GET').map(([, , operation]) => operation);

  it('is classified, and every classified one exists', () => {
    expect(Object.keys(operations).sort()).toEqual(writing.map(({ id }) => id).sort());
  });

  it('that simulates is missing in production', () => {
    const simulating = writing.filter(({ isSandboxOnly }) => isSandboxOnly).map(({ id }) => id);
    const classified = Object.entries(operations).filter(([, what]) => what === 'sandbox only');
    expect(classified.map(([id]) => id).sort()).toEqual(simulating.sort());
  });

  it.each(
    Object.entries(operations).flatMap(([id, what]) =>
      Array.isArray(what) ? what.map((request) => [id, request] as const) : [],
    ),
  )('%s raises nothing beyond the policy: %j', async (_, { path, body }) => {
    const before = await mayOwe();
    const { status } = await world.post(path, body);
    expect(status).toBeLessThan(500);
    const after = await mayOwe();
    for (const [buyer, { amount }] of Object.entries(after.buyers))
      expect(amount, buyer).toBeLessThanOrEqual(before.buyers[buyer]?.amount ?? 0);
    expect(after.policy).toEqual(before.policy);
  });
});

describe('one operator alone', () => {
  beforeAll(async () => {
    const controls = '--payout-term 7 --enroll-merchants off --financing-review ALWAYS --reason Why';
    expect(await operate(ada, `platform update $PLATFORM ${controls}`)).toMatchObject({ code: 0 });
    expect(await operate(ada, 'platform disable $PLATFORM')).toMatchObject({ code: 0 });
    await world.sql(`update platforms set term_fee_payer = 'MERCHANT'`);
  });

  it.each(
    Object.entries(commands).flatMap(([name, what]) =>
      Array.isArray(what) && what.length > 0 && name !== 'operator add' ? [[name, what] as const] : [],
    ),
  )('raises nothing with %s', async (_, lines) => {
    const before = await lessStrict();
    const stopDays = (await mayOwe()).buyers.plain?.limits.overdueStopDays ?? 0;
    for (const line of lines) {
      await operate(ada, line);
      expect(await lessStrict(), line).toEqual(before);
      expect((await mayOwe()).buyers.plain?.limits.overdueStopDays, line).toBeLessThanOrEqual(stopDays);
    }
  });

  it('raises nothing by approving all of it, and another one does', async () => {
    const before = await lessStrict();
    const { stdout } = await runHere(['approval', 'list'], ada);
    const ids = stdout.match(/[\da-f]{8}-[\da-f-]{27}/g) ?? [];
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids) {
      const { code, stderr } = await operate(ada, `approval approve ${id} --reason Why`);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'The operator who proposed a change cannot approve it: another one must.\n',
      });
    }
    expect(await lessStrict()).toEqual(before);
    const unfreezing = /^([\da-f-]{36}) .*FACILITY_UNFREEZING/m.exec(stdout)?.[1];
    expect((await operate(ben, `approval approve ${unfreezing} --reason Why`)).code).toBe(0);
    expect((await mayOwe()).buyers.frozen?.amount).toBe(100_000_000);
  });

  it('becomes two neither by adding a person nor by disabling one', async () => {
    for (const line of commands['operator add'] as Attempts) await operate(ada, line);
    const { stdout } = await runHere(['operator', 'list'], ada);
    const active = stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .filter((row) => / - +-$/.test(row));
    expect(active).toHaveLength(1);
    const machine = { ...ada };
    delete machine.TRADELINE_OPERATOR_KEY;
    const added = await operate(
      machine,
      'operator add eve --email eve@x.example --role ADMIN --key-hash $KEY_HASH --reason Why',
    );
    expect(added.stderr).toContain('TRADELINE_OPERATOR_KEY');
  });
});
