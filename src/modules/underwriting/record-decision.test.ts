import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOrdinaryBuyer, recorded, riskSourceOf } from '#test/credit-applications';
import { createWorld, type World } from '#test/world';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  platformId = world.platform.platform_id;
  await addOrdinaryBuyer(world, 'kontor');
});
afterAll(() => world.close());

describe('the record of a decision', () => {
  it('contains everything of the assessment', async () => {
    const deps = { riskSource: riskSourceOf(80, { model: 'v2' }) };
    const { assessment, decisionId, reviewId } = await recorded(world, 'kontor', {
      deps,
      script: 'low-limit',
      application: { requestedMinor: 500_000 },
    });
    expect(reviewId).toBeNull();
    const [row] = await world.sql('select * from credit_decisions where decision_id = $1', [decisionId]);
    expect(row).toMatchObject({
      platform_id: platformId,
      subject: 'FACILITY_CREATION',
      buyer_external_id: 'kontor',
      order_external_id: null,
      outcome: 'ACCEPT',
      currency: 'EUR',
      limit_minor: '10000',
      requested_minor: '500000',
      reasons: assessment.reasons,
      buyer_reasons: ['LIMIT_GRANTED'],
      policy_version: assessment.policyVersion,
      inputs: assessment.inputs,
      sources: assessment.sources,
      rules_fired: assessment.rulesFired,
      script: 'low-limit',
      overrides: null,
      actor: 'key-1',
      decided_at: `${NOW}`,
    });
    expect(assessment.rulesFired.length).toBeGreaterThan(5);
  });

  it('contains no personal data', async () => {
    const id = 'jadwiga';
    await addOrdinaryBuyer(world, id, { legal_form: 'SOLE_TRADER', legal_name: 'Jadwiga Wiśniewska' });
    await world.post('/v1/contacts', {
      external_id: 'c',
      buyer_external_id: id,
      email: 'jadwiga@wisniewska.example',
      last_name: 'Wiśniewska',
    });
    const { decisionId } = await recorded(world, id, { script: 'in-review' });
    const rows = await world.sql(
      'select d::text as text from credit_decisions d where decision_id = $1 union all select r::text from credit_reviews r where decision_id = $1',
      [decisionId],
    );
    expect(rows).toHaveLength(2);
    for (const { text } of rows) expect(text).not.toMatch(/wi.niewska|example/i);
  });

  it.each(['review-then-accept', 'review-then-reject'] as const)(
    'opens the review of a referral, which a script ends a day later: %s',
    async (script) => {
      const { decisionId, reviewId } = await recorded(world, 'kontor', { script });
      const [row] = await world.sql('select * from credit_reviews where review_id = $1', [reviewId]);
      expect(row).toMatchObject({
        status: 'OPEN',
        subject: 'FACILITY_CREATION',
        buyer_external_id: 'kontor',
        decision_id: decisionId,
        automatic_outcome: 'REFER',
        limit_minor: '3000000',
        scripted_outcome: script === 'review-then-accept' ? 'ACCEPT' : 'REJECT',
        scripted_at: `${NOW + DAY}`,
      });
    },
  );

  it.each(['credit_decisions', 'credit_policies', 'credit_policy_activations', 'credit_review_transitions'])(
    'in %s cannot be changed or deleted by the service',
    async (table) => {
      const { db } = world.installation;
      for (const statement of [`update ${table} set platform_id = platform_id`, `delete from ${table}`])
        await expect(db.executeQuery({ sql: statement, parameters: [] } as never)).rejects.toMatchObject({
          code: '42501',
        });
    },
  );
});
