import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOrdinaryBuyer, assessed, riskSourceOf } from '#test/credit-applications';
import { createWorld, type World } from '#test/world';
import { activePolicy, insertActivation, insertPolicy } from './credit-policy.queries.ts';
import { sha256Of } from './policy/evaluate-policy.ts';
import type { PolicyGraph } from './policy.schemas.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  platformId = world.platform.platform_id;
  await addOrdinaryBuyer(world, 'kontor');
});
afterAll(() => world.close());

/** Activates a policy that returns this answer; each value is an expression. */
async function inForce(answer: Record<string, string>): Promise<void> {
  const { db } = world.installation;
  await activePolicy(db, platformId, NOW);
  const graph: PolicyGraph = {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Application' },
      {
        id: 'say',
        type: 'expressionNode',
        name: 'Say',
        content: { expressions: Object.entries(answer).map(([key, value]) => ({ id: key, key, value })) },
      },
      { id: 'out', type: 'outputNode', name: 'Answer' },
    ],
    edges: [
      { id: '1', sourceId: 'in', targetId: 'say' },
      { id: '2', sourceId: 'say', targetId: 'out' },
    ],
  };
  await store(graph);
}

async function store(graph: PolicyGraph): Promise<void> {
  const { db } = world.installation;
  const made = {
    platformId,
    name: 'test',
    graph,
    sha256: sha256Of(graph),
    createdAt: NOW,
    createdBy: 'anna',
  };
  const version = await insertPolicy(db, made);
  if (version === undefined) throw new Error('Not stored.');
  await insertActivation(db, {
    platformId,
    version,
    activatedAt: NOW,
    activatedBy: 'anna',
    approvedBy: null,
  });
}

const ACCEPT = {
  outcome: '"ACCEPT"',
  limit: '1000',
  risk_band: '"B1"',
  price_class: '"B"',
  reasons: '["OTHER_RULE"]',
  buyer_reasons: '["LIMIT_GRANTED"]',
};

describe('a failure', () => {
  const away = { riskSource: riskSourceOf(undefined) };

  it.each([null, 'accepted', 'low-limit', 'rejected'] as const)(
    'of the risk source is a referral, with the script %s',
    async (script) => {
      const assessment = await assessed(world, 'kontor', { deps: away, script });
      expect(assessment).toMatchObject({
        outcome: 'REFER',
        limitMinor: null,
        riskBand: null,
        reasons: ['RISK_SOURCE_UNAVAILABLE'],
        buyerReasons: ['NEEDS_REVIEW'],
        rulesFired: [],
      });
      expect(assessment.sources.at(-1)).toMatchObject({ name: 'TEST_SERVICE', data: { failure: 'TIMEOUT' } });
    },
  );

  it('of the risk source is a 424 if it is so configured', async () => {
    const deps = { ...away, onRiskFailure: 'error' } as const;
    await expect(assessed(world, 'kontor', { deps, script: 'accepted' })).rejects.toMatchObject({
      status: 424,
      code: 'FAILED_DEPENDENCY',
      reason: 'RISK_DECISION_ERROR',
      details: { cause: 'TIMEOUT' },
    });
  });

  it.each([
    ['an unknown outcome', { outcome: '"APPROVED"' }],
    ['no limit', { limit: 'null' }],
    ['a limit beyond all amounts', { limit: '100000000000' }],
    ['an error', { limit: 'requested_amount * 2' }],
  ])('of the policy is a referral or a 424: %s', async (_what, broken) => {
    await inForce({ ...ACCEPT, ...broken });
    const assessment = await assessed(world, 'kontor', { script: 'accepted' });
    expect(assessment).toMatchObject({ outcome: 'REFER', limitMinor: null, reasons: ['POLICY_ERROR'] });
    expect(assessment.sources.at(-1)?.name).toBe('CREDIT_POLICY');
    const deps = { onRiskFailure: 'error' } as const;
    await expect(assessed(world, 'kontor', { deps })).rejects.toMatchObject({
      status: 424,
      details: { cause: 'POLICY_ERROR' },
    });
  });

  it('does not occur if the policy rejects, whatever else it returns', async () => {
    await inForce({ ...ACCEPT, outcome: '"REJECT"' });
    expect(await assessed(world, 'kontor')).toMatchObject({
      outcome: 'REJECT',
      limitMinor: null,
      riskBand: 'REJECT',
      priceClass: null,
      reasons: ['OTHER_RULE'],
    });
  });

  it('does not occur if the new policy answers', async () => {
    await inForce(ACCEPT);
    const { policyVersion, limitMinor } = await assessed(world, 'kontor');
    expect(policyVersion).toBeGreaterThan(1);
    expect(limitMinor).toBe(100_000);
  });
});
