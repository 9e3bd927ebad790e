/** A world with a new buyer for each test, and the actions of persons on its reviews. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import {
  findReview,
  listReviewTransitions,
  openReview,
  withdrawReviewsOfOrders,
} from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import {
  approve,
  type DecidedReview,
  decide,
  propose,
  refuse,
} from '../../src/modules/reviews/review.commands.ts';
import { listDecisionsOfBuyer } from '../../src/modules/underwriting/decision.queries.ts';
import { addOrdinaryBuyer, recorded } from './credit-applications.ts';
import { ensureOperator } from './operators.ts';
import { createWorld, type World } from './world.ts';

/** 2025-11-20 12:00 UTC: when every review is opened. */
export const OPENED_AT = 1_763_640_000;

export const anna = { actor: 'operator:anna', reason: 'Knows them well.', now: OPENED_AT + 60 };
export const jan = { actor: 'operator:jan', reason: 'Agreed.', now: OPENED_AT + 120 };

/** The person, reason and instant of an action; on the world's platform by default. */
type Person = typeof anna & { platformId?: number };
type Decision = { outcome: 'ACCEPT' | 'REJECT'; limitMinor?: number | null };

/** Every review but that of an insolvency records a decision. */
async function withDecision(decided: Promise<DecidedReview>) {
  const { decision, ...others } = await decided;
  if (decision === null) throw new Error('No decision was recorded.');
  return { ...others, decision };
}

/** Call it at the top of a file. The returned object is filled before each test. */
export function reviewSetup() {
  let buyers = 0;
  const setup = { world: {} as World, platformId: 0, buyer: '' };
  beforeAll(async () => {
    setup.world = await createWorld();
    setup.world.clock.set(OPENED_AT);
    setup.platformId = setup.world.platform.platform_id;
    for (const id of ['anna', 'jan', 'eva', 'olu']) await ensureOperator(setup.world, id);
  });
  afterAll(() => setup.world.close());
  beforeEach(async () => {
    setup.buyer = `buyer-${++buyers}`;
    await addOrdinaryBuyer(setup.world, setup.buyer);
  });
  const db = () => setup.world.installation.db;
  const asPerson = <T>(
    { actor, now, reason, platformId = setup.platformId }: Person,
    work: (context: ChangeContext, reason: string) => Promise<T>,
  ): Promise<T> => inTransaction(db(), (on) => work({ db: on, platformId, actor, now }, reason));
  return Object.assign(setup, {
    db,
    /** The review of a referral: the policy proposed 30,000. */
    async referred(): Promise<string> {
      const { reviewId } = await recorded(setup.world, setup.buyer, { script: 'in-review' });
      if (reviewId === null) throw new Error('No review was opened.');
      return reviewId;
    },
    orderReview: (orderExternalId: string, requestedMinor: number | null = 50_000) =>
      openReview(
        { db: db(), platformId: setup.platformId, actor: 'key-1', now: OPENED_AT },
        {
          subject: 'ORDER',
          buyerExternalId: setup.buyer,
          orderExternalId,
          currency: 'EUR',
          requestedMinor,
          reasons: ['EXPOSURE_TOO_HIGH'],
          decision: null,
          proposedMinor: null,
          scriptedOutcome: null,
        },
      ),
    decide: (reviewId: string, more: Partial<Person & Decision> = {}) => {
      const { outcome = 'ACCEPT', limitMinor, ...person } = more;
      return withDecision(
        asPerson({ ...anna, ...person }, (context, reason) =>
          decide(context, { reviewId, outcome, reason, ...(limitMinor !== undefined && { limitMinor }) }),
        ),
      );
    },
    propose: (reviewId: string, limitMinor = 4_000_000, more: Partial<Person> = {}) =>
      asPerson({ ...anna, ...more }, (context, reason) => propose(context, { reviewId, limitMinor, reason })),
    approve: (reviewId: string, more: Partial<Person> = {}) =>
      withDecision(
        asPerson({ ...jan, ...more }, (context, reason) => approve(context, { reviewId, reason })),
      ),
    refuse: (reviewId: string, more: Partial<Person> = {}) =>
      asPerson({ ...jan, ...more }, (context, reason) => refuse(context, { reviewId, reason })),
    withdraw: (orderExternalIds: string[]) =>
      asPerson(anna, (context) =>
        withdrawReviewsOfOrders(context, orderExternalIds, 'The order was cancelled.'),
      ),
    decisions: () => listDecisionsOfBuyer(db(), setup.platformId, setup.buyer),
    statusOf: async (reviewId: string) => (await findReview(db(), setup.platformId, reviewId))?.status,
    triggersOf: async (reviewId: string) =>
      (await listReviewTransitions(db(), setup.platformId, reviewId)).map(({ trigger }) => trigger),
  });
}
