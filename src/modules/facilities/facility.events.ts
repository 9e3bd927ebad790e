import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import type { Transition } from '#kernel/lifecycle';
import {
  type BuyerReasonCode,
  BuyerReasonSchema,
  DecisionIdSchema,
  EXAMPLE_DECISION_ID,
} from '#modules/underwriting';
import type { NewEvent } from '#modules/webhooks';
import { availableNow } from './available-amount.rules.ts';
import type { FacilityStatus, FacilityTrigger } from './facility.lifecycle.ts';
import type { FacilityRow } from './facility.queries.ts';
import { FacilityStatusSchema } from './facility.schemas.ts';

const FacilityEventData = Type.Object(
  {
    buyer_external_id: externalId('The buyer; a buyer has one facility'),
    sequence: SequenceSchema,
    status: { ...FacilityStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...FacilityStatusSchema,
      description: 'The status before the event; null if the facility is new',
    }),
    currency: CurrencySchema,
    total_amount: minorUnits('The limit, in minor units'),
    available_amount: minorUnits('What orders may still take, in minor units'),
    used_amount: minorUnits('What invoices use, in minor units'),
    pending_orders_amount: minorUnits('What orders reserve, in minor units'),
    expires_at: nullable(unixSeconds('When the period of the facility ends')),
    freeze_reason: Type.Optional(
      named(
        'FreezeReason',
        oneOf(
          ['OPERATOR', 'COMPANY_DISSOLVED'],
          'Why the facility was frozen: an operator, or the registry of the company; with FACILITY.FROZEN',
        ),
      ),
    ),
    previous_total_amount: Type.Optional(
      minorUnits('The limit before the event, in minor units; present if the event changed a limit'),
    ),
    decision_id: Type.Optional({
      ...DecisionIdSchema,
      description:
        'The decision that caused the event: GET /v1/decisions/{decision_id}; present if there is one',
    }),
    reasons: Type.Optional(
      Type.Array(BuyerReasonSchema, {
        description: 'The reasons of the decision that the buyer may know; present if there is a decision',
      }),
    ),
  },
  { title: 'FacilityEventData' },
);
type FacilityEventData = Static<typeof FacilityEventData>;

const example = (
  status: FacilityStatus,
  previousStatus: FacilityStatus | null,
  sequence: number,
  totalMinor: number,
  { reason, previousTotalMinor }: { reason?: BuyerReasonCode; previousTotalMinor?: number } = {},
): FacilityEventData => ({
  buyer_external_id: 'cafe-morgenrot',
  sequence,
  status,
  previous_status: previousStatus,
  currency: 'EUR',
  total_amount: totalMinor,
  available_amount: status === 'ACTIVE' ? totalMinor : 0,
  used_amount: 0,
  pending_orders_amount: 0,
  expires_at: totalMinor === 0 ? null : 1_771_405_199,
  ...(previousTotalMinor !== undefined && { previous_total_amount: previousTotalMinor }),
  ...(reason && { decision_id: EXAMPLE_DECISION_ID, reasons: [reason] }),
});

export const facilityEvents = defineEvents(FacilityEventData, {
  'FACILITY.CREATION.ACCEPTED': {
    when: 'a buyer was granted a credit facility',
    example: example('ACTIVE', null, 1, 2_500_000, { reason: 'LIMIT_GRANTED' }),
  },
  'FACILITY.CREATION.IN_REVIEW': {
    when: 'a person must decide about a new facility',
    example: example('PENDING', null, 1, 0, { reason: 'NEEDS_REVIEW' }),
  },
  'FACILITY.CREATION.REJECTED': {
    when: 'a buyer was refused a facility',
    example: example('REJECTED', 'PENDING', 2, 0, { reason: 'NOT_POSSIBLE_NOW' }),
  },
  'FACILITY.EXPIRED': {
    when: 'the period of a facility ended without a renewal',
    example: example('EXPIRED', 'ACTIVE', 9, 2_500_000),
  },
  'FACILITY.FROZEN': {
    when: 'new orders on a facility were stopped, by an operator or because the company is dissolved',
    example: { ...example('FROZEN', 'ACTIVE', 4, 2_500_000), freeze_reason: 'COMPANY_DISSOLVED' },
  },
  'FACILITY.INCREASE.ACCEPTED': {
    when: 'a higher limit was granted, in part or in full',
    example: example('ACTIVE', 'ACTIVE', 5, 3_000_000, {
      reason: 'LIMIT_RAISED',
      previousTotalMinor: 2_500_000,
    }),
  },
  'FACILITY.INCREASE.IN_REVIEW': {
    when: 'a person must decide about a higher limit',
    example: example('ACTIVE', 'ACTIVE', 4, 2_500_000, { reason: 'NEEDS_REVIEW' }),
  },
  'FACILITY.INCREASE.REJECTED': {
    when: 'a higher limit was refused; the limit is unchanged',
    example: example('ACTIVE', 'ACTIVE', 5, 2_500_000, { reason: 'OVERDUE_INVOICES' }),
  },
  'FACILITY.LIMIT.CHANGED': {
    when: "a person's decision changed the limit of a facility outside renewal and increase",
    example: example('ACTIVE', 'ACTIVE', 6, 2_000_000, {
      reason: 'LIMIT_LOWERED',
      previousTotalMinor: 2_500_000,
    }),
  },
  'FACILITY.RENEWAL.ACCEPTED': {
    when: 'a facility was renewed; its limit may be higher or lower than before',
    example: example('ACTIVE', 'EXPIRED', 10, 3_125_000, {
      reason: 'LIMIT_RAISED',
      previousTotalMinor: 2_500_000,
    }),
  },
  'FACILITY.RENEWAL.IN_REVIEW': {
    when: 'a person must decide about a renewal',
    example: example('ACTIVE', 'ACTIVE', 7, 2_500_000, { reason: 'NEEDS_REVIEW' }),
  },
  'FACILITY.RENEWAL.REJECTED': {
    when: 'a renewal was refused; the facility can be used until its period ends',
    example: example('ACTIVE', 'ACTIVE', 8, 2_500_000, { reason: 'OVERDUE_INVOICES' }),
  },
  'FACILITY.UNFROZEN': {
    when: 'operators ended the freeze of a facility; one whose period has ended stays EXPIRED',
    example: example('ACTIVE', 'FROZEN', 5, 2_500_000),
  },
});
export type FacilityEvent = EventOf<typeof facilityEvents>;

/** The id of a recorded decision, and the reasons that the buyer may know. */
export interface DecisionReference {
  decisionId: string;
  buyerReasons: readonly BuyerReasonCode[];
}

/** The event of a transition, with the facility as it is after the transition. */
export function facilityEvent(
  facility: FacilityRow,
  transition: Transition<FacilityStatus, FacilityTrigger>,
  {
    previousTotalMinor,
    decision,
  }: { previousTotalMinor?: number | undefined; decision?: DecisionReference | undefined },
): NewEvent<FacilityEvent> {
  return {
    platformId: facility.platform_id,
    type: transition.event as FacilityEvent['type'],
    occurredAt: facility.updated_at,
    data: {
      buyer_external_id: facility.buyer_external_id,
      sequence: facility.version,
      status: facility.status,
      previous_status: transition.from,
      currency: facility.currency,
      total_amount: facility.total_amount,
      available_amount: availableNow(facility),
      used_amount: facility.used_amount,
      pending_orders_amount: facility.pending_orders_amount,
      expires_at: facility.expires_at,
      ...(transition.to === 'FROZEN' &&
        transition.from === 'ACTIVE' && { freeze_reason: reasonOf(transition) }),
      ...(previousTotalMinor !== undefined && { previous_total_amount: previousTotalMinor }),
      ...(decision && { decision_id: decision.decisionId, reasons: [...decision.buyerReasons] }),
    },
  };
}

const reasonOf = ({ trigger }: { trigger: FacilityTrigger }) =>
  trigger === 'freeze_dissolved' ? 'COMPANY_DISSOLVED' : 'OPERATOR';
