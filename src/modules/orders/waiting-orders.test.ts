import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentTerm } from '#kernel/payment-term';
import { facilityLifecycle } from '#modules/facilities';
import { completeCheckout } from '#modules/orders';
import {
  approveOverride,
  decideReview,
  listReviews,
  overrideRejection,
  proposeOverride,
  scriptedReviews,
} from '#modules/reviews';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { act, addOverdue, auditCredit, entriesOf, facilityOf, setLimits } from '#test/credit';
import { operate } from '#test/operator';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;
const reason = 'As I see it.';

let world: World;
let admin: string;
let buyer: string;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  admin = await world.addKey({ scopes: ['admin', 'orders:write', 'read'] });
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

/** A new buyer about whose facility a person decides. */
async function apply(script = 'in-review'): Promise<void> {
  buyer = `buyer-${++made}`;
  // Not by its name: that would send its orders to a person as well.
  await world.post('/v1/buyers', buyerBody({ external_id: buyer, contact_email: `${script}@example.com` }));
  expect((await world.post(`/v1/buyers/${buyer}/facility`, {})).body.status).toBe('PENDING');
}

beforeEach(async () => {
  world.clock.set(NOW);
  await apply();
});

const draft = (id: string, gross = 10_000, of = buyer) =>
  world.post(
    '/v1/orders/draft',
    draftOrderBody({ external_id: `${of}-${id}`, buyer_external_id: of, amount: { net: gross, gross } }),
  );

function complete(id: string, paymentTerm: PaymentTerm = 'DEFER_30D') {
  const { vault: wholeVault } = world.installation;
  const vault = wholeVault.forPlatform(world.platform.code, world.platform.data_key_wrapped);
  return act(world, (mover) =>
    completeCheckout({ ...mover, vault, isSandbox: true }, `${buyer}-${id}`, {
      paymentMethod: 'TRANSFER',
      paymentTerm,
      deliveryAddress: null,
    }),
  );
}

/** An order whose buyer has consented, and which waits. */
async function place(id: string, gross = 10_000, term: PaymentTerm = 'DEFER_30D'): Promise<void> {
  await draft(id, gross);
  expect((await complete(id, term)).status).toBe('PENDING_CONFIRMATION');
}

const order = async (id: string) => (await world.get(`/v1/orders/${buyer}-${id}`)).body;
const statusOf = async (id: string) => {
  const { status, cancellation_reason: why } = await order(id);
  return why === null ? status : `${status} ${why}`;
};
const offerOf = async (id: string) => {
  const [row] = await world.sql<{ term_offer: { fee: { gross: number }; installments: object[] } }>(
    'select term_offer from orders where external_id = $1',
    [`${buyer}-${id}`],
  );
  return row?.term_offer;
};
const lastMoveOf = async (id: string) =>
  (
    await world.sql(
      'select trigger, actor, reason from order_moves where order_external_id = $1 order by version desc limit 1',
      [`${buyer}-${id}`],
    )
  )[0];
const typesOf = async (id: string) => (await recordedEvents(world, `${buyer}-${id}`)).map(({ type }) => type);

async function reviewId(): Promise<string> {
  const query = { buyer_external_id: [buyer], status: ['OPEN'] };
  const { items } = await operate(world, listReviews, { query });
  return items[0].review_id;
}

const decide = async (outcome: 'ACCEPT' | 'REJECT', limit_amount?: number) =>
  operate(world, decideReview, {
    params: { review_id: await reviewId() },
    body: { outcome, reason, ...(limit_amount !== undefined && { limit_amount }) },
  });
const simulate = (trigger: string, more: object = {}) =>
  world.post('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger, ...more }, { key: admin });

describe('completing the checkout while a person decides about the facility', () => {
  it('places the order at the price that it has at most, and reserves nothing', async () => {
    await place('1');
    expect(await order('1')).toMatchObject({
      status: 'PENDING_CONFIRMATION',
      payment_term: 'DEFER_30D',
      expires_at: NOW + 14 * DAY,
    });
    // 2.50 % of class D.
    expect((await offerOf('1'))?.fee).toEqual({ net: 250, tax: 0, gross: 250 });
    expect(await entriesOf(world, buyer)).toEqual([]);
    expect(await typesOf('1')).toEqual(['ORDER.PENDING_CONFIRMATION']);
  });

  it('opens no case of its own', async () => {
    await place('1');
    const { items } = await operate(world, listReviews, { query: { buyer_external_id: [buyer] } });
    expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(['FACILITY_CREATION']);
  });

  it('confirms what is paid before delivery at once', async () => {
    await draft('1');
    expect((await complete('1', 'PREPAYMENT')).status).toBe('CONFIRMED');
  });

  it.each<[string, PaymentTerm, () => Promise<unknown>, string]>([
    ['a term that the dearest class has not', 'DEFER_90D', async () => {}, 'PAYMENT_TERM_NOT_AVAILABLE'],
    ['a buyer in arrears', 'DEFER_30D', () => addOverdue(world, buyer, 60, 500_000), 'BUYER_OVERDUE'],
  ])('refuses %s', async (_, term, prepare, refused) => {
    await draft('1');
    await prepare();
    await expect(complete('1', term)).rejects.toMatchObject({ reason: refused });
    expect(await statusOf('1')).toBe('DRAFT');
  });

  it('refuses an order in another currency than the facility was asked for in', async () => {
    await world.sql("update facilities set currency = 'GBP' where buyer_external_id = $1", [buyer]);
    await draft('1');
    await expect(complete('1')).rejects.toMatchObject({ reason: 'FACILITY_CURRENCY_CONFLICT' });
  });

  it('is refused once the facility was, as it is without one', async () => {
    await decide('REJECT');
    await draft('1');
    await expect(complete('1')).rejects.toMatchObject({ reason: 'NO_ACTIVE_FACILITY' });
  });

  it('leaves orders that a platform sends whole as they were: refused', async () => {
    const chosen = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    const sent = draftOrderBody({ external_id: `${buyer}-whole`, buyer_external_id: buyer, ...chosen });
    expect((await world.post('/v1/orders', sent)).body.reason).toBe('NO_ACTIVE_FACILITY');
  });
});

/** Every way in which a facility that waits is decided, with who decides it, and what the orders' history says of it. */
const WAYS: [way: string, outcome: 'grant' | 'reject', actor: string, decided: () => Promise<unknown>][] = [
  ['a person accepts', 'grant', 'operator', () => decide('ACCEPT')],
  ['a person rejects', 'reject', 'operator', () => decide('REJECT')],
  [
    'two persons grant more than the policy did',
    'grant',
    'operator',
    async () => {
      const params = { review_id: await reviewId() };
      await operate(world, proposeOverride, { params, body: { limit_amount: 9_000_000, reason } });
      expect(await statusOf('1')).toBe('PENDING_CONFIRMATION');
      await operate(world, approveOverride, { params, body: { reason } }, 'jan');
    },
  ],
  ['a simulator grants', 'grant', 'sandbox', () => simulate('grant')],
  ['a simulator rejects', 'reject', 'sandbox', () => simulate('reject')],
];

describe('the decision about the facility', () => {
  it.each(WAYS)('settles what waits for it: %s', async (_, outcome, actor, decided) => {
    await place('1');
    await place('2');
    await decided();
    const isGranted = outcome === 'grant';
    for (const id of ['1', '2']) {
      expect(await statusOf(id)).toBe(isGranted ? 'CONFIRMED' : 'CANCELLED RISK');
      expect((await typesOf(id)).at(-1)).toBe(isGranted ? 'ORDER.CONFIRMED' : 'ORDER.CANCELLED');
      const move = await lastMoveOf(id);
      expect(move).toMatchObject({ trigger: isGranted ? 'confirm' : 'decline' });
      expect(move?.actor).toContain(actor);
    }
    const { status, pending } = await facilityOf(world, buyer);
    expect({ status, pending }).toEqual(
      isGranted ? { status: 'ACTIVE', pending: 20_000 } : { status: 'REJECTED', pending: 0 },
    );
  });

  it.each([
    ['accepts', 'review-then-accept', 'CONFIRMED'],
    ['rejects', 'review-then-reject', 'CANCELLED RISK'],
  ])('settles what waits for it: a script %s a day later', async (_, script, status) => {
    await apply(script);
    await place('1');
    const { db } = world.installation;
    const { platform_id: platformId } = world.platform;
    const due = await scriptedReviews.findNext(db, platformId, NOW + DAY);
    if (!due) throw new Error('Nothing is due.');
    await scriptedReviews.make(db, platformId, due, undefined);
    expect(await statusOf('1')).toBe(status);
    expect(await lastMoveOf('1')).toMatchObject({ actor: 'sandbox' });
  });

  it('settles what waits for it: two persons override a refusal from before the buyer applied again', async () => {
    buyer = `again-${++made}`;
    const body = buyerBody({ external_id: buyer, contact_email: 'rejected@example.com' });
    await world.post('/v1/buyers', body);
    expect((await world.post(`/v1/buyers/${buyer}/facility`, {})).body.status).toBe('REJECTED');
    const { review_id } = await operate(world, overrideRejection, {
      params: { buyer_external_id: buyer },
      body: { limit_amount: 70_000, reason },
    });
    const { external_id: _, ...rest } = { ...body, contact_email: 'in-review@example.com' };
    await world.put(`/v1/buyers/${buyer}`, { ...rest, business_identifiers: [] });
    expect((await world.post(`/v1/buyers/${buyer}/facility`, {})).body.status).toBe('PENDING');
    await place('1');
    await operate(world, approveOverride, { params: { review_id }, body: { reason } }, 'jan');
    expect(await statusOf('1')).toBe('CONFIRMED');
  });

  it('can be no other than these two', () => {
    const moves = facilityLifecycle.moves.filter(({ from }) => from === 'PENDING');
    expect(moves.map(({ trigger }) => trigger)).toEqual(['grant', 'reject']);
  });

  it('confirms the oldest orders first, and declines what the limit cannot bear', async () => {
    for (const [second, [id, gross]] of Object.entries([
      ['late', 6_000],
      ['early', 8_000],
      ['small', 1_500],
    ] as const)) {
      world.clock.set(NOW - Number(second));
      await draft(id, gross);
    }
    world.clock.set(NOW);
    for (const id of ['late', 'early', 'small']) await complete(id);
    await simulate('grant', { total_amount: 10_000 });
    expect(await statusOf('small')).toBe('CONFIRMED');
    expect(await statusOf('early')).toBe('CONFIRMED');
    expect(await statusOf('late')).toBe('CANCELLED RISK');
    expect(await lastMoveOf('late')).toMatchObject({
      reason: 'The facility has 500 left and 6000 was asked for',
    });
    expect(await entriesOf(world, buyer)).toEqual([
      `ORDER_RESERVED ${buyer}-small pending 1500 used 0`,
      `ORDER_RESERVED ${buyer}-early pending 8000 used 0`,
    ]);
  });

  it('prices the term by the class that was granted, and keeps the days that were agreed on', async () => {
    await place('1');
    const agreed = await offerOf('1');
    world.clock.set(NOW + 5 * DAY);
    await simulate('grant');
    // 1.10 % of class B.
    expect(await offerOf('1')).toEqual({ ...agreed, fee: { net: 110, tax: 0, gross: 110 } });
    expect(agreed?.installments).toMatchObject([{ due_at: NOW + 30 * DAY }]);
    expect(await order('1')).toMatchObject({
      ordered_at: NOW,
      expires_at: NOW + 35 * DAY,
      updated_at: NOW + 5 * DAY,
    });
  });

  it('never makes the term dearer than was agreed', async () => {
    await place('1');
    const agreed = await offerOf('1');
    const dear = { tax_basis_points: 0, fee_basis_points: { A: {}, B: { DEFER_30D: 900 }, C: {}, D: {} } };
    await setLimits(world, { price_table: JSON.stringify(dear) }, buyer);
    await simulate('grant');
    expect(await statusOf('1')).toBe('CONFIRMED');
    expect(await offerOf('1')).toEqual(agreed);
  });

  it('declines an order whose term is not offered any more', async () => {
    await place('1');
    await world.sql('update platforms set max_payment_term = 14');
    await simulate('grant');
    await world.sql('update platforms set max_payment_term = 120');
    expect(await statusOf('1')).toBe('CANCELLED RISK');
    expect(await facilityOf(world, buyer)).toMatchObject({ status: 'ACTIVE', pending: 0 });
  });

  it('reserves nothing where only invoices count', async () => {
    await setLimits(world, { counts: 'INVOICES' }, buyer);
    await place('1');
    await simulate('grant');
    expect(await statusOf('1')).toBe('CONFIRMED');
    expect(await facilityOf(world, buyer)).toMatchObject({ pending: 0 });
  });

  it('leaves orders alone that were cancelled or have expired, and those of others', async () => {
    await place('1');
    await world.post(`/v1/orders/${buyer}-1/cancel`, { reason: 'BUYER' });
    await draft('2');
    const first = buyer;
    await apply();
    await place('1');
    buyer = first;
    await simulate('grant');
    expect(await statusOf('1')).toBe('CANCELLED BUYER');
    expect(await statusOf('2')).toBe('DRAFT');
    buyer = `buyer-${made}`;
    expect(await statusOf('1')).toBe('PENDING_CONFIRMATION');
  });

  it('cannot be taken before it is made', async () => {
    await place('1');
    const wish = { external_id: `${buyer}-1`, trigger: 'confirm' };
    const { status, body } = await world.post('/v1/sandbox/orders', wish, { key: admin });
    expect({ status, reason: body.reason }).toEqual({ status: 422, reason: 'NO_ACTIVE_FACILITY' });
    expect(await statusOf('1')).toBe('PENDING_CONFIRMATION');
  });

  it('finds every order, however close to it the checkout was completed', async () => {
    for (let round = 0; round < 10; round++) {
      await apply();
      await Promise.all(['1', '2', '3'].map((id) => draft(id)));
      await Promise.all([decide('ACCEPT'), ...['1', '2', '3'].map((id) => complete(id))]);
      const statuses = await Promise.all(['1', '2', '3'].map(statusOf));
      expect(statuses).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
      expect(await facilityOf(world, buyer)).toMatchObject({ pending: 30_000 });
    }
  });
});
