/** What the service tells of itself: the catalogue of event types, and the envelope every receiver gets. */

/** type → when it is recorded. A subscription's type is one of these or a prefix of one. */
export const EVENT_TYPES = {
  'BUYER.CREATED': 'a buyer was registered',
  'BUYER.UPDATED': "a buyer's data or settings changed, by a request or with the register",
  'MERCHANT.ENROLLED': 'a merchant may sell through the platform',
  'WEBHOOK.TEST': 'a test was requested for a subscription',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** Every type a subscription may name: `BUYER`, `BUYER.CREATED`, … in alphabetical order. */
export const SUBSCRIBABLE_TYPES: readonly string[] = [
  ...new Set(Object.keys(EVENT_TYPES).flatMap((type) => prefixesOf(type))),
].sort();

/** A small snapshot without personal data. `sequence` increases with every change of the resource. */
export interface EventData {
  external_id: string;
  sequence: number;
  status?: string;
  previous_status?: string | null;
  changed_fields?: string[];
}

export interface EventEnvelope {
  id: string;
  occurred_at: number;
  type: EventType;
  data: EventData;
}

/** `A.B.C` → `A`, `A.B`, `A.B.C`. */
export function prefixesOf(type: string): string[] {
  const words = type.split('.');
  return words.map((_, index) => words.slice(0, index + 1).join('.'));
}
