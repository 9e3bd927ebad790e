import { rethrowNaming } from '#kernel/missing-entity';
import { Facility, getFacility } from '#modules/facilities';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { simulateFacilityTransition } from '../simulated-facility.ts';
import { FacilitySimulation } from '../simulator.schemas.ts';

export const simulateFacility = operation({
  id: 'simulateFacility',
  summary: 'Simulate a transition of a facility',
  description:
    'Makes the transition that a policy, a person or the passing of time would make, with the same ledger entry and event. ' +
    'It ends an open review.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: FacilitySimulation,
  isVersioned: true,
  status: 200,
  response: Facility,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'BUYER_INCOMPLETE',
    'INVALID_STATUS_TRANSITION',
    'FACILITY_FROZEN',
    'INCREASE_NOT_ABOVE_LIMIT',
  ],
  example: { body: { buyer_external_id: 'cafe-morgenrot', trigger: 'freeze' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    await simulateFacilityTransition({ ...context, actor: 'sandbox', assertVersion: () => {} }, body).catch(
      rethrowNaming({
        field: 'body.buyer_external_id',
        value: body.buyer_external_id,
        remedy:
          'No buyer with this external_id has a facility: POST /v1/buyers registers the buyer, and the trigger grant creates its facility.',
      }),
    );
    const params = { external_id: body.buyer_external_id };
    return getFacility.run(context, { params, query: {}, body: undefined }, undefined);
  },
});
