import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '#kernel/api-key';
import { decideReview, listReviews } from '#modules/reviews';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue } from '#test/credit';
import { decisionIdsOf } from '#test/decisions';
import { addFacility } from '#test/facilities';
import { operate } from '#test/operator';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { INPUT_NAMES } from '../policy.schemas.ts';
import { REASON_CODES } from '../reason.codes.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const REASON = 'Called the owner: pays on Fridays.';

let world: World;
let reading: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' }, platform: { language: 'EN' } });
  world.clock.set(NOW);
  reading = await world.addKey({ scopes: ['read'] });
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

const path = (decisionId: string) => `/v1/decisions/${decisionId}`;
const decisionOf = async (decisionId: string, key = world.apiKey) =>
  (await world.get(path(decisionId), { key })).body;
const onlyDecisionOf = async (buyer: string) => (await decisionIdsOf(world, buyer))[0] as string;

/** A person accepts what the policy proposed, a minute later. */
async function decided(buyer: string): Promise<{ referral: string; decision: string }> {
  await addFacility(world, buyer, { requested_amount: 70_000 });
  const referral = await onlyDecisionOf(buyer);
  const { items } = await operate(world, listReviews, { query: { buyer_external_id: [buyer] } });
  world.clock.set(NOW + 60);
  const body = { outcome: 'ACCEPT', limit_amount: 60_000, reason: REASON };
  await operate(world, decideReview, { params: { review_id: items[0].review_id }, body }, 'ada');
  world.clock.set(NOW);
  const decision = (await decisionIdsOf(world, buyer)).find((id) => id !== referral) as string;
  return { referral, decision };
}

describe('GET /v1/decisions/{decision_id}', () => {
  describe('200', () => {
    it('shows with the scope read what the buyer may know, and nothing else', async () => {
      const { body: facility } = await addFacility(world, 'plain', { requested_amount: 1_000_000 });
      const decisionId = await onlyDecisionOf('plain');
      expect(facility.decision_id).toBe(decisionId);
      const { status, body, text } = await world.get(path(decisionId), { key: reading });
      expect(status).toBe(200);
      expect(body).toEqual({
        decision_id: decisionId,
        subject: 'FACILITY_CREATION',
        buyer_external_id: 'plain',
        order_external_id: null,
        service_external_id: null,
        outcome: 'ACCEPT',
        currency: 'EUR',
        requested_amount: 1_000_000,
        limit_amount: 1_000_000,
        decided_at: NOW,
        policy_version: 1,
        language: 'DE',
        reasons: [{ code: 'LIMIT_GRANTED', text: 'Ein Kreditrahmen wurde gewährt.' }],
        internal: null,
      });
      const { internal } = await decisionOf(decisionId);
      const inside = [
        ...internal.reasons.map(({ code }: { code: string }) => code),
        ...internal.rules_fired.flatMap(({ node, rule }: { node: string; rule: string }) => [node, rule]),
        ...internal.sources.map(({ name }: { name: string }) => name),
        ...INPUT_NAMES.filter((name) => !['subject', 'currency', 'requested_amount'].includes(name)),
        internal.risk_band,
        internal.decided_by,
        'assessed_ms',
      ];
      expect(inside.length).toBeGreaterThan(20);
      expect(inside.filter((word) => text.includes(word))).toEqual([]);
    });

    it('shows with the scope credit:read what the decision used, and who made it', async () => {
      await addFacility(world, 'whole');
      const decisionId = await onlyDecisionOf('whole');
      const scoped = await world.addKey({ scopes: ['read', 'credit:read'] });
      const { internal, ...safe } = await decisionOf(decisionId, scoped);
      expect({ ...safe, internal: null }).toEqual(await decisionOf(decisionId, reading));
      const [stored] = await world.sql<{
        inputs: object;
        rules_fired: object[];
        actor: string;
        sources: object[];
      }>('select inputs, rules_fired, actor, sources from credit_decisions where decision_id = $1', [
        decisionId,
      ]);
      expect(internal).toEqual({
        reasons: expect.any(Array),
        proposed_amount: null,
        risk_band: expect.stringMatching(/^[A-D][12]$/),
        price_class: expect.stringMatching(/^[A-D]$/),
        inputs: stored?.inputs,
        sources: stored?.sources,
        rules_fired: stored?.rules_fired,
        script: null,
        assessed_ms: expect.any(Number),
        decided_by: stored?.actor,
        approved_by: null,
        comment: null,
        replaces: null,
        replaced_by: [],
      });
      expect(Object.keys(internal.inputs).sort()).toEqual([...INPUT_NAMES].sort());
      expect(internal.rules_fired.length).toBeGreaterThan(3);
      for (const { code, text } of internal.reasons)
        expect(text).toBe(REASON_CODES[code as keyof typeof REASON_CODES]);
      expect(internal.assessed_ms).toBeGreaterThanOrEqual(0);
    });

    it("has the reasons in the buyer's language, else in that of its country", async () => {
      await addFacility(world, 'speaks-rejected');
      const decisionId = await onlyDecisionOf('speaks-rejected');
      const wordsIn = async (language: string | null) => {
        await world.put('/v1/buyers/speaks-rejected/settings', { language });
        const { body, headers } = await world.get(path(decisionId), { key: reading });
        return [body.language, body.reasons[0].text, headers.get('etag')];
      };
      const [german, text, etag] = await wordsIn(null);
      const [english, translated, other] = await wordsIn('EN');
      expect([german, english]).toEqual(['DE', 'EN']);
      expect(text).not.toBe(translated);
      expect(etag).not.toBe(other);
    });

    it("shows a person's decision with what it replaces, and the referral without its proposal", async () => {
      const { referral, decision } = await decided('person-in-review');
      expect(await decisionOf(referral, reading)).toMatchObject({
        outcome: 'REFER',
        limit_amount: null,
        reasons: [{ code: 'NEEDS_REVIEW' }],
        internal: null,
      });
      expect((await decisionOf(referral)).internal).toMatchObject({
        proposed_amount: 70_000,
        script: 'in-review',
        replaces: null,
        replaced_by: [decision],
      });
      const person = await world.get(path(decision));
      expect(person.body).toMatchObject({
        outcome: 'ACCEPT',
        limit_amount: 60_000,
        policy_version: null,
        internal: {
          inputs: null,
          rules_fired: [],
          assessed_ms: null,
          decided_by: 'operator:ada',
          comment: REASON,
          replaces: { decision_id: referral, outcome: 'REFER', limit_amount: 70_000 },
          replaced_by: [],
        },
      });
      const { text } = await world.get(path(decision), { key: reading });
      for (const word of ['ada', 'Fridays', 'DECIDED_BY_PERSON', referral]) expect(text).not.toContain(word);
    });

    it('shows a key of one merchant nothing of it, whatever its scopes', async () => {
      await addFacility(world, 'shared');
      const restricted = await world.addKey({ merchantExternalId: 'merchant', scopes: [...SCOPES] });
      expect((await decisionOf(await onlyDecisionOf('shared'), restricted)).internal).toBeNull();
      const { body } = await world.get('/v1/buyers/shared/decisions', { key: restricted });
      expect(body.items.map(({ internal }: { internal: unknown }) => internal)).toEqual([null]);
    });

    it('shows a decision of before an input, or a reason, as it was', async () => {
      await addFacility(world, 'old');
      const decisionId = await onlyDecisionOf('old');
      await world.sql(
        `update credit_decisions set inputs = inputs - 'orders_closed' || '{"postcode_risk": 4}', reasons = '{RETIRED}'
        where decision_id = $1`,
        [decisionId],
      );
      const { internal } = await decisionOf(decisionId);
      expect(internal.inputs).toMatchObject({ orders_closed: null, postcode_risk: 4, country: 'DE' });
      expect(internal.reasons).toEqual([{ code: 'RETIRED', text: 'RETIRED' }]);
    });

    it('answers 304 for a decision that the client has', async () => {
      await addFacility(world, 'known');
      const decisionId = await onlyDecisionOf('known');
      const { headers } = await world.get(path(decisionId));
      const etag = headers.get('etag') as string;
      const again = await world.get(path(decisionId), { headers: { 'if-none-match': etag } });
      expect(again.status).toBe(304);
    });
  });

  describe('404', () => {
    it('answers alike for an unknown id, another platform, and an order of a merchant that is not the key’s', async () => {
      await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
      await addDebtor(world, { buyer: 'late', totalMinor: 100_000 });
      await addOverdue(world, 'late', 8, 5_000);
      const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
      const order = draftOrderBody({ external_id: 'o1', buyer_external_id: 'late', ...term });
      const { decision_id: decisionId } = (await world.post('/v1/orders', order)).body;
      const unknown = await world.get(path('00000000-0000-4000-8000-000000000000'));
      expectProblem(unknown, 'NOT_FOUND');
      const other = await world.addPlatform();
      const restricted = await world.addKey({ merchantExternalId: 'other-merchant' });
      for (const [id, key] of [
        ['NOBODY', world.apiKey],
        [decisionId, other.apiKey],
        [decisionId, restricted],
      ]) {
        const { status, text } = await world.get(path(id), { key });
        expect({ status, text }).toEqual({ status: 404, text: unknown.text });
      }
      const own = await world.addKey({ merchantExternalId: 'merchant' });
      expect(await decisionOf(decisionId, own)).toMatchObject({ subject: 'ORDER', order_external_id: 'o1' });
    });
  });

  it('400: refuses what is no id', async () => {
    const reply = await world.get(path('a.b'));
    expect(expectProblem(reply, 'BAD_REQUEST').issues).toMatchObject([
      { code: 'INVALID_FORMAT', path: 'params.decision_id' },
    ]);
  });

  it('403: needs the scope read, whatever else the key may do', async () => {
    const key = await world.addKey({ scopes: ['credit:read'] });
    const reply = await world.get(path('00000000-0000-4000-8000-000000000000'), { key });
    expect(expectProblem(reply, 'FORBIDDEN', 'INSUFFICIENT_SCOPE').details).toMatchObject({ scope: 'read' });
  });
});
