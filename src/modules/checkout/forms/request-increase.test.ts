/** A buyer orders again: the limit that it deserves covers more than one order, and is raised if it is too small. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RiskSource } from '#kernel/risk-source';
import { writeCompanies } from '#modules/registry';
import {
  insertActivation,
  insertPolicy,
  localRiskSource,
  RiskSourceFailed,
  sha256Of,
} from '#modules/underwriting';
import { buyerBody } from '#test/bodies';
import {
  type CheckoutWorld,
  COMPANY,
  createCheckout,
  type Drafted,
  PERSON,
  type Visitor,
  visit,
} from '#test/checkout';
import { auditCredit, facilityOf, grantFacility } from '#test/credit';
import { mailsOf } from '#test/mails';
import { NO_ADDRESS, registerId, registryEntry } from '#test/registry-entry';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const DONE = { kind: 'DONE' };
const CREDIT_DECIDED = { kind: 'CREDIT_DECIDED' };
/** What the default policy gives to the cooperatives of this test. */
const LIMIT = 3_000_000;
const GROSS = 11_900;
const amount = (gross: number) => ({ net: gross, gross });

let world: World;
let checkout: CheckoutWorld;
let isSilent = false;
/** No score, or no answer: then a person decides. */
const risk: RiskSource = {
  name: 'AGENCY',
  assess: (request, now) =>
    isSilent ? Promise.reject(new RiskSourceFailed('TIMEOUT')) : localRiskSource.assess(request, now),
};
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  checkout = await createCheckout(world, { risk, onRiskFailure: 'refer' });
});
afterEach(() => {
  isSilent = false;
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

let made = 0;
/** A company of the registry that no other test has, under this number. */
async function company(): Promise<string> {
  const number = `HRB ${5_000_000 + ++made}`;
  const entry = registryEntry({
    registryKey: number,
    legalName: COMPANY.legalName,
    tradingName: null,
    legalForm: 'eG',
    address: { ...NO_ADDRESS, postcode: COMPANY.postcode, city: COMPANY.city },
    identifiers: [registerId(number)],
    website: 'https://morgenrot.example',
  });
  await writeCompanies(world.installation.db, [entry], world.clock.now());
  return number;
}

const decisionsOf = ({ buyer }: Drafted) =>
  world.sql<{ subject: string; outcome: string; requested: number | null; order: number; proof: string }>(
    `select subject, outcome, requested_minor as requested, (inputs -> 'order_amount')::int as "order",
      inputs ->> 'applicant_proof' as proof
    from credit_decisions where buyer_external_id = $1 and policy_version is not null order by decided_at, subject, outcome`,
    [buyer],
  );

/** An invited buyer with its first order on credit. */
async function firstOrder(): Promise<Drafted> {
  const drafted = await checkout.draft();
  const visitor = await visit(checkout, drafted.token);
  await visitor.enterCompany({ vatId: '', registerId: await company(), house: `${made}` });
  expect(await visitor.enterDetails()).toEqual(CREDIT_DECIDED);
  await pay(visitor);
  return drafted;
}

async function pay(visitor: Visitor): Promise<void> {
  expect(await visitor.choosePayment('DEFER_30D')).toEqual(DONE);
  expect(await visitor.placeOrder()).toEqual(DONE);
}

/** The buyer's next order, in a browser that has entered the code. */
async function comeAgain({ buyer }: Drafted, gross = GROSS): Promise<{ drafted: Drafted; visitor: Visitor }> {
  const order = { buyer_external_id: buyer, amount: amount(gross) };
  const drafted = await checkout.draft({ buyer: null, order });
  const visitor = await visit(checkout, drafted.token);
  await visitor.send((forms, sender) => forms.sendCode(sender));
  expect(await visitor.confirm()).toEqual(DONE);
  return { drafted, visitor };
}

/** A buyer that the platform named, with a limit below its order. */
async function withSmallLimit(external_id: string, totalMinor = 10_000) {
  const body = buyerBody({
    external_id,
    contact_email: PERSON.email,
    business_identifiers: [registerId(await company())],
  });
  expect((await world.post('/v1/buyers', body)).status).toBe(201);
  await grantFacility(world, { buyer: external_id, totalMinor });
  return comeAgain({ buyer: external_id, id: '', token: '' });
}

const statusOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body.status;

describe('a buyer in the checkout', () => {
  it('orders, orders again, and orders a third time', async () => {
    const first = await firstOrder();
    expect(await facilityOf(world, first.buyer)).toMatchObject({ total: LIMIT, pending: GROSS });
    for (const _ of [2, 3]) {
      const { drafted, visitor } = await comeAgain(first);
      expect(await visitor.sendDetails()).toEqual(DONE);
      expect(await visitor.view()).toMatchObject({ step: 'payment', credit: 'OFFERED' });
      await pay(visitor);
      expect(await statusOf(drafted.id)).toBe('CONFIRMED');
    }
    expect(await decisionsOf(first)).toEqual([
      {
        subject: 'FACILITY_CREATION',
        outcome: 'ACCEPT',
        requested: null,
        order: 119,
        proof: 'CONFIRMED_ADDRESS',
      },
    ]);
  });

  it('gets a higher limit where the order is above it', async () => {
    const { drafted, visitor } = await withSmallLimit('grown');
    expect(await visitor.view()).toMatchObject({ step: 'details' });
    expect(await visitor.sendDetails()).toEqual(CREDIT_DECIDED);
    expect(await visitor.view()).toMatchObject({ step: 'payment', credit: 'OFFERED', refusal: null });
    await pay(visitor);
    expect(await statusOf(drafted.id)).toBe('CONFIRMED');
    expect(await facilityOf(world, 'grown')).toMatchObject({ total: LIMIT, pending: GROSS });
    expect(await decisionsOf(drafted)).toEqual([
      {
        subject: 'FACILITY_INCREASE',
        outcome: 'ACCEPT',
        requested: null,
        order: 119,
        proof: 'ADDRESS_ON_FILE',
      },
    ]);
  });

  it('proves first that it speaks for the company', async () => {
    const first = await firstOrder();
    const { visitor } = await comeAgain(first, LIMIT);
    const stranger = { person: { email: 'someone@morgenrot.example' } };
    expect(await visitor.sendDetails(stranger)).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'code', code: { purpose: 'APPLICATION' } });
    expect(await decisionsOf(first)).toHaveLength(1);
    expect(await visitor.confirm()).toEqual(CREDIT_DECIDED);
    expect(await decisionsOf(first)).toHaveLength(2);
  });

  it('requests one increase, however often the details are sent', async () => {
    const { drafted, visitor } = await withSmallLimit('clicked-often');
    const sent = await Promise.all(Array.from({ length: 8 }, () => visitor.sendDetails()));
    for (const { kind } of sent) expect(['CREDIT_DECIDED', 'DONE', 'STALE']).toContain(kind);
    expect(await decisionsOf(drafted)).toHaveLength(1);
  });

  it('learns why, where the limit stays too small, and can pay in advance', async () => {
    const first = await firstOrder();
    const { drafted, visitor } = await comeAgain(first, 4 * LIMIT - GROSS);
    expect(await visitor.enterDetails()).toEqual(CREDIT_DECIDED);
    expect(await visitor.view()).toMatchObject({
      step: 'payment',
      credit: 'REFUSED',
      offers: [{ payment_term: 'PREPAYMENT' }],
      refusal: { reasons: ['NOT_POSSIBLE_NOW'], review: 'POSSIBLE' },
    });
    expect(await facilityOf(world, first.buyer)).toMatchObject({ total: LIMIT });
    const mails = (await mailsOf(world)).filter(({ cause }) =>
      cause.startsWith(`checkout/${drafted.id}/refused/`),
    );
    expect(mails).toHaveLength(1);
    // Once per checkout.
    expect(await visitor.sendDetails()).toEqual(DONE);
    expect(await decisionsOf(first)).toHaveLength(2);
    expect(await visitor.send((forms, sender) => forms.requestReview(sender))).toEqual(DONE);
    expect((await visitor.view()).refusal).toMatchObject({ review: 'ASKED' });
    await visitor.choosePayment('PREPAYMENT');
    expect(await visitor.placeOrder()).toEqual(DONE);
  });

  it('learns that a first limit was granted in part', async () => {
    const drafted = await checkout.draft({ order: { amount: amount(LIMIT + 1) } });
    const visitor = await visit(checkout, drafted.token);
    await visitor.enterCompany({ vatId: '', registerId: await company(), house: `${made}` });
    expect(await visitor.enterDetails()).toEqual(CREDIT_DECIDED);
    expect(await visitor.view()).toMatchObject({
      step: 'payment',
      credit: 'REFUSED',
      refusal: { reasons: ['LIMIT_BELOW_REQUEST'], review: 'NONE' },
    });
    expect(await decisionsOf(drafted)).toHaveLength(1);
  });
});

describe('while a person reviews the increase', () => {
  async function underReview(external_id: string) {
    isSilent = true;
    const { drafted, visitor } = await withSmallLimit(external_id);
    expect(await visitor.sendDetails()).toEqual(CREDIT_DECIDED);
    expect(await visitor.view()).toMatchObject({ step: 'payment', credit: 'UNDER_REVIEW', refusal: null });
    await pay(visitor);
    expect((await visitor.view()).outcome).toBe('UNDER_REVIEW');
    return { drafted, visitor };
  }
  const simulate = (buyer_external_id: string, trigger: string) =>
    world.post('/v1/sandbox/facilities', { buyer_external_id, trigger });

  it('the order waits and reserves nothing; the increase confirms it', async () => {
    const { drafted } = await underReview('waits');
    expect(await facilityOf(world, 'waits')).toMatchObject({ total: 10_000, pending: 0 });
    const [decision] = await world.sql<{ id: string }>(
      'select decision_id as id from credit_decisions where buyer_external_id = $1',
      [drafted.buyer],
    );
    expect((await world.get(`/v1/orders/${drafted.id}`)).body.decision_id).toBe(decision?.id);
    expect((await simulate('waits', 'increase')).status).toBe(200);
    expect(await statusOf(drafted.id)).toBe('CONFIRMED');
    expect(await facilityOf(world, 'waits')).toMatchObject({ total: 1_000_000, pending: GROSS });
    expect((await recordedEvents(world, drafted.id)).map(({ type }) => type)).toEqual([
      'ORDER.PENDING_CONFIRMATION',
      'ORDER.CONFIRMED',
    ]);
  });

  it('its refusal cancels the order, with the reasons', async () => {
    const { drafted, visitor } = await underReview('waits-in-vain');
    expect((await simulate('waits-in-vain', 'reject_increase')).status).toBe(200);
    expect(await statusOf(drafted.id)).toBe('CANCELLED');
    expect(await visitor.view()).toMatchObject({
      outcome: 'REFUSED',
      refusal: { reasons: ['NOT_POSSIBLE_NOW'] },
    });
    expect(await facilityOf(world, 'waits-in-vain')).toMatchObject({ total: 10_000, pending: 0 });
  });

  it('another checkout of the buyer waits for the same increase, and requests none', async () => {
    const { drafted } = await underReview('waits-twice');
    const { drafted: second, visitor } = await comeAgain(drafted);
    expect(await visitor.view()).toMatchObject({ step: 'payment', credit: 'UNDER_REVIEW' });
    await pay(visitor);
    expect(await decisionsOf(drafted)).toHaveLength(1);
    // An order that fits is confirmed immediately.
    const { drafted: small, visitor: other } = await comeAgain(drafted, 5_000);
    expect(await other.view()).toMatchObject({ credit: 'OFFERED' });
    await pay(other);
    expect(await statusOf(small.id)).toBe('CONFIRMED');
    await simulate('waits-twice', 'increase');
    expect([await statusOf(drafted.id), await statusOf(second.id)]).toEqual(['CONFIRMED', 'CONFIRMED']);
  });
});

describe('a policy that knows nothing of orders', () => {
  it('sees the limit that the order needs as the requested one', async () => {
    const { db } = world.installation;
    const platformId = world.platform.platform_id;
    const file = new URL('../../../../test/fixtures/former-default-policy.json', import.meta.url);
    const graph = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof sha256Of>[0];
    const stored = { name: 'own', graph, sha256: sha256Of(graph), createdAt: 1, createdBy: 'anna' };
    const version = (await insertPolicy(db, { platformId, ...stored })) as number;
    const activated = { activatedAt: 1, activatedBy: 'anna', approvedBy: null };
    await insertActivation(db, { platformId, version, ...activated });

    const first = await firstOrder();
    expect(await facilityOf(world, first.buyer)).toMatchObject({ total: GROSS });
    const { drafted, visitor } = await comeAgain(first);
    expect(await visitor.enterDetails()).toEqual(CREDIT_DECIDED);
    await pay(visitor);
    expect(await statusOf(drafted.id)).toBe('CONFIRMED');
    expect(await facilityOf(world, first.buyer)).toMatchObject({ total: 2 * GROSS, pending: 2 * GROSS });
    expect((await decisionsOf(first)).map(({ requested }) => Number(requested))).toEqual([GROSS, 2 * GROSS]);
  });
});
