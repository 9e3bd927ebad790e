import { Type } from 'typebox';
import { systemClock } from '#infra/time/clock';
import { closed, externalId } from '#kernel/fields';
import { assertPlatformWide } from '#operation/caller';
import { filterByList, filterBySeconds, LIMIT_MAX, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { RecordedEventPage, SubscribableTypeSchema, typesCoveredBy } from '../event.schemas.ts';
import { assertCursor, type Positions } from '../event-cursor.rules.ts';
import { findPositions, readEvents } from '../event-list.queries.ts';
import { WAITING_MAX, whileWaiting } from '../waiting-calls.ts';

const WAIT_MAX_SECONDS = 30;

export const listEvents = operation({
  id: 'listEvents',
  summary: 'List events',
  description:
    'The events of the last 30 days, or of the time that the installation sets, in the order of their positions, regardless of ' +
    'subscriptions. To follow them, pass `next` of each page as `after` of the next call; with `wait`, a call with nothing to ' +
    'return waits for events. ' +
    `At most ${WAITING_MAX} calls of a platform wait at a time in a process of the service: a further waiting call gets a 429. ` +
    'A page with filters may hold fewer events than `limit`, or none, while `has_more` is true.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  mayWait: true,
  query: closed({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Events after this position. Default: from the oldest event that is kept',
      }),
    ),
    limit: paging.limit,
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WAIT_MAX_SECONDS,
        default: 0,
        description: 'How many seconds to wait for an event if there is none',
      }),
    ),
    type: filterByList(SubscribableTypeSchema, 'Types, or prefixes that cover all types below them'),
    resource_external_id: filterByList(externalId('The resource of the event'), 'Resources of any kind'),
    occurred_at: filterBySeconds('When it happened'),
  }),
  status: 200,
  response: RecordedEventPage,
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { type: 'BUYER' } },
  async run(context, { query }) {
    assertPlatformWide(context.caller);
    const { db, platformId } = context;
    const limit = query.limit ?? LIMIT_MAX;
    const filters = {
      types: query.type ? typesCoveredBy(query.type) : null,
      resourceExternalIds: query.resource_external_id ?? null,
      occurredAt: query.occurred_at ?? null,
    };
    const untilMs = systemClock.elapsedMs() + (query.wait ?? 0) * 1_000;
    const read = (after: number, positions: Positions) =>
      readEvents(db, platformId, { ...filters, after }, { ...positions, limit });
    const positions = await findPositions(db, { platformId });
    const after = query.after ?? positions.first - 1;
    assertCursor(after, positions, 'query.after');
    let page = await read(after, positions);
    const isAnswer = () => page.items.length > 0 || page.has_more;
    if (query.wait && !isAnswer())
      await whileWaiting(db, platformId, async (untilNewer) => {
        while (!isAnswer()) {
          const newer = await untilNewer({ after: page.next, untilMs, signal: context.stopping });
          if (newer === null) return;
          page = await read(page.next, newer);
        }
      });
    return { body: { ...page, limit } };
  },
});
