import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { FacilityIncrease, FacilityParams, FacilityRequest } from '../facility.schemas.ts';
import { applyIncrease, assessIncrease } from '../increase-limit.ts';

export const requestIncrease = operation({
  id: 'requestIncrease',
  summary: 'Request a higher limit',
  description:
    'For the current period. The outcome is a FACILITY.INCREASE.* event; an increase may be granted in part. After a ' +
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
    'MERCHANT_NOT_ALLOWED',
    'PENDING_INCREASE',
    'INVALID_STATUS_TRANSITION',
    'INCREASE_NOT_ABOVE_LIMIT',
    'RISK_DECISION_ERROR',
  ],
  example: { params: { external_id: 'cafe-morgenrot' }, body: { requested_amount: 5000000 } },
  async prepare(context, { params, body }) {
    assertPlatformWide(context.caller);
    return assessIncrease(context, {
      buyerExternalId: params.external_id,
      requestedMinor: body.requested_amount,
    });
  },
  async run(context, { params }, assessed) {
    await applyIncrease(context, assessed);
    return { body: { buyer_external_id: params.external_id } };
  },
});
