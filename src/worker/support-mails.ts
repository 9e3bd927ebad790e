/**
 * Mails to the support of a platform about things that need a person, each reported once. A report is marked in the transaction that queues
 * its mails.
 */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Log } from '#infra/log';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { DAY_SECONDS } from '#kernel/day';
import { SUPPORT_KINDS, type SupportKind } from '#kernel/mail-kind';
import { takeQueuedTransactions } from '#modules/banking';
import {
  composeMail,
  insertMails,
  type MailContents,
  type NewMailRow,
  takeFailedMails,
} from '#modules/notifications';
import { findPlatform, type PlatformRow, platformLanguage } from '#modules/platforms';
import { takeWaitingReviews } from '#modules/underwriting';
import { takeDisabledSubscriptions, takeWaitingSubscriptions } from '#modules/webhooks';

export interface SupportMailDeps {
  /** The database, not a transaction. */
  db: Db;
  vault: Vault;
  clock: Clock;
  clocks: PlatformClocks;
  log: Log;
  /** The address of the service, without a trailing slash; empty until it listens. */
  baseUrl(): string;
}

/** One mail to every support address of a platform. */
interface Report<Kind extends SupportKind = SupportKind> {
  platformId: number;
  /** Identifies what is reported. */
  cause: string;
  kind: Kind;
  content: MailContents[Kind];
}

/**
 * The number of items that one transaction marks. A server that refuses everything fails thousands of mails, so a few reports must cover
 * them all.
 */
const BATCH_SIZE = 1_000;
/** The maximum number of items that a mail lists; it counts the others. */
const LISTED_MAX = 20;
const REVIEW_WAITS_SECONDS = DAY_SECONDS;
const DELIVERY_WAITS_SECONDS = 3_600;

type Source = (deps: SupportMailDeps) => Promise<{ taken: number; reports: Report[] }>;

const SOURCES: readonly Source[] = [
  async ({ db }) => {
    const rows = await takeDisabledSubscriptions(db, BATCH_SIZE);
    const reports = rows.map(
      ({
        platform_id,
        subscription_id,
        version,
        type,
        url,
        failure,
        recover_after,
      }): Report<'support_webhook_disabled'> => ({
        platformId: platform_id,
        cause: `webhook/${subscription_id}/disabled/${version}`,
        kind: 'support_webhook_disabled',
        content: { type, host: new URL(url).host, failure, recoverAfter: recover_after },
      }),
    );
    return { taken: rows.length, reports };
  },
  async ({ db }) => {
    const rows = await takeWaitingSubscriptions(db, DELIVERY_WAITS_SECONDS, BATCH_SIZE);
    const reports = byPlatform(rows).map(
      ([platformId, waiting]): Report<'support_deliveries_waiting'> => ({
        platformId,
        cause: `webhook/${waiting[0]?.subscription_id}/waiting/${waiting[0]?.notified_at}`,
        kind: 'support_deliveries_waiting',
        content: listed(waiting, ({ type, url }) => [type, new URL(url).host]),
      }),
    );
    return { taken: rows.length, reports };
  },
  async ({ db }) => {
    const rows = await takeFailedMails(db, BATCH_SIZE, SUPPORT_KINDS);
    const reports = byPlatform(rows).map(
      ([platformId, failed]): Report<'support_mails_failed'> => ({
        platformId,
        cause: `mails/failed/${failed[0]?.mail_id}`,
        kind: 'support_mails_failed',
        content: listed(failed, ({ cause, failure }) => [cause, failure ?? '']),
      }),
    );
    return { taken: rows.length, reports };
  },
  async ({ db }) => {
    const rows = await takeQueuedTransactions(db, BATCH_SIZE);
    const reports = byPlatform(rows).map(
      ([platformId, waiting]): Report<'support_payments_waiting'> => ({
        platformId,
        cause: `payments/waiting/${waiting[0]?.transaction_id}`,
        kind: 'support_payments_waiting',
        content: listed(waiting, ({ transaction_id, booked_on, queue_reason }) => [
          transaction_id,
          `${booked_on} ${queue_reason}`,
        ]),
      }),
    );
    return { taken: rows.length, reports };
  },
  async ({ db, clock }) => {
    const rows = await takeWaitingReviews(db, clock.now(), REVIEW_WAITS_SECONDS, BATCH_SIZE);
    const reports = byPlatform(rows).map(
      ([platformId, waiting]): Report<'support_reviews_waiting'> => ({
        platformId,
        cause: `reviews/waiting/${waiting[0]?.review_id}`,
        kind: 'support_reviews_waiting',
        content: listed(waiting, (review) => [
          review.order_external_id ?? review.service_external_id ?? review.buyer_external_id,
          review.review_id,
        ]),
      }),
    );
    return { taken: rows.length, reports };
  },
];

/** Queues the mails about everything that is not reported yet, on every platform. Returns the number of mails. */
export async function queueSupportMails(deps: SupportMailDeps): Promise<number> {
  let queued = 0;
  for (const source of SOURCES) {
    for (let taken = BATCH_SIZE; taken === BATCH_SIZE; ) {
      const batch = await inTransaction(deps.db, (db) => queueBatch({ ...deps, db }, source));
      queued += batch.queued;
      taken = batch.taken;
    }
  }
  return queued;
}

async function queueBatch(deps: SupportMailDeps, source: Source): Promise<{ taken: number; queued: number }> {
  const { taken, reports } = await source(deps);
  const mails: NewMailRow[] = [];
  for (const report of reports) mails.push(...(await compose(deps, report)));
  const written = mails.length === 0 ? [] : await insertMails(deps.db, mails);
  return { taken, queued: written.filter(Boolean).length };
}

/** Returns nothing if the mail cannot be composed, which must not delay others. */
async function compose(deps: SupportMailDeps, report: Report): Promise<NewMailRow[]> {
  const { db, vault, clocks, log, baseUrl } = deps;
  const { platformId, cause, kind, content } = report;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  clocks.learn(platformId, platform.clock_ahead_seconds);
  const now = clocks.now(platformId);
  const { formality, support_emails: addresses } = platform;
  const language = platformLanguage(platform);
  try {
    const mails = addresses.map((to, nth) =>
      composeMail(vault, platform, {
        ...{ platformId, kind, content, to, language, formality, now },
        cause: `${cause}/support/${nth}`,
        baseUrl: baseUrl() || null,
      }),
    );
    return (await Promise.all(mails)).flat();
  } catch (error) {
    log.error({ err: error as Error, platform_id: platformId, kind }, 'support not mailed');
    return [];
  }
}

function byPlatform<Row extends { platform_id: number }>(rows: Row[]): [platformId: number, rows: Row[]][] {
  return [...Map.groupBy(rows, (row) => row.platform_id)];
}

function listed<Row>(rows: Row[], itemOf: (row: Row) => [name: string, value: string]) {
  return { items: rows.slice(0, LISTED_MAX).map(itemOf), count: rows.length };
}
