/**
 * Mails about events. The code that records events does not know about mails: a notifier follows the stream, and writes its mails and
 * its position in one transaction.
 */
import type { Db } from '#infra/database/database';
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import { type EventFollower, type RunOptions, runFollowers } from '#infra/database/run-followers';
import type { Log } from '#infra/log';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import { mapInTurns } from '#infra/time/in-turns';
import type { EventType } from '#kernel/event';
import type { MailKind } from '#kernel/mail-kind';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { insertMails, type NewMailRow } from './mail.queries.ts';
import { type Premise, withdrawMails } from './premise.queries.ts';
import { composeMail, type MailRequest } from './queue-mail.ts';

export interface NotifierDeps {
  /** The database, not a transaction. */
  db: Db;
  vault: Vault;
  log: Log;
  /** The address of the service, without a trailing slash; empty until it listens. */
  baseUrl(): string;
  deps: { isSandbox: boolean };
}

/** The context in which a notifier reads the data of an event. */
export interface NotifierContext {
  /** The transaction. */
  db: Db;
  /** Outside the transaction: the reads of many mails share statements. */
  reads: Db;
  platform: PlatformRow;
  vault: PlatformVault;
  log: Log;
  /** Empty until the service listens. */
  baseUrl: string;
  isSandbox: boolean;
}

/** A mail of any kind, without the fields that all mails about an event share. */
export type EventMail = {
  [Kind in MailKind]: Omit<MailRequest<Kind>, 'now' | 'baseUrl'>;
}[MailKind];

/** Writes the mails about some types of events. */
export interface Notifier {
  /** The name of its position in the stream. */
  follower: string;
  types: readonly EventType[];
  /** Returns no mails if there is no recipient or nothing to report. */
  notify(context: NotifierContext, event: FollowedEvent): Promise<Notified>;
}

export interface Notified {
  mails: EventMail[];
  /** The premise that the event changed: waiting mails with an earlier version of it are withdrawn. */
  changed?: Premise;
}

/** Queues the mails of these notifiers for all events so far, on every platform with new ones. Returns the number of mails. */
export async function notifyOfEvents(
  deps: NotifierDeps,
  notifiers: readonly Notifier[],
  options?: RunOptions,
): Promise<number> {
  return runFollowers(
    deps.db,
    notifiers.map((notifier) => followerOf(deps, notifier)),
    options,
  );
}

function followerOf(deps: NotifierDeps, { follower, types, notify }: Notifier): EventFollower {
  return {
    follower,
    types,
    async take(db, platformId, events) {
      const platform = (await findPlatform(db, platformId)) as PlatformRow;
      const { log } = deps;
      const vault = deps.vault.forPlatform(platform.code, platform.data_key_wrapped);
      const { isSandbox } = deps.deps;
      const baseUrl = deps.baseUrl();
      const context: NotifierContext = { db, reads: deps.db, platform, vault, log, baseUrl, isSandbox };
      const notified = await Promise.all(events.map((event) => notify(context, event)));
      const toCompose = notified.flatMap(({ mails }, nth) =>
        mails.map((mail) => ({ mail, event: events[nth] as FollowedEvent })),
      );
      const composed = await mapInTurns(toCompose, ({ mail, event }) => compose(deps, context, event, mail));
      const mails = composed.flat();
      const written = mails.length === 0 ? [] : await insertMails(db, mails);
      const changed = notified.flatMap((each) => each.changed ?? []);
      if (changed.length > 0) await withdrawMails(db, platformId, changed);
      return written.filter(Boolean).length;
    },
  };
}

/** Empty if the mail cannot be composed, which must not delay later mails. */
async function compose(
  { vault, log }: NotifierDeps,
  { platform, baseUrl }: NotifierContext,
  { event_id, occurred_at: now }: FollowedEvent,
  mail: EventMail,
): Promise<NewMailRow[]> {
  try {
    return await composeMail(vault, platform, { ...mail, now, baseUrl: baseUrl || null });
  } catch (error) {
    const { platform_id } = platform;
    log.error({ err: error as Error, platform_id, event_id, kind: mail.kind }, 'event not mailed');
    return [];
  }
}
