import { operation } from '#operation/operation';
import { Facility, FacilityFreeze, FacilityParams } from '../facility.schemas.ts';
import { changeFreeze } from './freeze-facility.ts';

export const unfreezeFacility = operation({
  id: 'unfreezeFacility',
  summary: "Allow new orders on a buyer's facility again",
  description:
    'For operators. A renewal that fell due during the freeze is requested immediately. A facility whose period has ended stays ' +
    'EXPIRED until it is renewed.',
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
  run: (context, { params, body }) => changeFreeze(context, params.external_id, 'unfreeze', body.reason),
});
