import { type Static, Type } from 'typebox';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  line,
  minorUnits,
  named,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { DecisionIdSchema, RiskBandSchema } from '#modules/underwriting';
import { historyEntry } from '#operation/history';
import { facilityLifecycle } from './facility.lifecycle.ts';

export const FACILITY_ACTIONS = ['CREATION', 'RENEWAL', 'INCREASE'] as const;
export type FacilityAction = (typeof FACILITY_ACTIONS)[number];
export const FacilityActionSchema = named('FacilityAction', oneOf(FACILITY_ACTIONS));
export const FacilityStatusSchema = named('FacilityStatus', oneOf(facilityLifecycle.states));

export const FacilityCreation = closed(
  {
    requested_amount: optional(
      amountInput(1, 'The requested limit, in minor units. Default: what the credit policy allows'),
    ),
    currency: optional({ ...CurrencySchema, description: "Default: the platform's currency" }),
  },
  'FacilityCreation',
);

export const FacilityIncrease = closed(
  {
    requested_amount: amountInput(1, 'The new limit, in minor units: above the current one'),
  },
  'FacilityIncrease',
);

export const FacilityFreeze = closed({ reason: line(1000, 'The reason, for the history') }, 'FacilityFreeze');

export const FacilityParams = closed({ external_id: externalId('The buyer') });

export const PendingAction = closed(
  {
    type: FacilityActionSchema,
    created_at: unixSeconds('When it was requested'),
  },
  'PendingAction',
);

export const Facility = closed(
  {
    buyer_external_id: externalId('The buyer; a buyer has one facility'),
    status: FacilityStatusSchema,
    currency: CurrencySchema,
    total_amount: minorUnits('The limit, in minor units; 0 before the first grant'),
    available_amount: minorUnits(
      'What new orders may use: total minus used and pending orders. Never below 0; 0 while FROZEN and once EXPIRED',
    ),
    used_amount: minorUnits('The amount that invoices use'),
    pending_orders_amount: minorUnits('The amount that orders reserve'),
    risk_band: nullable({
      ...RiskBandSchema,
      description: 'From A1, the best, to D2; REJECT after a rejection; null before the first decision',
    }),
    reviewed_at: nullable(unixSeconds('When the last decision was made')),
    expires_at: nullable(
      unixSeconds('When the period ends; the service requests the renewal 14 days before'),
    ),
    frozen_at: nullable(
      unixSeconds(
        'When the current freeze began; null without one. Only operators end a freeze, and an EXPIRED facility is not renewed before',
      ),
    ),
    decision_id: nullable({
      ...DecisionIdSchema,
      description:
        'The last decision that settled whether and how much the buyer may owe: GET /v1/decisions/{decision_id}',
    }),
    pending_actions: Type.Array(PendingAction, { description: 'The actions under review, the oldest first' }),
    created_at: unixSeconds('When it was first requested'),
    updated_at: unixSeconds('When it last changed'),
  },
  'Facility',
);
export type Facility = Static<typeof Facility>;

const FacilityEntity = closed(
  {
    buyer_external_ids: Type.Array(externalId('A buyer'), {
      description: 'The other buyers of the company with a limit or an application under review',
    }),
    exposure_amount: minorUnits('What all of them may owe in the currency of the facility, in minor units'),
  },
  'FacilityEntity',
);

export const FacilityWithEntity = closed(
  {
    ...Facility.properties,
    entity: nullable({
      ...FacilityEntity,
      description: 'The company of the buyer; null unless a platform-wide key has the scope `credit:read`',
    }),
  },
  'FacilityWithEntity',
);
export type FacilityWithEntity = Static<typeof FacilityWithEntity>;

export const FacilityHistoryEntry = historyEntry(FacilityStatusSchema, 'FacilityHistoryEntry');
export type FacilityHistoryEntry = Static<typeof FacilityHistoryEntry>;

/** The response to a requested renewal or increase. The outcome follows as an event. */
export const FacilityRequest = closed({ buyer_external_id: externalId('The buyer') }, 'FacilityRequest');
