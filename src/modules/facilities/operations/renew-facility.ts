import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { applyAssessment, assertRequestable, assessFacility, lockRequestable } from '../decide-facility.ts';
import { FacilityParams, FacilityRequest } from '../facility.schemas.ts';
import { lockEntity } from '../lock-entity.ts';

export const renewFacility = operation({
  id: 'renewFacility',
  summary: "Request the early renewal of a buyer's credit facility",
  description:
    'Starts a new decision and, if it is accepted, a new period; the limit may be higher or lower. The period begins now or, in ' +
    'the last 14 days of the current period, at the end of that one. The outcome is a FACILITY.RENEWAL.* event. The service ' +
    'requests the renewal automatically 14 days before the period ends. An EXPIRED facility that is frozen is renewed only ' +
    'after operators have ended the freeze.',
  tag: 'Facilities',
  scope: 'orders:write',
  effect: 'transaction',
  params: FacilityParams,
  status: 202,
  response: FacilityRequest,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'PENDING_RENEWAL',
    'INVALID_STATUS_TRANSITION',
    'FACILITY_FROZEN',
    'RISK_DECISION_ERROR',
  ],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async prepare(context, { params }) {
    assertPlatformWide(context.caller);
    const facility = await assertRequestable(context, params.external_id, 'RENEWAL');
    return assessFacility(context, {
      about: 'RENEWAL',
      buyerExternalId: params.external_id,
      currency: facility.currency,
      requestedMinor: null,
    });
  },
  async run(context, { params }, assessed) {
    const key = { platformId: context.platformId, buyerExternalId: params.external_id };
    const current = await lockEntity(context, assessed);
    const facility = await lockRequestable(context.db, key, 'RENEWAL');
    await applyAssessment(context, facility, current);
    return { body: { buyer_external_id: params.external_id } };
  },
});
