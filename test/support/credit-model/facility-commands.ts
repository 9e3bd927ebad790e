/** Commands on the facility, its reviews and the clock. */
import fc from 'fast-check';
import { freezeFacility, unfreezeFacility } from '#modules/facilities';
import {
  approveOverride,
  decideReview,
  overrideRejection,
  proposeOverride,
  refuseOverride,
} from '#modules/reviews';
import { always, Command, hasReviews, pickReview } from './command.ts';
import { POLICY_LIMIT } from './company.ts';
import * as facilities from './facility.ts';
import type { Reality, Reply } from './reality.ts';
import * as reviews from './review.ts';
import {
  type Action,
  type Answer,
  BUYER,
  done,
  type Model,
  type Review,
  SCRIPTS,
  type Script,
  undecided,
  type Verdict,
} from './state.ts';

const PATH = `/v1/buyers/${BUYER}/facility`;
/** Minor units, near the limits that the policy and the scripts grant. */
export const AMOUNTS = [
  1, 5_000, 9_999, 10_000, 10_001, 30_000, 50_000, 99_999, 100_000, 100_001, 250_000,
] as const;
/** Limits that leave an available amount, or none. */
const limit = fc.constantFrom(1, 10_000, 50_000, 99_999, 100_000, 100_001, 250_000);
const nth = fc.nat(63);

/** Sets the policy's answer for the buyer from now on. */
export const useScript = (script: Script) =>
  new Command(`useScript ${script}`, always, (model, reality) => ({
    send: async () => {
      await reality.useScript(script);
      return { status: 200, body: {} };
    },
    foretell: () => {
      model.script = script;
      return done();
    },
  }));

export const requestFacility = (requested: number | null) =>
  new Command(`requestFacility ${requested}`, always, (model, reality) => ({
    send: () => reality.post(PATH, requested === null ? {} : { requested_amount: requested }),
    foretell: () => facilities.requestFacility(model, requested),
  }));

export const renew = () =>
  new Command('renew', always, (model, reality) => ({
    send: () => reality.post(`${PATH}/renew`),
    foretell: () => facilities.requestRenewal(model),
  }));

export const increase = (requested: number) =>
  new Command(`increase ${requested}`, always, (model, reality) => ({
    send: () => reality.post(`${PATH}/increase`, { requested_amount: requested }),
    foretell: () => facilities.requestIncrease(model, requested),
  }));

export const freezeByOperator = (isFreeze: boolean) =>
  new Command(isFreeze ? 'freeze' : 'unfreeze', always, (model, reality) => ({
    send: () =>
      reality.operate(isFreeze ? freezeFacility : unfreezeFacility, 'anna', model.now, {
        params: { external_id: BUYER },
        body: { reason: 'To see what happens.' },
      }),
    foretell: () => (isFreeze ? facilities.freeze(model) : facilities.unfreeze(model)),
  }));

const DECIDING: Record<string, [Action, Verdict]> = {
  grant: ['CREATION', 'ACCEPT'],
  reject: ['CREATION', 'REJECT'],
  renew: ['RENEWAL', 'ACCEPT'],
  reject_renewal: ['RENEWAL', 'REJECT'],
  increase: ['INCREASE', 'ACCEPT'],
  reject_increase: ['INCREASE', 'REJECT'],
};
const OTHER: Record<string, (model: Model) => Answer> = {
  freeze: facilities.freeze,
  unfreeze: facilities.unfreeze,
  expire: (model) => facilities.expireFacility(model, model.now),
};

export const simulateFacility = (trigger: string, requested: number | null) =>
  new Command(`simulateFacility ${trigger} ${requested}`, always, (model, reality) => {
    const [about, verdict] = DECIDING[trigger] ?? [];
    // With two reviews of the same subject it is undefined whose requested amount a simulator grants.
    const isUnclear = undecided(model).filter((each) => each.about === about).length > 1;
    const total = verdict && (requested ?? (verdict === 'ACCEPT' && isUnclear ? POLICY_LIMIT : null));
    return {
      send: () =>
        reality.post('/v1/sandbox/facilities', {
          buyer_external_id: BUYER,
          trigger,
          ...(total !== null && total !== undefined && { total_amount: total }),
        }),
      foretell: () =>
        about && verdict
          ? reviews.simulateDecision(model, about, verdict, total ?? null)
          : (OTHER[trigger] as (model: Model) => Answer)(model),
    };
  });

const reviewCommand = (
  text: string,
  which: number,
  send: (reality: Reality, reviewId: string, now: number) => Promise<Reply>,
  foretell: (model: Model, about: Review) => Answer,
) =>
  new Command(`${text} #${which}`, hasReviews, (model, reality) => {
    const about = pickReview(model, which);
    return {
      send: () => send(reality, reality.reviewIds.get(about.number) as string, model.now),
      foretell: () => foretell(model, about),
    };
  });

const body = { reason: 'As I see it.' };
const params = (review_id: string) => ({ params: { review_id } });

export const decideReviewNumber = (which: number, outcome: Verdict, limit: number | null) =>
  reviewCommand(
    `decide ${outcome} ${limit}`,
    which,
    (reality, id, now) =>
      reality.operate(decideReview, 'anna', now, {
        ...params(id),
        body: { ...body, outcome, ...(limit !== null && { limit_amount: limit }) },
      }),
    (model, about) => reviews.decideAsPerson(model, about, outcome, limit),
  );

export const propose = (which: number, limit: number) =>
  reviewCommand(
    `proposeOverride ${limit}`,
    which,
    (reality, id, now) =>
      reality.operate(proposeOverride, 'anna', now, {
        ...params(id),
        body: { ...body, limit_amount: limit },
      }),
    (_, about) => reviews.proposeOverride(about, limit),
  );

export const approve = (which: number, isSamePerson: boolean) =>
  reviewCommand(
    `approveOverride ${isSamePerson ? 'by the same' : 'by another'}`,
    which,
    (reality, id, now) =>
      reality.operate(approveOverride, isSamePerson ? 'anna' : 'jan', now, { ...params(id), body }),
    (model, about) => reviews.approveOverride(model, about, isSamePerson),
  );

export const refuse = (which: number) =>
  reviewCommand(
    'refuseOverride',
    which,
    (reality, id, now) => reality.operate(refuseOverride, 'jan', now, { ...params(id), body }),
    reviews.refuseOverride,
  );

export const overrideRefusal = (limit: number) =>
  new Command(`overrideRejection ${limit}`, always, (model, reality) => ({
    send: () =>
      reality.operate(overrideRejection, 'anna', model.now, {
        params: { buyer_external_id: BUYER },
        body: { ...body, limit_amount: limit },
      }),
    foretell: () => reviews.overrideRejection(model, limit),
  }));

export const facilityCommands = [
  fc.constantFrom(...SCRIPTS).map(useScript),
  fc.constantFrom(...SCRIPTS).map(useScript),
  fc.option(limit, { freq: 2 }).map(requestFacility),
  fc.option(limit, { freq: 2 }).map(requestFacility),
  fc.constant(null).map(renew),
  limit.map(increase),
  fc.constantFrom(true, false, false).map(freezeByOperator),
  ...[1, 2].map(() =>
    fc
      .tuple(fc.constantFrom(...Object.keys(DECIDING), ...Object.keys(OTHER)), fc.option(limit))
      .map(([trigger, total]) => simulateFacility(trigger, total)),
  ),
  ...[1, 2].map(() =>
    fc
      .tuple(nth, fc.constantFrom<Verdict>('ACCEPT', 'ACCEPT', 'REJECT'), fc.option(limit, { freq: 2 }))
      .map(([which, outcome, requested]) => decideReviewNumber(which, outcome, requested)),
  ),
  fc.tuple(nth, limit).map(([which, requested]) => propose(which, requested)),
  fc.tuple(nth, fc.nat(4)).map(([which, same]) => approve(which, same === 0)),
  nth.map(refuse),
  limit.map(overrideRefusal),
];
