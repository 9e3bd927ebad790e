import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderExpiries } from '#modules/orders';
import { scriptedReviews } from '#modules/reviews';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor, addOverdue, auditCredit, facilityOf, setFacilityStatus } from '#test/credit';
import { makeDue } from '#test/due';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

const orderBody = <T extends object>(more: T) =>
  draftOrderBody({ payment_method: 'TRANSFER', payment_term: 'DEFER_30D', ...more });

interface ReviewSummary {
  status: string;
  reasons: string[];
  scripted_outcome: string | null;
}

describe('POST /v1/orders, of an order that a person must look at', () => {
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

  /** An order with the same external_id as its buyer. */
  const order = async (id: string, more: object = {}) => {
    await addDebtor(world, { buyer: id, totalMinor: 100_000 });
    return world.post('/v1/orders', orderBody({ external_id: id, buyer_external_id: id, ...more }));
  };
  const late = async (more: object = {}) => {
    const id = `late-${++made}`;
    await addDebtor(world, { buyer: id, totalMinor: 100_000 });
    await addOverdue(world, id, 8, 5_000);
    return world.post('/v1/orders', orderBody({ external_id: id, buyer_external_id: id, ...more }));
  };
  const casesOf = (id: string) =>
    world.sql<ReviewSummary>(
      'select status, reasons, scripted_outcome from credit_reviews where order_external_id = $1 order by opened_at',
      [id],
    );
  const makeDueUntil = (until: number) =>
    makeDue<unknown, 'facility' | 'order'>(world, [scriptedReviews, orderExpiries], until, undefined);
  const statusOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body.status;

  it('opens its review with the reasons', async () => {
    const { body } = await late();
    const [review] = await world.sql('select * from credit_reviews where order_external_id = $1', [
      body.external_id,
    ]);
    expect(review).toMatchObject({
      status: 'OPEN',
      subject: 'ORDER',
      buyer_external_id: body.buyer_external_id,
      currency: 'EUR',
      requested_minor: '11900',
      reasons: ['CURRENTLY_PAST_DUE'],
      scripted_outcome: null,
      opened_at: String(NOW),
    });
  });

  it('opens none if the order is refused, or confirmed, or prepaid', async () => {
    const refused = await late({ amount: { net: 100_001, gross: 100_001 } });
    expect(refused.status).toBe(422);
    const prepaid = await late({ payment_term: 'PREPAYMENT' });
    expect(prepaid.body.status).toBe('CONFIRMED');
    const prompt = await order('prompt');
    expect(prompt.body.status).toBe('CONFIRMED');
    for (const id of [`late-${made - 1}`, `late-${made}`, 'prompt']) expect(await casesOf(id)).toEqual([]);
  });

  it('opens one each for those that arrive together, and none for the one whose id is taken', async () => {
    const ids = Array.from({ length: 12 }, () => `late-${++made}`);
    for (const id of ids) {
      await addDebtor(world, { buyer: id, totalMinor: 100_000 });
      await addOverdue(world, id, 8, 5_000);
    }
    const replies = await Promise.all(
      ids.flatMap((id) => [
        world.post('/v1/orders', orderBody({ external_id: id, buyer_external_id: id })),
        world.post('/v1/orders', orderBody({ external_id: id, buyer_external_id: ids[0] })),
      ]),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(12);
    expect(replies.filter(({ status }) => status === 409 || status === 422)).toHaveLength(12);
    for (const id of ids) expect(await casesOf(id)).toMatchObject([{ status: 'OPEN' }]);
  });

  it.each([
    ['cancelled', (id: string) => world.post(`/v1/orders/${id}/cancel`)],
    ['expired', () => makeDueUntil(NOW + 14 * DAY)],
  ])('has its review withdrawn when it is %s', async (_, end) => {
    const { body } = await late();
    await end(body.external_id);
    expect(await casesOf(body.external_id)).toMatchObject([{ status: 'WITHDRAWN' }]);
  });

  it('keeps its review if the cancellation is refused', async () => {
    const { body } = await late();
    const headers = { 'if-match': '"7"' };
    expect((await world.post(`/v1/orders/${body.external_id}/cancel`, {}, { headers })).status).toBe(412);
    expect(await casesOf(body.external_id)).toMatchObject([{ status: 'OPEN' }]);
  });

  describe('by a script of the sandbox', () => {
    it.each([
      ['buyer-in-review', {}, 'PENDING_CONFIRMATION', null],
      ['buyer-review-then-accept', {}, 'PENDING_CONFIRMATION', 'ACCEPT'],
      ['by-mail-1', { contact_email: 'in-review@example.com' }, 'PENDING_CONFIRMATION', null],
      ['by-mail-2', { contact_email: 'Review-Then-Reject@example.com' }, 'PENDING_CONFIRMATION', 'REJECT'],
      ['by-mail-3', { contact_email: 'accepted@example.com' }, 'CONFIRMED', null],
      ['buyer_accepted', {}, 'CONFIRMED', null],
      ['buyer-low-limit', {}, 'CONFIRMED', null],
      ['reviewer', {}, 'CONFIRMED', null],
    ])('%s %j: %s', async (id, more, status, scripted_outcome) => {
      const { body } = await order(id, more);
      expect(body.status).toBe(status);
      expect(await casesOf(id)).toEqual(
        status === 'CONFIRMED' ? [] : [{ status: 'OPEN', reasons: ['SANDBOX_SCRIPT'], scripted_outcome }],
      );
    });

    it('refuses a rejected one with 422, unless it is prepaid, and stores nothing', async () => {
      const { status, body } = await order('buyer-rejected');
      expect(status).toBe(422);
      expect(body).toMatchObject({
        reason: 'PAYMENT_TERM_NOT_AVAILABLE',
        details: { payment_term: 'DEFER_30D', unavailable_reason: 'RISK' },
      });
      expect(await facilityOf(world, 'buyer-rejected')).toMatchObject({ pending: 0 });
      const prepaid = {
        external_id: 'prepaid',
        buyer_external_id: 'buyer-rejected',
        payment_term: 'PREPAYMENT',
      };
      expect((await world.post('/v1/orders', orderBody(prepaid))).body.status).toBe('CONFIRMED');
    });

    it('is accepted or rejected a day later, or rejected if the credit is gone by then', async () => {
      for (const id of ['a', 'b', 'c']) {
        const end = id === 'b' ? 'reject' : 'accept';
        await order(id, { contact_email: `review-then-${end}@example.com` });
      }
      await setFacilityStatus(world, 'c', 'FROZEN');
      await makeDueUntil(NOW + DAY - 1);
      expect(await statusOf('a')).toBe('PENDING_CONFIRMATION');
      await makeDueUntil(NOW + DAY);
      expect(await Promise.all(['a', 'b', 'c'].map(statusOf))).toEqual([
        'CONFIRMED',
        'CANCELLED',
        'CANCELLED',
      ]);
      expect((await world.get('/v1/orders/b')).body).toMatchObject({
        cancellation_reason: 'RISK',
        updated_at: NOW + DAY,
      });
      for (const id of ['a', 'b', 'c']) expect(await casesOf(id)).toMatchObject([{ status: 'DECIDED' }]);
    });
  });
});

describe('POST /v1/orders in production', () => {
  it('ignores scripts', async () => {
    const world = await createWorld({ settings: { TRADELINE_ENVIRONMENT: 'production' } });
    await world.post('/v1/merchants', merchantBody({}));
    await addDebtor(world, { buyer: 'buyer-rejected', totalMinor: 100_000 });
    const body = {
      external_id: 'o',
      buyer_external_id: 'buyer-rejected',
      contact_email: 'in-review@example.com',
    };
    expect((await world.post('/v1/orders', orderBody(body))).body.status).toBe('CONFIRMED');
    await world.close();
  });
});
