/** The queue of mails. */
import type { Db } from '#infra/database/database';
import { SMTP_CONNECTIONS_MAX } from '#infra/mail/smtp';
import { findMailHours } from '#modules/dunning';
import {
  attemptMail,
  type ClaimedMail,
  claimMails,
  finishMail,
  MAIL_LEASE_SECONDS,
  type MailSender,
  postponeMails,
  withdrawMail,
} from '#modules/notifications';
import { findFiledDocument, findStatementDocument } from '#modules/statements';
import { createLeasedQueue, type LeasedQueue, type LeasedQueueOptions } from './leased-queue.ts';

/** Twice the connections: these send mails while the results of others are saved and the next ones are claimed. */
export const MAILS_IN_FLIGHT_MAX = 2 * SMTP_CONNECTIONS_MAX;
/** A nearby mail server takes this long for a few mails. */
const ROOM_REST_MS_MAX = 50;

export type MailerOptions = LeasedQueueOptions &
  Omit<MailSender, 'signal' | 'findDocument'> & { db: Db; deps: { isSandbox: boolean } };

export function createMailer({ db, onSlotFree, ...others }: MailerOptions): LeasedQueue {
  const { log, metrics, deps } = others;
  const findDocument: MailSender['findDocument'] = async (vault, key) =>
    (await findFiledDocument(db, vault, key)) ??
    (await findStatementDocument(db, vault, { ...key, isSandbox: deps.isSandbox }));
  const keysOf = (mails: ClaimedMail[]) =>
    mails.map(({ platform_id, mail_id }) => ({ platformId: platform_id, mailId: mail_id }));
  return createLeasedQueue<ClaimedMail>(
    {
      name: 'mail',
      inFlightMax: MAILS_IN_FLIGHT_MAX,
      leaseSeconds: MAIL_LEASE_SECONDS,
      roomRestMsMax: ROOM_REST_MS_MAX,
      idOf: ({ mail_id }) => mail_id,
      logFieldsOf: ({ platform_id, mail_id }) => ({ platform_id, mail_id }),
      async claim(batchSizeMax, leaseSeconds) {
        const jobs = await claimMails(db, { batchSizeMax, leaseSeconds });
        return { jobs, hasMore: jobs.length === batchSizeMax };
      },
      renew: (mails, leaseSeconds) => postponeMails(db, keysOf(mails), leaseSeconds),
      release: (mails) => postponeMails(db, keysOf(mails), 0),
      async run(mail, signal) {
        // Not in a sandbox, whose clock a caller can set ahead.
        const now = others.clocks.now(mail.platform_id);
        const leaves = deps.isSandbox ? 'NOW' : await findMailHours(db, mail, now);
        if (leaves === 'NEVER') return withdrawMail(db, mail);
        if (leaves !== 'NOW') return postponeMails(db, keysOf([mail]), leaves - now);
        const result = await attemptMail(mail, { ...others, db, signal, findDocument });
        metrics.attempted('mail', result.status);
        await finishMail(db, result);
        const { platform_id, mail_id, kind } = mail;
        const { status, failure, attempt } = result;
        if (status === 'FAILED') log.warn({ platform_id, mail_id, kind, failure, attempt }, 'mail given up');
      },
    },
    { ...others, onSlotFree },
  );
}
