/** Metrics of the work that waits in the database, summed over all platforms. Every process reports the same values. */
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '#infra/database/database';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { findMailBacklog } from '#modules/notifications';
import { countDuePlatforms } from '#modules/schedule';
import { findDeliveryBacklog } from '#modules/webhooks';

/** The figures that a refresh reads: name, explanation, and value. */
const BACKLOG = {
  tradeline_webhook_deliveries_pending: 'Deliveries that wait, for active subscriptions',
  tradeline_webhook_deliveries_due: 'Those of them that are due now',
  tradeline_webhook_oldest_pending_seconds: 'How long the oldest of them has been waiting; 0 without any',
  tradeline_webhook_subscriptions_disabled: 'Disabled subscriptions',
  tradeline_webhook_recoveries: 'Subscriptions whose missed deliveries are being made',
  tradeline_events_unnumbered: 'Events that have no position yet',
  tradeline_mails_pending: 'Mails that wait',
  tradeline_mail_oldest_pending_seconds: 'How long the oldest of them has been waiting; 0 without any',
  tradeline_schedule_platforms_due: 'Platforms with transitions that are due',
  tradeline_backlog_readable: '1 if the database answered; otherwise the other figures are left out',
} as const;

type Figures = Record<keyof typeof BACKLOG, number>;

/** Reads the figures again. One of them reports whether the database is available. */
export function createBacklogMetrics(
  db: Db,
  clocks: PlatformClocks,
  registry: Registry,
): { refresh(): Promise<void> } {
  const gauges = new Map(
    Object.entries(BACKLOG).map(([name, help]) => [name, new Gauge({ name, help, registers: [registry] })]),
  );
  const show = (figures: Partial<Figures>) => {
    for (const [name, gauge] of gauges) {
      const figure = figures[name as keyof Figures];
      if (figure === undefined) gauge.remove();
      else gauge.set(figure);
    }
  };
  return {
    async refresh() {
      const figures = await readFigures(db, clocks.realNow()).catch(() => ({
        tradeline_backlog_readable: 0,
      }));
      show(figures);
    },
  };
}

async function readFigures(db: Db, now: number): Promise<Figures> {
  const [deliveries, mails, platforms] = await Promise.all([
    findDeliveryBacklog(db),
    findMailBacklog(db),
    countDuePlatforms(db, now),
  ]);
  return {
    tradeline_webhook_deliveries_pending: deliveries.pending,
    tradeline_webhook_deliveries_due: deliveries.due,
    tradeline_webhook_oldest_pending_seconds: deliveries.oldest_seconds,
    tradeline_webhook_subscriptions_disabled: deliveries.disabled,
    tradeline_webhook_recoveries: deliveries.recoveries,
    tradeline_events_unnumbered: deliveries.unnumbered,
    tradeline_mails_pending: mails.pending,
    tradeline_mail_oldest_pending_seconds: mails.oldest_seconds,
    tradeline_schedule_platforms_due: platforms,
    tradeline_backlog_readable: 1,
  };
}
