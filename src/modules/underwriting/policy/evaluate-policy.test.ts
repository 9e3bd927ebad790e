import { describe, expect, it } from 'vitest';
import type { PolicyGraph } from '../policy.schemas.ts';
import { evaluatePolicy, sha256Of } from './evaluate-policy.ts';
import { ORDINARY } from './sample-inputs.ts';

/** A policy of one node, whose expressions are its answer. */
function policyOf(answer: Record<string, string>) {
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
  return { graph, sha256: sha256Of(graph) };
}

const ACCEPT = {
  outcome: '"ACCEPT"',
  limit: '1000',
  risk_band: '"B1"',
  price_class: '"B"',
  reasons: '["OTHER_RULE"]',
  buyer_reasons: '["LIMIT_GRANTED"]',
};

describe('the answer of a policy', () => {
  it('is taken if it is whole', async () => {
    expect(await evaluatePolicy(policyOf(ACCEPT), ORDINARY)).toEqual({
      outcome: 'ACCEPT',
      limit: 1_000,
      risk_band: 'B1',
      price_class: 'B',
      reasons: ['OTHER_RULE'],
      buyer_reasons: ['LIMIT_GRANTED'],
      rulesFired: [],
    });
  });

  it.each([
    ['outcome', '"APPROVE"', 'the field outcome of the answer must be one of ACCEPT, REJECT, REFER.'],
    ['outcome', 'true', 'the field outcome of the answer must be string.'],
    ['outcome', '["ACCEPT"]', 'the field outcome of the answer must be string.'],
    ['limit', '"1000"', 'the field limit of the answer must be integer or null.'],
    ['limit', '-1', 'the field limit of the answer must be at least 0.'],
    ['limit', '0', 'the answer accepts without a limit.'],
    ['limit', '10.5', 'the field limit of the answer must be integer or null.'],
    ['limit', '1 / 0', 'the answer accepts without a limit.'],
    ['limit', '1000000000000000', 'the field limit of the answer must be at most 1000000000000.'],
    [
      'risk_band',
      '"E1"',
      'the field risk_band of the answer must be one of A1, A2, B1, B2, C1, C2, D1, D2, REJECT.',
    ],
    ['reasons', '[]', 'the field reasons of the answer must have at least 1 items.'],
    ['buyer_reasons', '["RISK_SCORE_LOW"]', 'the field buyer_reasons.0 of the answer must be one of '],
    ['remark', '"hello"', 'the field remark of the answer is not a known field.'],
    ['limit', 'nothing + 1', 'Failed to evaluate expression'],
  ])('is refused with %s = %s, and the node is named', async (field, value, sentence) => {
    const asking = evaluatePolicy(policyOf({ ...ACCEPT, [field]: value }), ORDINARY);
    await expect(asking).rejects.toMatchObject({ name: 'PolicyFailed', nodeId: 'say', nodeName: 'Say' });
    await expect(asking).rejects.toThrow(`Node "Say" (say): ${sentence}`);
  });

  it('is refused if it is empty', async () => {
    const asking = evaluatePolicy(policyOf({}), ORDINARY);
    await expect(asking).rejects.toThrow('Node "Say" (say): the field outcome of the answer is required.');
  });

  it('does not depend on concurrent applications', async () => {
    const policies = [100, 200, 300].map((limit) => policyOf({ ...ACCEPT, limit: `${limit}` }));
    const requested = Array.from({ length: 60 }, (_, index) => policies[index % 3]);
    const limits = await Promise.all(
      requested.map(async (policy) => policy && (await evaluatePolicy(policy, ORDINARY)).limit),
    );
    expect(limits).toEqual(Array.from({ length: 60 }, (_, index) => 100 * ((index % 3) + 1)));
  });
});
