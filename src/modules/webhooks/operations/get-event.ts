import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { EventParams, EXAMPLE_EVENT_ID, RecordedEvent } from '../event.schemas.ts';
import { findEvent } from '../event-list.queries.ts';

export const getEvent = operation({
  id: 'getEvent',
  summary: 'Retrieve an event',
  description: 'Events are kept for 30 days, or as long as the installation sets.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  params: EventParams,
  status: 200,
  response: RecordedEvent,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { event_id: EXAMPLE_EVENT_ID } },
  async run({ db, platformId, caller }, { params }) {
    assertPlatformWide(caller);
    const event = await findEvent(db, platformId, params.event_id);
    if (!event) throw notFound();
    return { body: event };
  },
});
