import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue } from '#test/credit';
import { decisionIdsOf } from '#test/decisions';
import { addFacility } from '#test/facilities';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { insertPolicy } from '../credit-policy.queries.ts';
import { sha256Of } from '../policy/evaluate-policy.ts';
import { INPUT_NAMES, type PolicyGraph } from '../policy.schemas.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;

let world: World;
let decisionId: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await addFacility(world, 'plain', { requested_amount: 1_000_000 });
  decisionId = (await decisionIdsOf(world, 'plain'))[0] as string;
});
afterAll(() => world.close());

const judged = (inputs: object, id = decisionId, key = world.apiKey) =>
  world.post(`/v1/decisions/${id}/what_if`, { inputs }, { key });
const decisionOf = async (id: string) => (await world.get(`/v1/decisions/${id}`)).body;

/** A policy of one expression, which divides by an input. */
async function addDividingPolicy(): Promise<number> {
  const answer = {
    outcome: '"ACCEPT"',
    limit: 'floor(1000 / orders_closed)',
    risk_band: '"B1"',
    price_class: '"B"',
    reasons: '["OTHER_RULE"]',
    buyer_reasons: '["LIMIT_GRANTED"]',
  };
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
  const { platform_id: platformId } = world.platform;
  const sha256 = sha256Of(graph);
  const policy = { platformId, name: 'dividing', graph, sha256, createdAt: NOW, createdBy: 'Anna' };
  return (await insertPolicy(world.installation.db, policy)) as number;
}

describe('POST /v1/decisions/{decision_id}/what_if', () => {
  it('shows both verdicts side by side, and which rules differ', async () => {
    const { internal, limit_amount } = await decisionOf(decisionId);
    const { status, body } = await judged({ days_past_due_max: 90, overdue_amount: 900 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      decision_id: decisionId,
      policy_version: 1,
      inputs: [
        { name: 'days_past_due_max', before: 0, after: 90 },
        { name: 'overdue_amount', before: 0, after: 900 },
      ],
      before: {
        outcome: 'ACCEPT',
        limit_amount,
        risk_band: internal.risk_band,
        price_class: internal.price_class,
        reasons: internal.reasons,
        buyer_reasons: ['LIMIT_GRANTED'],
        rules_fired: internal.rules_fired,
        failure: null,
      },
      after: { outcome: 'REJECT', limit_amount: null, buyer_reasons: ['OVERDUE_INVOICES'], failure: null },
    });
    expect(body.after.reasons[0]).toMatchObject({ code: 'PAST_DUE_OVER_60_DAYS' });
    const names = (rules: { node: string; rule: string }[]) =>
      rules.map(({ node, rule }) => `${node}/${rule}`);
    const [before, after] = [names(body.before.rules_fired), names(body.after.rules_fired)];
    expect(names(body.rules_only_before)).toEqual(before.filter((name) => !after.includes(name)));
    expect(names(body.rules_only_after)).toEqual(after.filter((name) => !before.includes(name)));
    expect(body.rules_only_after.length).toBeGreaterThan(0);
  });

  it('grants no more than was requested, to the cent, or than the replaced request', async () => {
    await addFacility(world, 'cents', { requested_amount: 100_001 });
    const [id] = await decisionIdsOf(world, 'cents');
    const { body } = await judged({ requested_amount: 50 }, id);
    expect([body.before.limit_amount, body.after.limit_amount]).toEqual([100_001, 5_000]);
    expect((await judged({ orders_closed: 1 }, id)).body.after.limit_amount).toBe(100_001);
    const unlimited = (await judged({ requested_amount: null }, id)).body.after.limit_amount;
    expect(unlimited).toBeGreaterThan(100_001);
  });

  it('explains the decision itself without a replaced input, and is not moved by the sandbox', async () => {
    await addFacility(world, 'scripted-rejected');
    const [id] = await decisionIdsOf(world, 'scripted-rejected');
    expect((await decisionOf(id as string)).outcome).toBe('REJECT');
    const { body } = await judged({}, id);
    expect(body).toMatchObject({ inputs: [], rules_only_before: [], rules_only_after: [] });
    expect(body.after).toEqual(body.before);
    expect(body.before.reasons.map(({ code }: { code: string }) => code)).not.toContain('SANDBOX_SCRIPT');
  });

  it('stores nothing', async () => {
    const stored = () =>
      world.sql(`select (select count(*) from credit_decisions) as decisions, (select count(*) from events) as events,
        (select sum(version) from facilities) as versions`);
    const before = await stored();
    await judged({ orders_closed: 5 });
    expect(await stored()).toEqual(before);
  });

  it('answers with the failure of a policy that fails on the inputs', async () => {
    await addFacility(world, 'divided');
    const [id] = await decisionIdsOf(world, 'divided');
    const version = await addDividingPolicy();
    await world.sql(
      `update credit_decisions set policy_version = $2, inputs = inputs || '{"orders_closed": 5}' where decision_id = $1`,
      [id, version],
    );
    const { status, body } = await judged({ orders_closed: 0 }, id);
    expect(status).toBe(200);
    expect(body.before).toMatchObject({ outcome: 'ACCEPT', limit_amount: 20_000, failure: null });
    expect(body.after).toMatchObject({
      outcome: 'REFER',
      limit_amount: null,
      reasons: [{ code: 'POLICY_ERROR' }],
      buyer_reasons: ['NEEDS_REVIEW'],
      rules_fired: [],
      failure: expect.stringMatching(/\S/),
    });
  });

  it('judges a decision of before an input, with that input where it is named', async () => {
    await addFacility(world, 'old');
    const [id] = await decisionIdsOf(world, 'old');
    await world.sql(
      `update credit_decisions set inputs = inputs - 'months_on_platform' where decision_id = $1`,
      [id],
    );
    const { status, body } = await judged({ months_on_platform: 3 }, id);
    expect(status).toBe(200);
    expect(body.inputs).toEqual([{ name: 'months_on_platform', before: null, after: 3 }]);
  });

  describe('400', () => {
    const refused = async (inputs: unknown) =>
      expectProblem(await world.post(`/v1/decisions/${decisionId}/what_if`, { inputs }), 'BAD_REQUEST')
        .issues;

    it('names unknown inputs and lists the known ones', async () => {
      expect(await refused({ orders_close: 5, limit: 1, orders_closed: 1 })).toEqual(
        ['orders_close', 'limit'].map((name) => ({
          code: 'UNRECOGNIZED_KEYS',
          path: `body.inputs.${name}`,
          message: `is not a known field; the fields are ${INPUT_NAMES.join(', ')}`,
        })),
      );
    });

    it.each([
      [{ orders_closed: '5' }, 'INVALID_TYPE', 'orders_closed'],
      [{ orders_closed: -1 }, 'TOO_SMALL', 'orders_closed'],
      [{ orders_closed: 1.5 }, 'INVALID_TYPE', 'orders_closed'],
      [{ orders_closed: null }, 'INVALID_TYPE', 'orders_closed'],
      [{ legal_form: 'GMBH' }, 'INVALID_ENUM', 'legal_form'],
      [{ country: 'XX' }, 'INVALID_VALUE', 'country'],
    ])('refuses %j', async (inputs, code, name) => {
      expect(await refused(inputs)).toMatchObject([{ code, path: `body.inputs.${name}` }]);
    });

    it('needs the inputs', async () => {
      const reply = await world.post(`/v1/decisions/${decisionId}/what_if`, {});
      expect(reply.body.issues).toMatchObject([{ code: 'REQUIRED', path: 'body.inputs' }]);
    });
  });

  it('422: refuses a decision that no policy made', async () => {
    await world.post('/v1/merchants', merchantBody({}));
    await addDebtor(world, { buyer: 'late', totalMinor: 100_000 });
    await addOverdue(world, 'late', 8, 5_000);
    const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    const order = draftOrderBody({ external_id: 'o1', buyer_external_id: 'late', ...term });
    const { decision_id: referral } = (await world.post('/v1/orders', order)).body;
    const problem = expectProblem(
      await judged({}, referral),
      'UNPROCESSABLE_ENTITY',
      'DECISION_WITHOUT_POLICY',
    );
    expect(problem.details).toMatchObject({ replaces: null });
  });

  it('404: answers alike for an unknown decision and one of another platform', async () => {
    const unknown = await judged({}, '00000000-0000-4000-8000-000000000000');
    expectProblem(unknown, 'NOT_FOUND');
    const { apiKey } = await world.addPlatform();
    expect((await judged({}, decisionId, apiKey)).text).toBe(unknown.text);
  });

  it('403: refuses a key of one merchant, whatever its scopes', async () => {
    await world.post('/v1/merchants', merchantBody({}));
    const key = await world.addKey({ merchantExternalId: 'merchant', scopes: ['credit:read', 'admin'] });
    expectProblem(await judged({}, decisionId, key), 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
  });

  it('403: needs the scope credit:read', async () => {
    const key = await world.addKey({ scopes: ['read', 'orders:write'] });
    const reply = await judged({}, decisionId, key);
    expect(expectProblem(reply, 'FORBIDDEN', 'INSUFFICIENT_SCOPE').details).toMatchObject({
      scope: 'credit:read',
    });
  });
});
