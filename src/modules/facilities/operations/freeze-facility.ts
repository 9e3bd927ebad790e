import { operation } from '#operation/operation';
import { Facility, FacilityFreeze, FacilityParams } from '../facility.schemas.ts';
import { freezing } from '../freezing.ts';

export const freezeFacility = operation({
  id: 'freezeFacility',
  summary: "Stop new orders on a buyer's facility",
  description: 'For operators. Running orders and invoices go on, and prepayment passes.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: FacilityParams,
  body: FacilityFreeze,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Facility,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  run: (context, { params, body }) => freezing(context, params.external_id, 'freeze', body.reason),
});
