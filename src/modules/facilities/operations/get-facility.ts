import { notFound } from '#kernel/problem';
import { mayReadCredit } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { findEntity, heldMinorOf } from '../entity-credit.queries.ts';
import { FacilityParams, FacilityWithEntity } from '../facility.schemas.ts';
import { type FacilityView, findFacilityView, toFacility } from '../facility-view.queries.ts';

export const getFacility = operation({
  id: 'getFacility',
  summary: "Retrieve a buyer's credit facility",
  description:
    '404 for a buyer without a facility, and for an unknown buyer. Buyers with a VAT id, tax id, trade register number or ' +
    'registry entry in common are one company, whose limits the credit policy counts together: see `entity`.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: FacilityParams,
  isVersioned: true,
  status: 200,
  response: FacilityWithEntity,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run(context, { params }) {
    const { db, platformId } = context;
    const facility = await findFacilityView(db, { platformId, buyerExternalId: params.external_id });
    if (!facility) throw notFound();
    const body = { ...toFacility(facility), entity: await entityFor(context, facility) };
    const isBeyondVersion =
      body.pending_actions.length > 0 || (body.entity?.buyer_external_ids.length ?? 0) > 0;
    return { body, version: facility.version, isBeyondVersion };
  },
});

/** The legal entity of the buyer; null if the caller may not see the other buyers. */
async function entityFor(
  { db, platformId, caller }: Pick<Context, 'db' | 'platformId' | 'caller'>,
  facility: FacilityView,
): Promise<FacilityWithEntity['entity']> {
  if (!mayReadCredit(caller)) return null;
  const { others } = await findEntity(db, { platformId, buyerExternalId: facility.buyer_external_id });
  const inCurrency = [facility, ...others].filter(({ currency }) => currency === facility.currency);
  return {
    buyer_external_ids: others.map((other) => other.buyer_external_id),
    exposure_amount: inCurrency.reduce((sum, each) => sum + heldMinorOf(each), 0),
  };
}
