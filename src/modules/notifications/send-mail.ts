/** One attempt to send a mail, and its result. */
import type { Log } from '#infra/log';
import { type Smtp, SmtpFailed } from '#infra/mail/smtp';
import type { Vault } from '#infra/secrets/vault';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { MAIL_SCHEDULE, nextDelaySeconds, type RetrySchedule, randomShare } from '#kernel/backoff';
import { transitionOf } from '#kernel/lifecycle';
import { mailLifecycle } from './mail.lifecycle.ts';
import { type ClaimedMail, type MailResult, openMail } from './mail.queries.ts';

/** Ends when the code expires. */
const CODE_SCHEDULE: RetrySchedule = { delaysSeconds: [5, 15, 30, 60, 120, 240], windowSeconds: 600 };

export interface MailSender {
  /** Null in a sandbox without a mail server: its mailbox shows every mail, so that each counts as sent. */
  smtp: Smtp | null;
  /** The part of a Message-ID after the @. */
  host: string;
  vault: Vault;
  clocks: PlatformClocks;
  log: Log;
  /** Aborts the attempt, whose result is then unknown. */
  signal: AbortSignal;
}

/** Sends the mail once and returns the result. Throws where the attempt was aborted. */
export async function attemptMail(mail: ClaimedMail, sender: MailSender): Promise<MailResult> {
  const attempt = mail.attempts + 1;
  const failed = sender.smtp === null ? null : await send(mail, sender.smtp, sender);
  const schedule = mail.kind === 'checkout_code' ? CODE_SCHEDULE : MAIL_SCHEDULE;
  const delaySeconds =
    failed === null || failed.isFinal
      ? null
      : nextDelaySeconds(attempt, mail.age_seconds, randomShare(), null, schedule);
  const trigger = failed === null ? 'send' : delaySeconds === null ? 'give_up' : 'postpone';
  return {
    platformId: mail.platform_id,
    mailId: mail.mail_id,
    attempt,
    status: transitionOf(mailLifecycle, 'PENDING', trigger).to,
    failure: failed?.failure ?? null,
    sentAt: failed === null ? sender.clocks.now(mail.platform_id) : null,
    delaySeconds,
  };
}

interface Failed {
  failure: string;
  isFinal: boolean;
}

/** Null where the mail server accepted the mail. */
async function send(
  mail: ClaimedMail,
  smtp: Smtp,
  { host, vault, log, signal }: MailSender,
): Promise<Failed | null> {
  const { platform_id, platform_code, data_key_wrapped, mail_id } = mail;
  try {
    const content = openMail(vault.forPlatform(platform_code, data_key_wrapped), mail);
    const { isCopyRefused } = await smtp.send(
      // The same Message-ID at every attempt, so that mail programs show a duplicate once.
      { ...content, messageId: `<${mail_id}@${host}>` },
      signal,
    );
    if (isCopyRefused) log.warn({ platform_id, mail_id }, 'blind copy of a mail refused');
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SmtpFailed) return { failure: error.message, isFinal: error.isFinal };
    // A bug must end like other failures. Its message may contain the recipient, its name does not.
    log.error({ platform_id, mail_id, type: (error as Error).name }, 'mail not sent');
    return { failure: 'INTERNAL', isFinal: false };
  }
}
