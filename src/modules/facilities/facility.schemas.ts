import { type Static, Type } from 'typebox';
import {
  CurrencySchema,
  closed,
  externalId,
  line,
  MINOR_UNITS_MAX,
  minorUnits,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { RISK_BANDS } from '#modules/underwriting';
import { facilityLifecycle } from './facility.lifecycle.ts';

export const FACILITY_ACTIONS = ['CREATION', 'RENEWAL', 'INCREASE'] as const;
/** The bands of decisions. */
export const FACILITY_BANDS = [...RISK_BANDS, 'REJECT'] as const;
export type FacilityAction = (typeof FACILITY_ACTIONS)[number];

const requestedAmount = Type.Integer({
  minimum: 1,
  maximum: MINOR_UNITS_MAX,
  description: 'The limit that is wished for, in minor units. It may be granted in part',
});

export const FacilityCreation = closed(
  {
    requested_amount: optional({
      ...requestedAmount,
      description: 'The limit that is wished for, in minor units. Left out: what the credit policy allows',
    }),
    currency: optional({ ...CurrencySchema, description: "Left out: the platform's" }),
  },
  'FacilityCreation',
);

export const FacilityIncrease = closed(
  {
    requested_amount: {
      ...requestedAmount,
      description: 'The new limit, in minor units: above the present one',
    },
  },
  'FacilityIncrease',
);

export const FacilityFreeze = closed(
  { reason: line(1000, 'Why, for those who read the history') },
  'FacilityFreeze',
);

export const FacilityParams = closed({ external_id: externalId('The buyer') });

export const PendingAction = closed(
  {
    type: oneOf(FACILITY_ACTIONS),
    created_at: unixSeconds('When it was asked for'),
  },
  'PendingAction',
);

export const Facility = closed(
  {
    buyer_external_id: externalId('The buyer; a buyer has one facility'),
    status: oneOf(facilityLifecycle.states),
    currency: CurrencySchema,
    total_amount: minorUnits('The limit, in minor units; 0 while none was granted'),
    available_amount: minorUnits(
      'What orders may still take: total, less used and pending orders; never below 0, and 0 once EXPIRED',
    ),
    used_amount: minorUnits('What invoices use'),
    pending_orders_amount: minorUnits('What orders reserve'),
    risk_band: nullable(
      oneOf(FACILITY_BANDS, 'A1, the best, to D2; REJECT where the buyer was refused; null before'),
    ),
    reviewed_at: nullable(unixSeconds('When it was decided about last')),
    expires_at: nullable(
      unixSeconds('When the period ends; the service asks for the renewal 14 days before'),
    ),
    pending_actions: Type.Array(PendingAction, { description: 'What waits for a person, the oldest first' }),
    created_at: unixSeconds('When it was asked for first'),
    updated_at: unixSeconds('When anything of it changed last'),
  },
  'Facility',
);
export type Facility = Static<typeof Facility>;

/** What the platform is told of a renewal that it asked for: the outcome is an event. */
export const FacilityRequest = closed({ buyer_external_id: externalId('The buyer') }, 'FacilityRequest');
