import { operation } from '#operation/operation';
import { actOnAssessment, assessFacility } from '../decide-facility.ts';
import { FacilityIncrease, FacilityParams, FacilityRequest } from '../facility.schemas.ts';
import { assertRequestable, lockRequestable } from '../requestable-facility.ts';

export const requestIncrease = operation({
  id: 'requestIncrease',
  summary: 'Ask for a higher limit',
  description:
    'Within the running period. The outcome is a FACILITY.INCREASE.* event; a higher limit may be granted in part. A refused ' +
    'increase leaves the limit as it is.',
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
  async run({ db, platformId, actor, now }, { params, body }, assessed) {
    const key = { platformId, buyerExternalId: params.external_id };
    const facility = await lockRequestable(db, key, 'INCREASE', body.requested_amount);
    await actOnAssessment(db, facility, assessed, { actor, now });
    return { body: { buyer_external_id: params.external_id } };
  },
});
