import { afterAll, beforeAll, expect, it } from 'vitest';
import { approveOverride, proposeOverride } from '#modules/reviews';
import { decisionIdsOf } from '#test/decisions';
import { addFacility } from '#test/facilities';
import { operate } from '#test/operator';
import { createWorld, type World } from '#test/world';
import { contextOf } from '../../cli/operation-context.ts';
import { exportDecision } from './export-decision.ts';
import { PolicyInputs } from './policy.schemas.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const BUYER = 'sole-in-review';

let world: World;
let ids: string[];
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await addFacility(world, BUYER, { requested_amount: 70_000 });
  await world.put(`/v1/buyers/${BUYER}/settings`, { language: 'FR' });
  const [review] = await world.sql<{ review_id: string }>('select review_id from credit_reviews');
  const params = { review_id: review?.review_id as string };
  world.clock.set(NOW + 60);
  const body = { limit_amount: 90_000, reason: 'Knows them well.' };
  await operate(world, proposeOverride, { params, body }, 'ada');
  await operate(world, approveOverride, { params, body: { reason: 'Agreed.' } }, 'ben');
  ids = await decisionIdsOf(world, BUYER);
});
afterAll(() => world.close());

function exported(decisionId: string) {
  const { installation, platform } = world;
  const context = contextOf(installation, { platform, actor: 'operator:ada', now: NOW + 3_600 });
  return exportDecision(context, decisionId);
}

it('has everything that the decision of a policy used, each with its meaning', async () => {
  const decision = await exported(ids[0] as string);
  expect(decision).toMatchObject({
    about: expect.stringContaining('A person can be asked to decide again.'),
    exported_at: '2025-11-20T13:00:00.000Z',
    company: { external_id: BUYER, legal_name: expect.any(String) },
    decision: {
      decision_id: ids[0],
      outcome: 'REFER',
      decided_at: '2025-11-20T12:00:00.000Z',
      language: 'FR',
      reasons: [{ code: 'NEEDS_REVIEW', text: expect.stringMatching(/\S/) }],
    },
    policy: { version: 1, sha256: expect.stringMatching(/^[\da-f]{64}$/), name: 'default' },
    sandbox_script: 'in-review',
    replaces: null,
    replaced_by: [ids[1]],
  });
  expect(decision?.decision).not.toHaveProperty('internal');
  for (const [name, { description }] of Object.entries(PolicyInputs.properties) as [
    string,
    { description: string },
  ][])
    expect(decision?.inputs).toContainEqual({
      name,
      value: decision?.inputs.find((one) => one.name === name)?.value,
      meaning: description,
    });
  expect(decision?.sources.length).toBeGreaterThan(2);
  for (const { meaning, as_of } of decision?.sources ?? [])
    expect(`${as_of} ${meaning}`).toMatch(/^\d{4}-.+Z \S/);
  expect(decision?.rules_fired.length).toBeGreaterThan(3);
  for (const { meaning } of decision?.rules_fired ?? []) expect(meaning).toMatch(/\S/);
  expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
});

it('has the part of the persons: who proposed, who approved, when and why', async () => {
  const decision = await exported(ids[1] as string);
  expect(decision).toMatchObject({
    inputs: [],
    policy: null,
    decision: { outcome: 'ACCEPT', limit_amount: 90_000 },
    replaces: { decision_id: ids[0], outcome: 'REFER', limit_amount: 70_000 },
    persons: {
      decided_by: 'operator:ada',
      approved_by: 'operator:ben',
      comment: 'Agreed.',
      reviews: [{ status: 'DECIDED', outcome: 'ACCEPT' }],
    },
  });
  expect(
    decision?.persons.reviews[0]?.transitions.map(({ trigger, actor, reason }) => [trigger, actor, reason]),
  ).toEqual([
    ['open', expect.stringMatching(/^api_key:/), expect.any(String)],
    ['propose_override', 'operator:ada', 'Knows them well.'],
    ['approve_override', 'operator:ben', 'Agreed.'],
  ]);
});

it('is undefined for an unknown decision', async () => {
  expect(await exported('00000000-0000-4000-8000-000000000000')).toBeUndefined();
});
