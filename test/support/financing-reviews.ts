/** A world in which a person decides financings. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { approveOverride, decideReview, listReviews, proposeOverride } from '#modules/reviews';
import { auditBooks } from './books-audit.ts';
import {
  addFinanceableInvoice,
  addFinancedParties,
  DAY,
  FINANCING_STARTS,
  requestFinancing,
} from './financing.ts';
import { operatorOf } from './operator.ts';
import { createWorld, type World } from './world.ts';

export const REVIEWED_GROSS = 11_900;
/** The requirement of a financing until a person has accepted it. */
export const FIRST_A_PERSON = {
  code: 'INVOICE_INELIGIBLE',
  description: 'A person must accept the financing first.',
};

type Operator = 'ada' | 'ben';
type Which = 'NEVER' | 'UNREADABLE_FILES' | 'ALWAYS';

/** Call it at the top of a file. Each test begins with a platform on which a person decides these financings. */
export function financingReviews(which: Which) {
  const room = { world: {} as World };
  let made = 0;
  beforeAll(async () => {
    room.world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    room.world.clock.set(FINANCING_STARTS);
    await addFinancedParties(room.world);
  });
  afterAll(async () => {
    expect(await auditBooks(room.world)).toEqual([]);
    await room.world.close();
  });
  const review = async (which: Which) => {
    await room.world.sql('update platforms set financing_review = $1', [which]);
  };
  beforeEach(() => review(which));
  const as = (who: Operator) => operatorOf(room.world, who);
  const now = async (): Promise<number> => (await room.world.get('/v1/sandbox/clock')).body.now;
  const reviewsOf = async (service: string) =>
    (await as('ada')(listReviews, { query: { service_external_id: [service] } })).items;
  return Object.assign(room, {
    review,
    now,
    reviewsOf,
    nextInvoice: () => `invoice-${++made}`,
    /** Makes the schedule run everything due within these seconds. */
    async pass(advance_seconds: number): Promise<void> {
      expect((await room.world.post('/v1/sandbox/clock', { advance_seconds })).status).toBe(200);
    },
    /** Requests the financing of a new invoice. */
    async request(more: object = {}) {
      const invoice = `invoice-${++made}`;
      const due_at = (await now()) + 60 * DAY;
      await addFinanceableInvoice(room.world, { external_id: invoice, due_at, ...more });
      const { status, body } = await requestFinancing(room.world, invoice);
      expect(status).toBe(201);
      return { invoice, service: body.external_id as string, body };
    },
    /** The open review of a service. */
    async reviewOf(service: string): Promise<string> {
      const reviews = await reviewsOf(service);
      const open = reviews.filter(({ status }: { status: string }) => status === 'OPEN');
      expect(open).toHaveLength(1);
      return open[0].review_id;
    },
    statusesOf: async (service: string) =>
      (await reviewsOf(service)).map(({ status }: { status: string }) => status).sort(),
    financingOf: async (invoice: string) =>
      (await room.world.get(`/v1/invoices/${invoice}/services/FINANCING`)).body,
    decide: (review_id: string, outcome: 'ACCEPT' | 'REJECT', more: object = {}, by: Operator = 'ada') =>
      as(by)(decideReview, {
        params: { review_id },
        body: { outcome, reason: 'Called the buyer.', ...more },
      }),
    propose: (review_id: string, limit_amount: number) =>
      as('ada')(proposeOverride, { params: { review_id }, body: { limit_amount, reason: 'All of it.' } }),
    approve: (review_id: string, by: Operator) =>
      as(by)(approveOverride, { params: { review_id }, body: { reason: 'Agreed.' } }),
  });
}
