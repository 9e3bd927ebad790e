import { operation } from '#operation/operation';
import { applyAssessment, assertRequestable, assessFacility, lockRequestable } from '../decide-facility.ts';
import { FacilityIncrease, FacilityParams, FacilityRequest } from '../facility.schemas.ts';

export const requestIncrease = operation({
  id: 'requestIncrease',
  summary: 'Request a higher limit',
  description:
    'Within the current period. The outcome is a FACILITY.INCREASE.* event; an increase may be granted in part. After a ' +
    'rejection the limit is unchanged.',
  tag: 'Facilities',
  scope: 'orders:write',
  effect: 'transaction',
  params: FacilityParams,
  body: FacilityIncrease,
  status: 202,
  response: FacilityRequest,
  problems: [
    'NOT_FOUND',
    'PENDING_INCREASE',
    'INVALID_STATUS_TRANSITION',
    'INCREASE_NOT_ABOVE_LIMIT',
    'RISK_DECISION_ERROR',
  ],
  example: { params: { external_id: 'cafe-morgenrot' }, body: { requested_amount: 5000000 } },
  async prepare(context, { params, body }) {
    const facility = await assertRequestable(context, params.external_id, 'INCREASE', body.requested_amount);
    return assessFacility(context, {
      about: 'INCREASE',
      buyerExternalId: params.external_id,
      currency: facility.currency,
      requestedMinor: body.requested_amount,
    });
  },
  async run(context, { params, body }, assessed) {
    const key = { platformId: context.platformId, buyerExternalId: params.external_id };
    const facility = await lockRequestable(context.db, key, 'INCREASE', body.requested_amount);
    await applyAssessment(context, facility, assessed);
    return { body: { buyer_external_id: params.external_id } };
  },
});
