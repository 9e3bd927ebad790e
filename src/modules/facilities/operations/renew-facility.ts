import { operation } from '#operation/operation';
import { actOnAssessment, assessFacility } from '../decide-facility.ts';
import { FacilityParams, FacilityRequest } from '../facility.schemas.ts';
import { assertRequestable, lockRequestable } from '../requestable-facility.ts';

export const renewFacility = operation({
  id: 'renewFacility',
  summary: "Ask for the early renewal of a buyer's credit facility",
  description:
    'Starts a fresh review and, where it is accepted, a new period from now on; the limit may come out higher or lower. The ' +
    'outcome is a FACILITY.RENEWAL.* event. The service asks by itself 14 days before a period ends.',
  tag: 'Facilities',
  scope: 'orders:write',
  effect: 'transaction',
  params: FacilityParams,
  status: 202,
  response: FacilityRequest,
  problems: ['NOT_FOUND', 'PENDING_RENEWAL', 'INVALID_STATUS_TRANSITION', 'RISK_DECISION_ERROR'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async prepare(context, { params }) {
    const facility = await assertRequestable(context, params.external_id, 'RENEWAL');
    return assessFacility(context, {
      about: 'RENEWAL',
      buyerExternalId: params.external_id,
      currency: facility.currency,
      requestedMinor: null,
    });
  },
  async run({ db, platformId, actor, now }, { params }, assessed) {
    const facility = await lockRequestable(
      db,
      { platformId, buyerExternalId: params.external_id },
      'RENEWAL',
    );
    await actOnAssessment(db, facility, assessed, { actor, now });
    return { body: { buyer_external_id: params.external_id } };
  },
});
