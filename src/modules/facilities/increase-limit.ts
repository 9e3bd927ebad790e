/** A higher limit within the period: requested by the API, or in the checkout for an order that the limit does not cover. */
import type { ChangeContext } from '#operation/operation';
import {
  type AssessedFacility,
  type AssessmentContext,
  applyAssessment,
  assertRequestable,
  assessFacility,
  type DecidedFacility,
  type DecisionRequest,
  lockRequestable,
} from './decide-facility.ts';
import { lockEntity } from './lock-entity.ts';

/** Assesses an increase, outside a transaction. Throws what `assertRequestable` and `assessFacility` throw. */
export async function assessIncrease(
  context: AssessmentContext,
  request: Omit<DecisionRequest, 'about' | 'currency'>,
): Promise<AssessedFacility> {
  const { buyerExternalId, requestedMinor } = request;
  const { currency } = await assertRequestable(context, buyerExternalId, 'INCREASE', requestedMinor);
  return assessFacility(context, { ...request, about: 'INCREASE', currency });
}

/** Records and applies the assessment of an increase. Throws what `lockRequestable` and `applyAssessment` throw. */
export async function applyIncrease(
  context: ChangeContext,
  assessed: AssessedFacility,
): Promise<DecidedFacility> {
  const { db, platformId } = context;
  const { buyerExternalId, requestedMinor } = assessed.request;
  const current = await lockEntity(context, assessed);
  const facility = await lockRequestable(db, { platformId, buyerExternalId }, 'INCREASE', requestedMinor);
  return {
    facility: await applyAssessment(context, facility, current),
    assessment: current.assessment,
  };
}
