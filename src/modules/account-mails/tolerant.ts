/** Shared by the notifiers of this module: a failure to read one event must not delay later ones. */
import { isDatabaseAway } from '#infra/database/database';
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import type { Notified, Notifier, NotifierContext } from '#modules/notifications';

const NOTHING: Notified = { mails: [] };

/** The mails of an event; none if they cannot be written, which is logged. Throws if the database is not reachable. */
export function tolerant(notify: Notifier['notify']): Notifier['notify'] {
  return async (context: NotifierContext, event: FollowedEvent) => {
    try {
      return await notify(context, event);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const { platform_id } = context.platform;
      context.log.error({ err: error as Error, platform_id, event_id: event.event_id }, 'event not mailed');
      return NOTHING;
    }
  };
}
