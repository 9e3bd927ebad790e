import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOrdinaryBuyer, recorded, riskSourceOf } from '#test/credit-applications';
import { createWorld, type World } from '#test/world';
import { compareOnPast } from './backtest.ts';
import { defaultPolicy } from './policy/default-policy.ts';
import { sha256Of } from './policy/evaluate-policy.ts';
import type { TableContent } from './policy.schemas.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
    world.clock.set(NOW + index);
    await addOrdinaryBuyer(world, id);
  }
  world.clock.set(NOW + 10);
  await recorded(world, 'a');
  await recorded(world, 'b', { application: { requestedMinor: 999_950 } });
  await recorded(world, 'c', { application: { daysPastDueMax: 45 }, script: 'accepted' });
  await recorded(world, 'd', { deps: { riskSource: riskSourceOf(undefined) } });
  // A decision about an order is not an application.
  await world.sql(`insert into credit_decisions
    select (jsonb_populate_record(d, jsonb_build_object('decision_id', gen_random_uuid(), 'subject', 'ORDER'))).*
    from credit_decisions d limit 1`);
});
afterAll(() => world.close());

/** The default policy with one cell of a table changed. */
function changed(node: string, rule: string, column: string, text: string) {
  const graph = structuredClone(defaultPolicy().graph);
  const content = graph.nodes.find(({ id }) => id === node)?.content as TableContent;
  const cells = content.rules.find(({ _id }) => _id === rule) as Record<string, string>;
  cells[column] = text;
  return { graph, sha256: sha256Of(graph) };
}

describe('a back-test', () => {
  const compare = (renewed = defaultPolicy()) =>
    compareOnPast(
      world.installation.db,
      world.platform.platform_id,
      { old: defaultPolicy(), new: renewed },
      null,
      NOW + 30,
    );

  it('finds that a policy agrees with itself, and decides again what a script or a failure had decided', async () => {
    const { old, new: renewed, differences, hasPastCredit } = await compare();
    expect(renewed).toEqual(old);
    expect(differences).toEqual([]);
    expect(hasPastCredit).toBe(false);
    expect(old).toMatchObject({ applications: 4, approvals: 3, referrals: 1, rejections: 0 });
    // Never more than was requested, to the cent.
    expect(old.currencies.get('EUR')?.limitSum).toBe(3_000_000 + 999_950 + 3_000_000);
  });

  it('shows what another limit would have changed', async () => {
    const { differences, new: renewed } = await compare(
      changed('risk-band', 'band-limited', 'risk-band-out-2', '5000'),
    );
    expect(
      differences.map(({ old, new: now }) => [old.buyerExternalId, old.limitMinor, now.limitMinor]),
    ).toEqual(
      expect.arrayContaining([
        ['a', 3_000_000, 600_000],
        ['b', 999_950, 600_000],
        ['d', 3_000_000, 600_000],
      ]),
    );
    expect(differences).toHaveLength(3);
    expect(renewed.currencies.get('EUR')?.limitAverage).toBe(600_000);
  });

  it('takes an application on which a policy fails for a referral', async () => {
    const { new: renewed } = await compare(changed('outcome', 'outcome-granted', 'outcome-out-1', '"YES"'));
    expect(renewed).toMatchObject({ approvals: 0, referrals: 4 });
  });

  it('replays past credit if it is given', async () => {
    const { old, new: renewed } = await compareOnPast(
      world.installation.db,
      world.platform.platform_id,
      { old: defaultPolicy(), new: changed('risk-band', 'band-limited', 'risk-band-out-2', '5000') },
      async () => ({
        limitDays: 1,
        authorizations: [
          {
            buyerExternalId: 'a',
            orderExternalId: 'o',
            amountMinor: 700_000,
            currency: 'EUR',
            from: NOW + 20,
            until: null,
          },
        ],
        defaults: [
          {
            buyerExternalId: 'a',
            orderExternalId: 'o',
            amountMinor: 700_000,
            currency: 'EUR',
            defaultedAt: NOW + 25,
            changes: [],
          },
        ],
      }),
      NOW + 30,
    );
    expect(old.currencies.get('EUR')).toMatchObject({
      ordersKept: 1,
      lossesAvoided: 0,
      exposurePeak: 700_000,
    });
    expect(renewed.currencies.get('EUR')).toMatchObject({
      ordersKept: 0,
      lossesAvoided: 700_000,
      exposurePeak: 0,
    });
  });

  it('is of one platform', async () => {
    const { platform } = await world.addPlatform();
    const policies = { old: defaultPolicy(), new: defaultPolicy() };
    const { old } = await compareOnPast(world.installation.db, platform.platform_id, policies, null, NOW);
    expect(old.applications).toBe(0);
  });
});
