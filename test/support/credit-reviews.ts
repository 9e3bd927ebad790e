/** A world with a new buyer for each test, and what persons do there with its cases. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import {
  findReview,
  listReviewTransitions,
  openReview,
  type ReviewInput,
  recordApproval,
  recordOverrideProposal,
  recordOverrideRefusal,
  recordReviewDecision,
  withdrawReviewsOfOrders,
} from '#modules/underwriting';
import { ordinaryBuyer, recorded } from './credit-applications.ts';
import { createWorld, type World } from './world.ts';

/** 2025-11-20 12:00 UTC: when every case is opened. */
export const OPENED_AT = 1_763_640_000;

export const anna = { by: 'Anna', reason: 'Knows them well.', now: OPENED_AT + 60 };
export const jan = { by: 'Jan', reason: 'Agreed.', now: OPENED_AT + 120 };

type SimulationRequest = Partial<ReviewInput>;

/** Call it at the top of a file; what it answers is filled before each test. */
export function reviewSetup() {
  let buyers = 0;
  const setup = { world: {} as World, platformId: 0, buyer: '' };
  beforeAll(async () => {
    setup.world = await createWorld();
    setup.world.clock.set(OPENED_AT);
    setup.platformId = setup.world.platform.platform_id;
  });
  afterAll(() => setup.world.close());
  beforeEach(async () => {
    setup.buyer = `buyer-${++buyers}`;
    await setup.world.post('/v1/buyers', ordinaryBuyer(setup.world, { external_id: setup.buyer }));
  });
  const db = () => setup.world.installation.db;
  return Object.assign(setup, {
    db,
    /** A case of a referral: the policy proposed 25,000. */
    async referred(): Promise<string> {
      const { reviewId } = await recorded(setup.world, setup.buyer, { script: 'in-review' });
      if (reviewId === null) throw new Error('No case was opened.');
      return reviewId;
    },
    orderReview: (orderExternalId: string, requestedMinor: number | null = 50_000) =>
      openReview(db(), setup.platformId, {
        subject: 'ORDER',
        buyerExternalId: setup.buyer,
        orderExternalId,
        currency: 'EUR',
        requestedMinor,
        reasons: ['EXPOSURE_TOO_HIGH'],
        actor: 'key-1',
        now: OPENED_AT,
      }),
    decide: (reviewId: string, more: Partial<Parameters<typeof recordReviewDecision>[2]> = {}) =>
      inTransaction(db(), (on) =>
        recordReviewDecision(on, setup.platformId, { reviewId, outcome: 'ACCEPT', ...anna, ...more }),
      ),
    propose: (reviewId: string, limitMinor = 4_000_000, more: SimulationRequest = {}) =>
      inTransaction(db(), (on) =>
        recordOverrideProposal(on, setup.platformId, { reviewId, limitMinor, ...anna, ...more }),
      ),
    approve: (reviewId: string, more: SimulationRequest = {}) =>
      inTransaction(db(), (on) => recordApproval(on, setup.platformId, { reviewId, ...jan, ...more })),
    refuse: (reviewId: string, more: SimulationRequest = {}) =>
      inTransaction(db(), (on) => recordOverrideRefusal(on, setup.platformId, { reviewId, ...jan, ...more })),
    withdraw: (orderExternalIds: string[]) =>
      inTransaction(db(), (on) =>
        withdrawReviewsOfOrders(on, setup.platformId, orderExternalIds, {
          ...anna,
          reason: 'The order was cancelled.',
        }),
      ),
    statusOf: async (reviewId: string) => (await findReview(db(), setup.platformId, reviewId))?.status,
    triggersOf: async (reviewId: string) =>
      (await listReviewTransitions(db(), setup.platformId, reviewId)).map(({ trigger }) => trigger),
  });
}
