/** The queue of mails. */
import type { Db } from '#infra/database/database';
import { SMTP_CONNECTIONS_MAX } from '#infra/mail/smtp';
import { fewAtOnce } from '#infra/time/few-at-once';
import type { GiveWay } from '#infra/time/give-way';
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
/** Ten mails at once occupy two cores: one with TLS, the other with statements and a nearby mail server. */
const SENT_AT_ONCE = 2;
/** A mail to a distant server waits no longer for the mails before it. */
const TURN_MS_MAX = 50;
/** The longest wait of a mail, and of its result, for the requests in progress. */
const PATIENCE_MS = 20;

export type MailerOptions = LeasedQueueOptions &
  Omit<MailSender, 'signal' | 'findDocument'> & {
    db: Db;
    deps: { isSandbox: boolean };
    giveWay: GiveWay;
  };

export function createMailer({ db, onSlotFree, ...others }: MailerOptions): LeasedQueue {
  const { log, metrics, deps, isServing, giveWay } = others;
  const inTurn = fewAtOnce(SENT_AT_ONCE, TURN_MS_MAX);
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
      async claim(batchSizeMax, leaseSeconds, isMoreKnown) {
        const jobs = await claimMails(db, { batchSizeMax, leaseSeconds, isMoreKnown });
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
        const send = () => attemptMail(mail, { ...others, db, signal, findDocument });
        const result = await (isServing() ? inTurn(() => giveWay(PATIENCE_MS).then(send)) : send());
        metrics.attempted('mail', result.status);
        await giveWay(PATIENCE_MS);
        await finishMail(db, result);
        const { platform_id, mail_id, kind } = mail;
        const { status, failure, attempt } = result;
        if (status === 'FAILED') log.warn({ platform_id, mail_id, kind, failure, attempt }, 'mail given up');
      },
    },
    { ...others, onSlotFree },
  );
}
