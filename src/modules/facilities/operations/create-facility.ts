import { notFound } from '#kernel/problem';
import { buyerIncomplete, findBuyerName } from '#modules/buyers';
import { assertCurrencyEnabled, findPlatform } from '#modules/platforms';
import { EXAMPLE_DECISION_ID } from '#modules/underwriting';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { assertNoFacility, assessFacility, openAssessedFacility } from '../decide-facility.ts';
import { findFacility } from '../facility.queries.ts';
import { Facility, FacilityCreation, FacilityParams } from '../facility.schemas.ts';
import { type FacilityView, findFacilityView, toFacility } from '../facility-view.queries.ts';

export const createFacility = operation({
  id: 'createFacility',
  summary: 'Request a credit facility',
  description:
    'The credit policy decides immediately: 201 with the facility ACTIVE or REJECTED. If it refers the decision to a person, the ' +
    'answer is 202 with the facility PENDING, and a FACILITY.CREATION.ACCEPTED or .REJECTED event follows. A buyer has one ' +
    'facility. A rejected buyer can apply again.',
  tag: 'Facilities',
  scope: 'orders:write',
  effect: 'transaction',
  params: FacilityParams,
  body: FacilityCreation,
  isBodyOptional: true,
  isVersioned: true,
  status: 201,
  underReview: {
    example: {
      buyer_external_id: 'de-gouden-lepel',
      status: 'PENDING',
      currency: 'EUR',
      total_amount: 0,
      available_amount: 0,
      used_amount: 0,
      pending_orders_amount: 0,
      risk_band: null,
      reviewed_at: null,
      expires_at: null,
      frozen_at: null,
      decision_id: EXAMPLE_DECISION_ID,
      pending_actions: [{ type: 'CREATION', created_at: 1761220800 }],
      created_at: 1761220800,
      updated_at: 1761220800,
    },
  },
  response: Facility,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'BUYER_INCOMPLETE',
    'ACTIVE_FACILITY_EXISTS',
    'CURRENCY_NOT_ENABLED',
    'RISK_DECISION_ERROR',
  ],
  example: { params: { external_id: 'pierogarnia-pod-aniolem' }, body: { requested_amount: 400000 } },
  async prepare(context, { params, body }) {
    assertPlatformWide(context.caller);
    const { db, platformId } = context;
    const key = { platformId, buyerExternalId: params.external_id };
    const [platform, buyerName, known] = await Promise.all([
      findPlatform(db, platformId),
      findBuyerName(db, { platformId, externalId: params.external_id }),
      findFacility(db, key),
    ]);
    if (!platform || buyerName === undefined) throw notFound();
    if (buyerName === null) throw buyerIncomplete();
    assertNoFacility(known);
    const currency = body.currency ?? platform.currency;
    assertCurrencyEnabled(currency, platform);
    return assessFacility(context, {
      about: 'CREATION',
      buyerExternalId: params.external_id,
      currency,
      requestedMinor: body.requested_amount ?? null,
    });
  },
  async run(context, { params }, assessed) {
    const { db, platformId } = context;
    const { facility, assessment } = await openAssessedFacility(context, assessed);
    const key = { platformId, buyerExternalId: params.external_id };
    const view = (await findFacilityView(db, key)) as FacilityView;
    return {
      body: toFacility(view),
      version: facility.version,
      isBeyondVersion: view.pending_actions.length > 0,
      isUnderReview: assessment.outcome === 'REFER',
    };
  },
});
