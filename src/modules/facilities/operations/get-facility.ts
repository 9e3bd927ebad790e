import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { Facility, FacilityParams } from '../facility.schemas.ts';
import { findFacilityView, toFacility } from '../facility-view.queries.ts';

export const getFacility = operation({
  id: 'getFacility',
  summary: "Retrieve a buyer's credit facility",
  description: '404 for a buyer without a facility, and for an unknown buyer.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: FacilityParams,
  isVersioned: true,
  status: 200,
  response: Facility,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run({ db, platformId }, { params }) {
    const facility = await findFacilityView(db, { platformId, buyerExternalId: params.external_id });
    if (!facility) throw notFound();
    const body = toFacility(facility);
    return { body, version: facility.version, isBeyondVersion: body.pending_actions.length > 0 };
  },
});
