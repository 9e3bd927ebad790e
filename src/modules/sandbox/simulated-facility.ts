import type { Currency } from '#kernel/currency';
import { transitionOf } from '#kernel/lifecycle';
import { invalidRequest, notFound, refusal } from '#kernel/problem';
import { buyerIncomplete, findBuyerName } from '#modules/buyers';
import {
  expireFacility,
  type FacilityDecision,
  type FacilityRow,
  facilityLifecycle,
  facilityTransitionOf,
  findFacility,
  freezeFacility,
  lockFacility,
  openFacility,
  unfreezeFacility,
} from '#modules/facilities';
import { applyFacilityDecision } from '#modules/orders';
import { findPlatform } from '#modules/platforms';
import { listUndecidedReviews, minorUnitsOf, type PriceClass, type RiskBand } from '#modules/underwriting';
import type { Context } from '#operation/operation';
import { recordSimulation } from './simulated-decision.ts';
import { type FACILITY_TRIGGERS, SIMULATED } from './simulator.schemas.ts';

interface SimulationRequest {
  buyer_external_id: string;
  trigger: (typeof FACILITY_TRIGGERS)[number];
  total_amount?: number | null;
}

type Deciding = Exclude<SimulationRequest['trigger'], 'freeze' | 'unfreeze' | 'expire'>;

/** The granted limit, in units of the currency, if there is no requested or current limit. */
const UNITS_GRANTED = 10_000;
const BAND = { riskBand: 'B2', priceClass: 'B' } as const;

/**
 * Simulates a transition, in the caller's transaction. Throws NOT_FOUND, BUYER_INCOMPLETE, INVALID_STATUS_TRANSITION,
 * FACILITY_FROZEN, INCREASE_NOT_ABOVE_LIMIT, and a 400 for an amount with another trigger.
 */
export async function simulateFacilityTransition(
  context: Context,
  request: SimulationRequest,
): Promise<void> {
  const { db, platformId } = context;
  const { trigger, total_amount: totalMinor } = request;
  if ((totalMinor ?? null) !== null && !(trigger in ACCEPTING))
    throw invalidRequest([
      {
        code: 'INVALID_VALUE',
        path: 'body.total_amount',
        message: 'is allowed only with grant, renew and increase',
      },
    ]);
  const key = { platformId, buyerExternalId: request.buyer_external_id };
  switch (trigger) {
    case 'freeze':
    case 'unfreeze': {
      const change = trigger === 'freeze' ? freezeFacility : unfreezeFacility;
      const params = { external_id: request.buyer_external_id };
      await change.run(context, { params, query: {}, body: { reason: SIMULATED } }, undefined);
      return;
    }
    case 'expire': {
      const facility = await lockFacility(db, key);
      if (!facility) throw notFound();
      await expireFacility(context, facility, SIMULATED);
      return;
    }
    default:
      await decide(context, { ...request, trigger });
  }
}

const ABOUT: Record<Deciding, FacilityDecision['about']> = {
  grant: 'CREATION',
  reject: 'CREATION',
  renew: 'RENEWAL',
  reject_renewal: 'RENEWAL',
  increase: 'INCREASE',
  reject_increase: 'INCREASE',
};

const ACCEPTING = { grant: true, renew: true, increase: true };

async function decide(context: Context, request: SimulationRequest & { trigger: Deciding }): Promise<void> {
  const { db, platformId } = context;
  const key = { platformId, buyerExternalId: request.buyer_external_id };
  const about = ABOUT[request.trigger];
  const seen = await findFacility(db, key);
  if (!seen && about !== 'CREATION') throw notFound();
  if (seen) facilityTransitionOf(seen, request.trigger);
  else transitionOf(facilityLifecycle, null, request.trigger);
  const currency = seen?.currency ?? (await currencyFor(context, request.buyer_external_id));
  const accepted = request.trigger in ACCEPTING ? await grantOf(context, request, seen, currency) : null;
  // Before the facility is locked, because it locks the review.
  const decision = await recordSimulation(context, {
    buyerExternalId: key.buyerExternalId,
    subject: `FACILITY_${about}`,
    orderExternalId: null,
    currency,
    accepted,
  });
  const outcome = accepted ? { outcome: 'ACCEPT' as const, ...accepted } : { outcome: 'REJECT' as const };
  const creation = { about: 'CREATION' as const, ...decision, ...outcome };
  if (!seen && (await openFacility(context, key.buyerExternalId, { currency }, creation, SIMULATED))) return;
  // Another call may have created it first.
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  await applyFacilityDecision(context, facility, { about, ...decision, ...outcome }, SIMULATED);
}

/** A new facility has the platform's currency. */
async function currencyFor({ db, platformId }: Context, buyerExternalId: string): Promise<Currency> {
  const [platform, buyerName] = await Promise.all([
    findPlatform(db, platformId),
    findBuyerName(db, { platformId, externalId: buyerExternalId }),
  ]);
  if (!platform || buyerName === undefined) throw notFound();
  if (buyerName === null) throw buyerIncomplete();
  return platform.currency;
}

async function grantOf(
  { db, platformId }: Context,
  { buyer_external_id, trigger, total_amount }: SimulationRequest & { trigger: Deciding },
  facility: FacilityRow | undefined,
  currency: Currency,
) {
  const present = facility?.total_amount ?? 0;
  const undecided = await listUndecidedReviews(db, platformId, buyer_external_id);
  const review = undecided.find(({ subject }) => subject === `FACILITY_${ABOUT[trigger]}`);
  const limitMinor =
    total_amount ??
    review?.requested_minor ??
    (present > 0 && trigger !== 'increase' ? present : (minorUnitsOf(UNITS_GRANTED, currency) as number));
  if (trigger === 'increase' && limitMinor <= present)
    throw refusal('INCREASE_NOT_ABOVE_LIMIT', `The limit is already ${present}`, {
      requested: limitMinor,
      total_amount: present,
    });
  const hasBand = facility?.risk_band != null && facility.price_class !== null;
  return {
    limitMinor,
    ...(hasBand && facility.risk_band !== 'REJECT'
      ? { riskBand: facility.risk_band as RiskBand, priceClass: facility.price_class as PriceClass }
      : BAND),
  };
}
