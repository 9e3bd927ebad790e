import { describe, expect, it } from 'vitest';
import { facilityLifecycle } from '#modules/facilities';
import { approveOverride, overrideRejection, proposeOverride, scriptedReviews } from '#modules/reviews';
import { buyerBody } from '#test/bodies';
import { entriesOf, facilityOf, setLimits } from '#test/credit';
import { makeDue } from '#test/due';
import { operate } from '#test/operator';
import { NOW, reason, waitingRoom } from '#test/pending-review-world';

const DAY = 86_400;

const room = waitingRoom();

/** Every way in which a waiting facility is decided, with who decides it and the entry in the orders' history. */
const WAYS: [way: string, outcome: 'grant' | 'reject', actor: string, decided: () => Promise<unknown>][] = [
  ['a person accepts', 'grant', 'operator', () => room.decide('ACCEPT')],
  ['a person rejects', 'reject', 'operator', () => room.decide('REJECT')],
  [
    'two persons grant more than the policy did',
    'grant',
    'operator',
    async () => {
      const params = { review_id: await room.reviewId() };
      await operate(room.world, proposeOverride, { params, body: { limit_amount: 9_000_000, reason } });
      expect(await room.statusOf('1')).toBe('PENDING_CONFIRMATION');
      await operate(room.world, approveOverride, { params, body: { reason } }, 'jan');
    },
  ],
  ['a simulator grants', 'grant', 'sandbox', () => room.simulate('grant')],
  ['a simulator rejects', 'reject', 'sandbox', () => room.simulate('reject')],
];

describe('the decision about the facility', () => {
  it.each(WAYS)('settles what waits for it: %s', async (_, outcome, actor, decided) => {
    await room.at('1');
    await room.at('2');
    await decided();
    const isGranted = outcome === 'grant';
    for (const id of ['1', '2']) {
      expect(await room.statusOf(id)).toBe(isGranted ? 'CONFIRMED' : 'CANCELLED RISK');
      expect((await room.typesOf(id)).at(-1)).toBe(isGranted ? 'ORDER.CONFIRMED' : 'ORDER.CANCELLED');
      const transition = await room.lastTransitionOf(id);
      expect(transition).toMatchObject({ trigger: isGranted ? 'confirm' : 'decline' });
      expect(transition?.actor).toContain(actor);
    }
    const { status, pending } = await facilityOf(room.world, room.buyer);
    expect({ status, pending }).toEqual(
      isGranted ? { status: 'ACTIVE', pending: 20_000 } : { status: 'REJECTED', pending: 0 },
    );
  });

  it.each([
    ['accepts', 'review-then-accept', 'CONFIRMED'],
    ['rejects', 'review-then-reject', 'CANCELLED RISK'],
  ])('settles what waits for it: a script %s a day later', async (_, script, status) => {
    await room.apply(script);
    await room.at('1');
    expect(await makeDue(room.world, [scriptedReviews], NOW + DAY, undefined)).toHaveLength(1);
    expect(await room.statusOf('1')).toBe(status);
    expect(await room.lastTransitionOf('1')).toMatchObject({ actor: 'sandbox' });
  });

  it('settles what waits for it: two persons override a refusal from before the buyer applied again', async () => {
    await room.apply('rejected', 'REJECTED');
    const { review_id } = await operate(room.world, overrideRejection, {
      params: { buyer_external_id: room.buyer },
      body: { limit_amount: 70_000, reason },
    });
    const { external_id: _, ...body } = buyerBody({ contact_email: 'in-review@example.com' });
    await room.world.put(`/v1/buyers/${room.buyer}`, { ...body, business_identifiers: [] });
    expect((await room.applyAgain()).status).toBe('PENDING');
    await room.at('1');
    await operate(room.world, approveOverride, { params: { review_id }, body: { reason } }, 'jan');
    expect(await room.statusOf('1')).toBe('CONFIRMED');
  });

  it('can be no other than these two', () => {
    const transitions = facilityLifecycle.transitions.filter(({ from }) => from === 'PENDING');
    expect(transitions.map(({ trigger }) => trigger)).toEqual(['grant', 'reject']);
  });

  it('confirms the oldest orders first, and declines those above the limit', async () => {
    for (const [second, [id, gross]] of Object.entries([
      ['late', 6_000],
      ['early', 8_000],
      ['small', 1_500],
    ] as const)) {
      room.world.clock.set(NOW - Number(second));
      await room.draft(id, gross);
    }
    room.world.clock.set(NOW);
    for (const id of ['late', 'early', 'small']) await room.complete(id);
    await room.simulate('grant', { total_amount: 10_000 });
    expect(await room.statusOf('small')).toBe('CONFIRMED');
    expect(await room.statusOf('early')).toBe('CONFIRMED');
    expect(await room.statusOf('late')).toBe('CANCELLED RISK');
    expect(await room.lastTransitionOf('late')).toMatchObject({
      reason: 'The facility has 500 available and 6000 was requested',
    });
    expect(await entriesOf(room.world, room.buyer)).toEqual([
      `ORDER_RESERVED ${room.buyer}-small pending 1500 used 0`,
      `ORDER_RESERVED ${room.buyer}-early pending 8000 used 0`,
    ]);
  });

  it('prices the term by the class that was granted, and keeps the days that were agreed on', async () => {
    await room.at('1');
    const agreed = await room.offerOf('1');
    room.world.clock.set(NOW + 5 * DAY);
    await room.simulate('grant');
    // 1.10 % of class B.
    expect(await room.offerOf('1')).toEqual({ ...agreed, fee: { net: 110, tax: 0, gross: 110 } });
    expect(agreed?.installments).toMatchObject([{ due_at: NOW + 30 * DAY }]);
    expect(await room.order('1')).toMatchObject({
      ordered_at: NOW,
      expires_at: NOW + 35 * DAY,
      updated_at: NOW + 5 * DAY,
    });
  });

  it('never makes the term dearer than was agreed', async () => {
    await room.at('1');
    const agreed = await room.offerOf('1');
    const dear = { tax_basis_points: 0, fee_basis_points: { A: {}, B: { DEFER_30D: 900 }, C: {}, D: {} } };
    await setLimits(room.world, { price_table: dear }, room.buyer);
    await room.simulate('grant');
    expect(await room.statusOf('1')).toBe('CONFIRMED');
    expect(await room.offerOf('1')).toEqual(agreed);
  });

  it('declines an order whose term is not offered any more', async () => {
    await room.at('1');
    await room.world.sql('update platforms set max_payment_term = 14');
    await room.simulate('grant');
    await room.world.sql('update platforms set max_payment_term = 120');
    expect(await room.statusOf('1')).toBe('CANCELLED RISK');
    expect(await facilityOf(room.world, room.buyer)).toMatchObject({ status: 'ACTIVE', pending: 0 });
  });

  it('reserves nothing if only invoices count', async () => {
    await setLimits(room.world, { counts: 'INVOICES' }, room.buyer);
    await room.at('1');
    await room.simulate('grant');
    expect(await room.statusOf('1')).toBe('CONFIRMED');
    expect(await facilityOf(room.world, room.buyer)).toMatchObject({ pending: 0 });
  });

  it('leaves orders alone that were cancelled or have expired, and those of others', async () => {
    await room.at('1');
    await room.world.post(`/v1/orders/${room.buyer}-1/cancel`, { reason: 'BUYER' });
    await room.draft('2');
    await room.at('3');
    const expiry = { external_id: `${room.buyer}-3`, trigger: 'expire' };
    await room.world.post('/v1/sandbox/orders', expiry, { key: room.admin });
    const { buyer } = room;
    await room.apply();
    await room.at('1');
    const { buyer: other } = room;
    room.buyer = buyer;
    await room.simulate('grant');
    expect(await room.statusOf('1')).toBe('CANCELLED BUYER');
    expect(await room.statusOf('2')).toBe('DRAFT');
    expect(await room.statusOf('3')).toBe('EXPIRED');
    room.buyer = other;
    expect(await room.statusOf('1')).toBe('PENDING_CONFIRMATION');
  });

  it('cannot be taken before it is made', async () => {
    await room.at('1');
    const options = { external_id: `${room.buyer}-1`, trigger: 'confirm' };
    const { status, body } = await room.world.post('/v1/sandbox/orders', options, { key: room.admin });
    expect({ status, reason: body.reason }).toEqual({ status: 422, reason: 'NO_ACTIVE_FACILITY' });
    expect(await room.statusOf('1')).toBe('PENDING_CONFIRMATION');
  });

  it('finds every order, however close to it the checkout was completed', async () => {
    for (let round = 0; round < 10; round++) {
      await room.apply();
      await Promise.all(['1', '2', '3'].map((id) => room.draft(id)));
      await Promise.all([room.decide('ACCEPT'), ...['1', '2', '3'].map((id) => room.complete(id))]);
      const statuses = await Promise.all(['1', '2', '3'].map(room.statusOf));
      expect(statuses).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
      expect(await facilityOf(room.world, room.buyer)).toMatchObject({ pending: 30_000 });
    }
  });
});
