import { describe, expect, it } from 'vitest';
import type { PaymentTerm } from '#kernel/payment-term';
import { listReviews } from '#modules/reviews';
import { draftOrderBody } from '#test/bodies';
import { addOverdue, entriesOf } from '#test/credit';
import { operate } from '#test/operator';
import { NOW, waitingRoom } from '#test/pending-review-world';

const DAY = 86_400;

const room = waitingRoom();

describe('completing the checkout while a person decides about the facility', () => {
  it('places the order at the price that it has at most, and reserves nothing', async () => {
    await room.at('1');
    expect(await room.order('1')).toMatchObject({
      status: 'PENDING_CONFIRMATION',
      payment_term: 'DEFER_30D',
      expires_at: NOW + 14 * DAY,
    });
    // 2.50 % of class D.
    expect((await room.offerOf('1'))?.fee).toEqual({ net: 250, tax: 0, gross: 250 });
    expect(await entriesOf(room.world, room.buyer)).toEqual([]);
    expect(await room.typesOf('1')).toEqual(['ORDER.PENDING_CONFIRMATION']);
  });

  it('opens no review of the order', async () => {
    await room.at('1');
    const { items } = await operate(room.world, listReviews, { query: { buyer_external_id: [room.buyer] } });
    expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(['FACILITY_CREATION']);
  });

  it('confirms what is paid before delivery at once', async () => {
    await room.draft('1');
    expect((await room.complete('1', 'PREPAYMENT')).status).toBe('CONFIRMED');
  });

  it.each<[string, PaymentTerm, () => Promise<unknown>, string]>([
    ['a term that the dearest class has not', 'DEFER_90D', async () => {}, 'PAYMENT_TERM_NOT_AVAILABLE'],
    [
      'a buyer in arrears',
      'DEFER_30D',
      () => addOverdue(room.world, room.buyer, 60, 500_000),
      'BUYER_OVERDUE',
    ],
  ])('refuses %s', async (_, term, prepare, refused) => {
    await room.draft('1');
    await prepare();
    await expect(room.complete('1', term)).rejects.toMatchObject({ reason: refused });
    expect(await room.statusOf('1')).toBe('DRAFT');
  });

  it('refuses an order in another currency than the requested facility', async () => {
    await room.world.sql("update facilities set currency = 'GBP' where buyer_external_id = $1", [room.buyer]);
    await room.draft('1');
    await expect(room.complete('1')).rejects.toMatchObject({ reason: 'FACILITY_CURRENCY_CONFLICT' });
  });

  it('is refused after the facility was rejected, as without a facility', async () => {
    await room.decide('REJECT');
    await room.draft('1');
    await expect(room.complete('1')).rejects.toMatchObject({ reason: 'NO_ACTIVE_FACILITY' });
  });

  it('still refuses complete orders from the platform', async () => {
    const chosen = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    const sent = draftOrderBody({
      external_id: `${room.buyer}-whole`,
      buyer_external_id: room.buyer,
      ...chosen,
    });
    expect((await room.world.post('/v1/orders', sent)).body.reason).toBe('NO_ACTIVE_FACILITY');
  });
});
