/** Event types, the description of a resource's events by its module, and the envelope that every receiver gets. */
import { type Static, type TSchema, Type } from 'typebox';
import { unixSeconds } from './fields.ts';

/** Every event type. The module of the resource describes it in its `<noun>.events.ts`; the compiler enforces this. */
export const EVENT_TYPES = [
  'BUYER.CREATED',
  'BUYER.UPDATED',
  'CREDIT_NOTE.CREATED',
  'DISPUTE.OPENED',
  'DISPUTE.RESOLVED',
  'FACILITY.CREATION.ACCEPTED',
  'FACILITY.CREATION.IN_REVIEW',
  'FACILITY.CREATION.REJECTED',
  'FACILITY.EXPIRED',
  'FACILITY.FROZEN',
  'FACILITY.INCREASE.ACCEPTED',
  'FACILITY.INCREASE.IN_REVIEW',
  'FACILITY.INCREASE.REJECTED',
  'FACILITY.LIMIT.CHANGED',
  'FACILITY.RENEWAL.ACCEPTED',
  'FACILITY.RENEWAL.IN_REVIEW',
  'FACILITY.RENEWAL.REJECTED',
  'FACILITY.UNFROZEN',
  'INVOICE.CANCELLED',
  'INVOICE.CLOSED',
  'INVOICE.COLLECTION.CANCELLED',
  'INVOICE.COLLECTION.COLLECTED',
  'INVOICE.COLLECTION.EARLY_COLLECTION',
  'INVOICE.COLLECTION.IN_REVIEW',
  'INVOICE.COLLECTION.LATE_COLLECTION',
  'INVOICE.COLLECTION.REJECTED',
  'INVOICE.COLLECTION.UNCOLLECTIBLE',
  'INVOICE.CREATED',
  'INVOICE.DUE',
  'INVOICE.DUNNING.ENDED',
  'INVOICE.DUNNING.PAUSED',
  'INVOICE.DUNNING.RESUMED',
  'INVOICE.DUNNING.STEP',
  'INVOICE.FILE.CREATED',
  'INVOICE.FILE.DELETED',
  'INVOICE.FINANCING.ACCEPTED',
  'INVOICE.FINANCING.CANCELLED',
  'INVOICE.FINANCING.DEFAULTED',
  'INVOICE.FINANCING.IN_REVIEW',
  'INVOICE.FINANCING.PAID_OUT',
  'INVOICE.FINANCING.REJECTED',
  'INVOICE.FINANCING.SETTLED',
  'INVOICE.INSURANCE.ACCEPTED',
  'INVOICE.INSURANCE.CANCELLED',
  'INVOICE.INSURANCE.CLAIM_DENIED',
  'INVOICE.INSURANCE.CLAIM_IN_ASSESSMENT',
  'INVOICE.INSURANCE.CLAIM_NOTIFIED',
  'INVOICE.INSURANCE.CLAIM_PAID',
  'INVOICE.INSURANCE.COVER_EXPIRED',
  'INVOICE.INSURANCE.IN_REVIEW',
  'INVOICE.INSURANCE.REJECTED',
  'INVOICE.LATE_CHARGE.CLAIMED',
  'INVOICE.LATE_CHARGE.PAID',
  'INVOICE.LATE_CHARGE.REOPENED',
  'INVOICE.LATE_CHARGE.WAIVED',
  'INVOICE.PAYMENT.RECORDED',
  'INVOICE.PAYMENT.REVERSED',
  'INVOICE.REOPENED',
  'INVOICE.UPDATED',
  'MERCHANT.ENROLLED',
  'ORDER.CANCELLED',
  'ORDER.CLOSED',
  'ORDER.CONFIRMED',
  'ORDER.DISBURSED',
  'ORDER.EXPIRED',
  'ORDER.PENDING_CONFIRMATION',
  'PAYOUT.FAILED',
  'PAYOUT.PAID',
  'PAYOUT.SCHEDULED',
  'PAYOUT_INSTRUCTION.UNVERIFIED',
  'PAYOUT_INSTRUCTION.VERIFIED',
  'WEBHOOK.TEST',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Every type that a subscription can name: `BUYER`, `BUYER.CREATED`, … in alphabetical order. */
export const SUBSCRIBABLE_TYPES: readonly string[] = [...new Set(EVENT_TYPES.flatMap(prefixesOf))].sort();

/** The data that every event has. It is a small snapshot without personal data. */
export interface EventData {
  /** The id of the resource. A facility has none: `buyer_external_id` identifies it. */
  external_id?: string;
  buyer_external_id?: string;
  /** Increases with every change of the resource. */
  sequence: number;
}

/** One type of event. */
export interface EventDefinition<S extends TSchema = TSchema> {
  /** Completes the sentence "Sent when …". */
  when: string;
  data: S;
  /** An example of the data that a receiver gets. */
  example: Static<S>;
}

/** Describes every event of one resource, with one schema for their data. */
export function defineEvents<S extends TSchema, T extends EventType>(
  data: S,
  events: Record<T, Omit<EventDefinition<S>, 'data'>>,
): Record<T, EventDefinition<S>> {
  const types = Object.keys(events) as T[];
  return Object.fromEntries(types.map((type) => [type, { ...events[type], data }])) as Record<
    T,
    EventDefinition<S>
  >;
}

/** A union of the module's events, discriminated by `type`. */
export type EventOf<Events extends Partial<Record<EventType, EventDefinition>>> = {
  [T in keyof Events & EventType]: Events[T] extends EventDefinition<infer S>
    ? { type: T; data: Static<S> }
    : never;
}[keyof Events & EventType];

/** A delivered event of any resource. */
export interface EventEnvelope {
  id: string;
  /** Unix seconds. */
  occurred_at: number;
  type: EventType;
  data: EventData;
}

/** The schema of the delivered event: `FACILITY.LIMIT.CHANGED` is named `FacilityLimitChangedEvent`. */
export function eventSchemaOf(type: EventType, { data }: EventDefinition): TSchema {
  return Type.Object(
    {
      id: Type.String({
        format: 'uuid',
        description: 'The same on every attempt and for every subscription',
      }),
      occurred_at: unixSeconds('When it happened'),
      type: Type.Literal(type),
      data,
    },
    { title: `${pascalCase(type)}Event` },
  );
}

/** The `sequence` of an event's data. */
export const SequenceSchema = Type.Integer({
  minimum: 1,
  description:
    'Increases with every change of the resource: ignore an event with a lower sequence than the latest you have',
});

/** The id of the resource that an event is about. */
export function resourceOf(data: EventData): string {
  return data.external_id ?? (data.buyer_external_id as string);
}

/** `A.B.C` → `A`, `A.B`, `A.B.C`. */
function prefixesOf(type: string): string[] {
  const parts = type.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** `ORDER.PENDING_CONFIRMATION` → `OrderPendingConfirmation`. */
function pascalCase(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}
