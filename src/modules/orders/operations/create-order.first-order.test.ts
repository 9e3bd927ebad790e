import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideReview, listReviews } from '#modules/reviews';
import { defaultPolicy, insertActivation, insertPolicy, sha256Of } from '#modules/underwriting';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { auditCredit } from '#test/credit';
import { addBuyer, addFacility, facilityOf, ORDINARY_LIMIT } from '#test/facilities';
import { operate } from '#test/operator';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const ELSEWHERE = { street: 'Damrak', house: '1', postcode: '1012 AB', city: 'Amsterdam', country: 'NL' };
const TO_THE_COMPANY = { street: 'Lager', house: '2', postcode: '10 435', city: 'Berlin', country: 'DE' };
const NEAR_LIMIT = ORDINARY_LIMIT - 100_000;

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

const order = (buyer: string, grossMinor: number, more: object = {}, key = world.apiKey) =>
  world.post(
    '/v1/orders',
    draftOrderBody({
      external_id: `order-${++made}`,
      buyer_external_id: buyer,
      amount: { net: grossMinor, gross: grossMinor },
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_30D',
      ...more,
    }),
    { key },
  );

/** A person accepts the only review of the buyer. Returns its subject. */
async function accept(buyer: string, reason: string) {
  const { items } = await operate(world, listReviews, { query: { buyer_external_id: [buyer] } });
  const [review] = items;
  const body = { outcome: 'ACCEPT', reason };
  await operate(world, decideReview, { params: { review_id: review.review_id }, body }, 'ada');
  return review;
}

describe('POST /v1/orders, of the first order of a buyer', () => {
  it('is reviewed near the limit to another address than the one that was judged', async () => {
    expect((await addFacility(world, 'moves')).body).toMatchObject({ total_amount: ORDINARY_LIMIT });
    const { status, body } = await order('moves', NEAR_LIMIT, { delivery_address: ELSEWHERE });
    expect([status, body.status]).toEqual([201, 'PENDING_CONFIRMATION']);
    expect(await facilityOf(world, 'moves')).toMatchObject({ pending_orders_amount: NEAR_LIMIT });
    const { body: decision } = await world.get(`/v1/decisions/${body.decision_id}`);
    const { items } = (await world.get('/v1/buyers/moves/decisions')).body;
    const first = items.find(({ subject }: { subject: string }) => subject === 'FACILITY_CREATION');
    expect(decision).toMatchObject({
      subject: 'ORDER',
      outcome: 'REFER',
      policy_version: 1,
      requested_amount: NEAR_LIMIT,
      reasons: [{ code: 'NEEDS_REVIEW' }],
      internal: {
        inputs: { delivery_differs: true, is_first_order: true, requested_amount: NEAR_LIMIT / 100 },
        sources: [{ name: 'ORDER', at: NOW, data: { judged_again: first.decision_id } }],
      },
    });
    expect(decision.internal.reasons[0].code).toBe('FIRST_ORDER_NEAR_LIMIT');
    const fired = decision.internal.rules_fired.map(({ rule }: { rule: string }) => rule);
    expect(fired).toContain('outcome-first-elsewhere');
    expect(first.internal.rules_fired.map(({ rule }: { rule: string }) => rule)).not.toContain(
      'outcome-first-elsewhere',
    );

    expect(await accept('moves', 'Called the company.')).toMatchObject({
      subject: 'ORDER',
      reasons: decision.internal.reasons.map(({ code }: { code: string }) => code),
    });
    expect((await world.get(`/v1/orders/${body.external_id}`)).body.status).toBe('CONFIRMED');
  });

  it('is reviewed near the limit if the buyer’s own delivery address was changed after the decision', async () => {
    await addFacility(world, 'quiet');
    const { body: buyer } = await world.get('/v1/buyers/quiet');
    await world.put('/v1/buyers/quiet', { ...buyer, delivery_address: ELSEWHERE });
    expect((await order('quiet', NEAR_LIMIT)).body.status).toBe('PENDING_CONFIRMATION');
  });

  it('is reviewed near the limit for a business address that is not the registered seat', async () => {
    const business_address = { postcode: '20457', city: 'Hamburg', country: 'DE' };
    await addBuyer(world, 'far');
    const { body: buyer } = await world.get('/v1/buyers/far');
    await world.put('/v1/buyers/far', { ...buyer, business_address });
    expect((await world.post('/v1/buyers/far/facility', {})).body.status).toBe('ACTIVE');
    expect((await order('far', NEAR_LIMIT)).body.status).toBe('PENDING_CONFIRMATION');
  });

  it.each([
    ['to the company', NEAR_LIMIT, { delivery_address: TO_THE_COMPANY }],
    ['without an address', NEAR_LIMIT, {}],
    ['elsewhere, far below the limit', 100_000, { delivery_address: ELSEWHERE }],
    ['elsewhere, paid in advance', NEAR_LIMIT, { delivery_address: ELSEWHERE, payment_term: 'PREPAYMENT' }],
  ])('is confirmed at once %s', async (_where, grossMinor, more) => {
    const buyer = `prompt-${++made}`;
    await addFacility(world, buyer);
    expect((await order(buyer, grossMinor, more)).body.status).toBe('CONFIRMED');
  });

  it('is the first until one on credit is confirmed', async () => {
    await addFacility(world, 'second');
    expect((await order('second', 100, { payment_term: 'PREPAYMENT' })).body.status).toBe('CONFIRMED');
    const cancelled = await order('second', 5_000);
    await world.post(`/v1/orders/${cancelled.body.external_id}/cancel`);
    const reviewed = await order('second', NEAR_LIMIT, { delivery_address: ELSEWHERE });
    expect(reviewed.body.status).toBe('PENDING_CONFIRMATION');
    await world.post(`/v1/orders/${reviewed.body.external_id}/cancel`);
    expect((await order('second', 5_000)).body.status).toBe('CONFIRMED');
    const later = await order('second', NEAR_LIMIT, { delivery_address: ELSEWHERE });
    expect(later.body.status).toBe('CONFIRMED');
  });

  it('is not judged again where a person or a script decided about the facility', async () => {
    await addBuyer(world, 'known', { contact_email: 'kim@elsewhere.example' });
    expect((await world.post('/v1/buyers/known/facility', {})).body.status).toBe('PENDING');
    await accept('known', 'Visited them.');
    expect((await addFacility(world, 'scripted-accepted')).body.status).toBe('ACTIVE');
    for (const buyer of ['known', 'scripted-accepted'])
      expect((await order(buyer, NEAR_LIMIT, { delivery_address: ELSEWHERE })).body.status).toBe('CONFIRMED');
  });

  it('is refused if the policy rejects it', async () => {
    const { platform, apiKey: key } = await world.addPlatform();
    const graph = structuredClone(defaultPolicy().graph);
    const rules = graph.nodes.flatMap(
      ({ content }) => (content as { rules?: Record<string, string>[] }).rules ?? [],
    );
    const rule = rules.find(({ _id }) => _id === 'outcome-first-elsewhere') as Record<string, string>;
    for (const [cell, value] of Object.entries(rule)) if (value === '"REFER"') rule[cell] = '"REJECT"';
    const { db } = world.installation;
    const { platform_id: platformId } = platform;
    const stored = {
      platformId,
      name: 'strict',
      graph,
      sha256: sha256Of(graph),
      createdAt: NOW,
      createdBy: 'ada',
    };
    const version = (await insertPolicy(db, stored)) as number;
    await insertActivation(db, {
      platformId,
      version,
      activatedAt: NOW,
      activatedBy: 'ada',
      approvedBy: 'ben',
    });
    await world.post('/v1/merchants', merchantBody({}), { key });
    await addBuyer(world, 'strict', {}, { key });
    expect((await world.post('/v1/buyers/strict/facility', {}, { key })).body.status).toBe('ACTIVE');
    const refused = await order('strict', NEAR_LIMIT, { delivery_address: ELSEWHERE }, key);
    expect(
      expectProblem(refused, 'UNPROCESSABLE_ENTITY', 'PAYMENT_TERM_NOT_AVAILABLE').details,
    ).toMatchObject({
      unavailable_reason: 'RISK',
    });
    expect((await order('strict', NEAR_LIMIT, {}, key)).body.status).toBe('CONFIRMED');
  });
});
