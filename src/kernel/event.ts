/** What the service tells of itself: the catalogue of event types, and the envelope every receiver gets. */
import type { Amount } from './amount.ts';
import type { Currency } from './currency.ts';

/** type → when it is recorded. A subscription's type is one of these or a prefix of one. */
export const EVENT_TYPES = {
  'BUYER.CREATED': 'a buyer was registered',
  'BUYER.UPDATED': "a buyer's data or settings changed, by a request or with the register",
  'FACILITY.CREATION.ACCEPTED': 'a buyer was given a credit facility',
  'FACILITY.CREATION.IN_REVIEW': 'a person must decide about a new facility',
  'FACILITY.CREATION.REJECTED': 'a buyer was refused a facility',
  'FACILITY.EXPIRED': 'the period of a facility ended without a renewal',
  'FACILITY.FROZEN': 'an operator stopped new orders on a facility',
  'FACILITY.INCREASE.ACCEPTED': 'a higher limit was granted, in part or whole',
  'FACILITY.INCREASE.IN_REVIEW': 'a person must decide about a higher limit',
  'FACILITY.INCREASE.REJECTED': 'a higher limit was refused; the old one stays',
  'FACILITY.LIMIT.CHANGED': "a person's decision changed a facility's limit outside renewal and increase",
  'FACILITY.RENEWAL.ACCEPTED': 'a facility was renewed; its limit may be higher or lower than before',
  'FACILITY.RENEWAL.IN_REVIEW': 'a person must decide about a renewal',
  'FACILITY.RENEWAL.REJECTED': 'a renewal was refused; the running period stays usable to its end',
  'FACILITY.UNFROZEN': 'an operator allowed new orders again',
  'MERCHANT.ENROLLED': 'a merchant may sell through the platform',
  'ORDER.CANCELLED': 'an order was cancelled, declined, or closed with nothing invoiced',
  'ORDER.CLOSED': 'everything of an order is invoiced and settled',
  'ORDER.CONFIRMED': 'an order was confirmed: deliver',
  'ORDER.DISBURSED': 'the first payout of an order went to its merchant',
  'ORDER.EXPIRED': "an order's time limit passed before it was confirmed, or before anything was invoiced",
  'ORDER.PENDING_CONFIRMATION': 'an order waits for a decision',
  'WEBHOOK.TEST': 'a test was requested for a subscription',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** Every type a subscription may name: `BUYER`, `BUYER.CREATED`, … in alphabetical order. */
export const SUBSCRIBABLE_TYPES: readonly string[] = [
  ...new Set(Object.keys(EVENT_TYPES).flatMap((type) => prefixesOf(type))),
].sort();

/** A small snapshot without personal data. `sequence` increases with every change of the resource. */
export interface EventData {
  /** The resource; a facility is known by its buyer alone. */
  external_id?: string;
  buyer_external_id?: string;
  merchant_external_id?: string;
  sequence: number;
  status?: string;
  previous_status?: string | null;
  changed_fields?: string[];
  amount?: Amount;
  cancellation_reason?: string;
  currency?: Currency;
  /** Of a facility, in minor units of its currency. */
  total_amount?: number;
  previous_total_amount?: number;
  available_amount?: number;
  used_amount?: number;
  pending_orders_amount?: number;
  /** Unix seconds. */
  expires_at?: number | null;
}

/** The id of the resource that an event is about. */
export function resourceOf(data: EventData): string {
  return data.external_id ?? (data.buyer_external_id as string);
}

export interface EventEnvelope {
  id: string;
  occurred_at: number;
  type: EventType;
  data: EventData;
}

/** `A.B.C` → `A`, `A.B`, `A.B.C`. */
export function prefixesOf(type: string): string[] {
  const parts = type.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}
