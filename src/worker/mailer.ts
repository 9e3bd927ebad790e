/** Sends mails: claims what is due, hands it to the mail server, writes down what came of it. */
import type { Db } from '#infra/database/database';
import type { Log } from '#infra/log';
import type { Vault } from '#infra/secrets/vault';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import {
  attemptMail,
  type ClaimedMail,
  claimMails,
  finishMail,
  type MailSender,
  postponeMails,
} from '#modules/notifications';

/** Short, so that a killed worker's mails come back soon; renewed while an attempt lasts. */
const LEASE_SECONDS = 10;
const LEASE_RENEWAL_MS = 3_000;
/** Connections to the mail server: many allow a client no more than ten. */
const IN_FLIGHT_MAX = 5;
/** How long a stopping worker waits for the mail server before it abandons it and gives its claims back. */
const STOP_GRACE_MS = 1_000;

export interface Mailer {
  /** Claims and sends until nothing is due; answers once the claiming is over, not the sending. */
  dispatch(): Promise<void>;
  stop(): Promise<void>;
}

export interface MailerOptions extends Pick<MailSender, 'smtp' | 'host'> {
  db: Db;
  vault: Vault;
  clocks: PlatformClocks;
  log: Log;
  onSlotFree: () => void;
}

export function createMailer({ db, log, onSlotFree, ...others }: MailerOptions): Mailer {
  const abandoning = new AbortController();
  const { signal } = abandoning;
  const sender: MailSender = { ...others, log, signal };
  const underWay = new Map<string, { mail: ClaimedMail; done: Promise<void> }>();
  let isStopping = false;

  const keys = () =>
    [...underWay.values()].map(({ mail }) => ({ platformId: mail.platform_id, mailId: mail.mail_id }));
  const renewal = setInterval(() => {
    if (underWay.size === 0) return;
    postponeMails(db, keys(), LEASE_SECONDS).catch((error) =>
      log.warn({ err: error as Error }, 'leases of mails not renewed'),
    );
  }, LEASE_RENEWAL_MS);

  const deliver = async (mail: ClaimedMail): Promise<void> => {
    const { platform_id, mail_id, kind } = mail;
    try {
      const result = await attemptMail(mail, sender);
      await finishMail(db, result);
      const { status, failure, attempt } = result;
      if (status === 'FAILED') log.warn({ platform_id, mail_id, kind, failure, attempt }, 'mail given up');
    } catch (error) {
      // Still under way, so that its claim is given back.
      if (signal.aborted) return;
      // The lease ends and the mail is due again: nothing is lost.
      log.error({ err: error as Error, platform_id, mail_id }, 'attempt of a mail not recorded');
    }
    underWay.delete(mail_id);
    if (!isStopping) onSlotFree();
  };

  return {
    async dispatch() {
      while (!isStopping && underWay.size < IN_FLIGHT_MAX) {
        const batchSizeMax = IN_FLIGHT_MAX - underWay.size;
        const claimed = await claimMails(db, { batchSizeMax, leaseSeconds: LEASE_SECONDS });
        // Of one whose lease ended because this process or the database stood still, one attempt is enough.
        for (const mail of claimed)
          if (!underWay.has(mail.mail_id)) underWay.set(mail.mail_id, { mail, done: deliver(mail) });
        if (claimed.length < batchSizeMax) return;
      }
    },
    async stop() {
      isStopping = true;
      const timer = setTimeout(() => abandoning.abort(), STOP_GRACE_MS);
      await Promise.all([...underWay.values()].map(({ done }) => done));
      clearTimeout(timer);
      clearInterval(renewal);
      if (underWay.size > 0) await postponeMails(db, keys(), 0);
    },
  };
}
