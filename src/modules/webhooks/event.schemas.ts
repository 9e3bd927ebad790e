import { type Static, Type } from 'typebox';
import { EVENT_TYPES, type EventType, SUBSCRIBABLE_TYPES } from '#kernel/event';
import { closed, externalId, named, nullable, oneOf, unixSeconds } from '#kernel/fields';

export const SubscribableTypeSchema = named(
  'SubscribableType',
  oneOf(SUBSCRIBABLE_TYPES, 'An event type, or a prefix that covers all types below it'),
);

/** The id of the event in openapi.json. */
export const EXAMPLE_EVENT_ID = '0b6f0a52-8f0e-4c57-9a53-2d7c1be0f4a1';

export const EventParams = closed({
  event_id: externalId('The `id` of the event, which every delivery repeats'),
});

/** The event that receivers get, with its position among all events of the platform. */
export const RecordedEvent = closed(
  {
    position: nullable(
      Type.Integer({
        minimum: 1,
        description:
          'Its place among the events of the platform: 1, 2, 3 … without gaps. Null for a moment after the event is recorded',
      }),
    ),
    id: Type.String({ format: 'uuid' }),
    occurred_at: unixSeconds('When it happened'),
    // A client of an older version must be able to read events recorded before an upgrade.
    type: Type.String({ description: 'One of the types in the catalogue of events' }),
    data: Type.Object({}, { additionalProperties: true, description: 'As in the delivered event' }),
  },
  'RecordedEvent',
);
export type RecordedEvent = Static<typeof RecordedEvent>;

export const RecordedEventPage = closed(
  {
    items: Type.Array(RecordedEvent),
    limit: Type.Integer(),
    next: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `after` of the next page. Store it once you have handled the items: it also skips events that the filters left out',
    }),
    has_more: Type.Boolean({ description: 'Whether there are already events after `next`' }),
  },
  'RecordedEventPage',
);

/** The event types that a list of types and prefixes covers. */
export function typesCoveredBy(listed: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => listed.some((each) => type === each || type.startsWith(`${each}.`)));
}
