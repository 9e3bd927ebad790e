/** Two persons decide about one financing at the same time. */
import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/problem';
import { facilityOf } from '#test/facilities';
import { financingReviews } from '#test/financing-reviews';

const REFUSED = 'INVALID_STATUS_TRANSITION';
const room = financingReviews('ALWAYS');

describe('at once', () => {
  it('a decision and a cancellation agree, whichever is first', async () => {
    const { used_amount } = await facilityOf(room.world, 'buyer');
    for (let round = 0; round < 8; round++) {
      const { invoice, service } = await room.request();
      const review = await room.reviewOf(service);
      const [decided, cancelled] = await Promise.all([
        room.decide(review, 'ACCEPT').catch((problem: Problem) => problem),
        room.world.post(`/v1/invoices/${invoice}/services/FINANCING/cancel`),
      ]);
      expect(cancelled.status).toBe(200);
      expect((await room.financingOf(invoice)).status).toBe('CANCELLED');
      const [{ status }] = await room.reviewsOf(service);
      if (decided instanceof Problem) expect([decided.reason, status]).toEqual([REFUSED, 'WITHDRAWN']);
      else expect(status).toBe('DECIDED');
    }
    expect((await facilityOf(room.world, 'buyer')).used_amount).toBe(used_amount);
  });

  it('of two operators one decides', async () => {
    const { invoice, service } = await room.request();
    const review = await room.reviewOf(service);
    const outcomes = await Promise.all(
      [room.decide(review, 'ACCEPT'), room.decide(review, 'REJECT', {}, 'ben')].map((work) =>
        work.catch((problem: Problem) => problem),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome instanceof Problem);
    expect(refused.map(({ reason }) => reason)).toEqual([REFUSED]);
    const [{ outcome }] = await room.reviewsOf(service);
    expect((await room.financingOf(invoice)).status).toBe(outcome === 'ACCEPT' ? 'ACCEPTED' : 'REJECTED');
  });
});
