/**
 * A platform invites a buyer of which it has only an e-mail address. The buyer finds its company in the registry, orders on
 * credit while a person reviews the company, and gets the answer a day later.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { type CheckoutWorld, createCheckout, type Drafted, type Visitor, visit } from '#test/checkout';
import { auditCredit, facilityOf } from '#test/credit';
import { registryEntry } from '#test/registry-entry';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const DAY = 86_400;
const DONE = { kind: 'DONE' };

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
  await writeCompanies(world.installation.db, [registryEntry({})], world.clock.now());
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

const eventsOf = async (id: string) => (await recordedEvents(world, id)).map(({ type }) => type);

async function orderedAs(local: string): Promise<{ drafted: Drafted; visitor: Visitor }> {
  const drafted = await checkout.draft();
  const visitor = await visit(checkout, drafted.token);
  const found = await checkout.forms.searchCompanies(visitor.sender(), {
    country: 'DE',
    query: 'nordlicht energie',
  });
  const businessId = found?.found[0]?.businessId ?? '';
  expect(await visitor.send((forms, sender) => forms.chooseCompany(sender, businessId))).toEqual(DONE);
  expect(await visitor.enterDetails({ person: { email: `${local}@nordlicht.example` } })).toEqual({
    kind: 'CREDIT_DECIDED',
  });
  expect(await visitor.view()).toMatchObject({
    step: 'payment',
    credit: 'UNDER_REVIEW',
    offers: expect.arrayContaining([
      expect.objectContaining({ payment_term: 'PREPAYMENT', isUpTo: false }),
      // 2.50 % of 119.00, rounded half to even: the price of the most expensive class.
      expect.objectContaining({
        payment_term: 'DEFER_30D',
        isUpTo: true,
        fee: { net: 298, tax: 0, gross: 298 },
      }),
    ]),
  });
  expect(await visitor.choosePayment('DEFER_30D')).toEqual(DONE);
  expect(await visitor.placeOrder()).toEqual(DONE);
  expect(await visitor.view()).toMatchObject({
    step: 'outcome',
    outcome: 'UNDER_REVIEW',
    agreed: { fee: { gross: 298 } },
    notifiedEmail: `${local}@nordlicht.example`,
    isCancellable: true,
  });
  expect(await facilityOf(world, drafted.buyer)).toMatchObject({ status: 'PENDING', pending: 0 });
  return { drafted, visitor };
}

describe('An invited buyer orders while its credit is reviewed', () => {
  it('and has the order confirmed as soon as the credit is granted, for no more than was shown', async () => {
    const { drafted, visitor } = await orderedAs('review-then-accept');
    expect((await world.post('/v1/sandbox/clock', { advance_seconds: DAY })).status).toBe(200);
    expect(await checkout.forms.statusOf(drafted.token)).toMatchObject({ outcome: 'CONFIRMED' });
    const view = await visitor.view();
    expect(view).toMatchObject({ step: 'outcome', outcome: 'CONFIRMED', isCancellable: false });
    expect(view.agreed?.fee.gross).toBeLessThanOrEqual(298);
    expect(await eventsOf(drafted.id)).toEqual(['ORDER.PENDING_CONFIRMATION', 'ORDER.CONFIRMED']);
    expect(await eventsOf(drafted.buyer)).toEqual([
      'BUYER.CREATED',
      'BUYER.UPDATED',
      'FACILITY.CREATION.IN_REVIEW',
      'FACILITY.CREATION.ACCEPTED',
    ]);
    expect(await facilityOf(world, drafted.buyer)).toMatchObject({ status: 'ACTIVE', pending: 11_900 });
  });

  it('or refused, with nothing to pay', async () => {
    const { drafted, visitor } = await orderedAs('review-then-reject');
    await world.post('/v1/sandbox/clock', { advance_seconds: DAY });
    expect(await visitor.view()).toMatchObject({ step: 'outcome', outcome: 'REFUSED', isCancellable: false });
    expect((await world.get(`/v1/orders/${drafted.id}`)).body).toMatchObject({
      status: 'CANCELLED',
      cancellation_reason: 'RISK',
    });
    expect(await eventsOf(drafted.id)).toEqual(['ORDER.PENDING_CONFIRMATION', 'ORDER.CANCELLED']);
  });

  it('or cancelled by the buyer, which the decision then leaves so', async () => {
    const { drafted, visitor } = await orderedAs('review-then-accept');
    expect(await visitor.send((forms, sender) => forms.cancelOrder(sender))).toEqual(DONE);
    await world.post('/v1/sandbox/clock', { advance_seconds: DAY });
    expect((await visitor.view()).outcome).toBe('CANCELLED');
    expect(await eventsOf(drafted.id)).toEqual(['ORDER.PENDING_CONFIRMATION', 'ORDER.CANCELLED']);
    expect(await facilityOf(world, drafted.buyer)).toMatchObject({ status: 'ACTIVE', pending: 0 });
  });
});
