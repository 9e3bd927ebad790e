/** A world with a new buyer for each test, and what persons do there with its cases. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { inTransaction } from '#infra/transaction';
import {
  approveOverride,
  decideReview,
  findReview,
  listReviewMoves,
  openReview,
  proposeOverride,
  type ReviewWish,
  refuseOverride,
  withdrawReviewsOfOrders,
} from '#modules/underwriting';
import { ordinaryBuyer, recorded } from './credit-applications.ts';
import { createWorld, type World } from './world.ts';

/** 2025-11-20 12:00 UTC: when every case is opened. */
export const OPENED_AT = 1_763_640_000;

export const anna = { by: 'Anna', reason: 'Knows them well.', now: OPENED_AT + 60 };
export const jan = { by: 'Jan', reason: 'Agreed.', now: OPENED_AT + 120 };

type Wish = Partial<ReviewWish>;

/** Call it at the top of a file; what it answers is filled before each test. */
export function reviewDesk() {
  let buyers = 0;
  const desk = { world: {} as World, platformId: 0, buyer: '' };
  beforeAll(async () => {
    desk.world = await createWorld();
    desk.world.clock.set(OPENED_AT);
    desk.platformId = desk.world.platform.platform_id;
  });
  afterAll(() => desk.world.close());
  beforeEach(async () => {
    desk.buyer = `buyer-${++buyers}`;
    await desk.world.post('/v1/buyers', ordinaryBuyer(desk.world, { external_id: desk.buyer }));
  });
  const db = () => desk.world.installation.db;
  return Object.assign(desk, {
    db,
    /** A case of a referral: the policy proposed 25,000. */
    async referred(): Promise<string> {
      const { reviewId } = await recorded(desk.world, desk.buyer, { script: 'in-review' });
      if (reviewId === null) throw new Error('No case was opened.');
      return reviewId;
    },
    orderReview: (orderExternalId: string, requestedMinor: number | null = 50_000) =>
      openReview(db(), desk.platformId, {
        subject: 'ORDER',
        buyerExternalId: desk.buyer,
        orderExternalId,
        currency: 'EUR',
        requestedMinor,
        reasons: ['EXPOSURE_TOO_HIGH'],
        actor: 'key-1',
        now: OPENED_AT,
      }),
    decide: (reviewId: string, more: Partial<Parameters<typeof decideReview>[2]> = {}) =>
      inTransaction(db(), (on) =>
        decideReview(on, desk.platformId, { reviewId, outcome: 'ACCEPT', ...anna, ...more }),
      ),
    propose: (reviewId: string, limitMinor = 4_000_000, more: Wish = {}) =>
      inTransaction(db(), (on) =>
        proposeOverride(on, desk.platformId, { reviewId, limitMinor, ...anna, ...more }),
      ),
    approve: (reviewId: string, more: Wish = {}) =>
      inTransaction(db(), (on) => approveOverride(on, desk.platformId, { reviewId, ...jan, ...more })),
    refuse: (reviewId: string, more: Wish = {}) =>
      inTransaction(db(), (on) => refuseOverride(on, desk.platformId, { reviewId, ...jan, ...more })),
    withdraw: (orderExternalIds: string[]) =>
      inTransaction(db(), (on) =>
        withdrawReviewsOfOrders(on, desk.platformId, orderExternalIds, {
          ...anna,
          reason: 'The order was cancelled.',
        }),
      ),
    statusOf: async (reviewId: string) => (await findReview(db(), desk.platformId, reviewId))?.status,
    triggersOf: async (reviewId: string) =>
      (await listReviewMoves(db(), desk.platformId, reviewId)).map(({ trigger }) => trigger),
  });
}
