/** The mail server from the settings. */
import type { Log } from '#infra/log';
import type { SmtpServer } from '#infra/mail/smtp';
import { createSmtpInThread } from '#infra/mail/smtp-in-thread';
import type { Environment } from '#kernel/api-key';
import type { WorkerOptions } from './index.ts';

interface MailSettings {
  environment: Environment;
  smtp: SmtpServer | null;
  smtpFrom: string | null;
  smtpCa: string | null;
  baseUrl: string | null;
}

/** The worker's mail server; null in production without one: mails then wait. */
export function mailServerOf(
  { environment, smtp, smtpFrom, smtpCa, baseUrl }: MailSettings,
  log: Log,
): WorkerOptions['mail'] {
  const ownHost = baseUrl === null ? smtpFrom?.split('@').at(-1) : new URL(baseUrl).hostname;
  const host = ownHost ?? 'localhost';
  if (smtp !== null && smtpFrom !== null)
    return { smtp: createSmtpInThread({ server: smtp, from: smtpFrom, extraCa: smtpCa }), host };
  if (environment === 'sandbox') return { smtp: null, host };
  log.warn('SMTP_URL is not set: mails to buyers wait until it is.');
  return null;
}
