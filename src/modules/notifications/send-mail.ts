/** One attempt to send a mail, and its result. */
import { type Db, isDatabaseAway } from '#infra/database/database';
import { FileMissing, type FileStore } from '#infra/files/file-store';
import type { Log } from '#infra/log';
import { type Smtp, SmtpFailed } from '#infra/mail/smtp';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { typesetDocument } from '#infra/typesetting/typesetter';
import { MAIL_SCHEDULE, nextDelaySeconds, type RetrySchedule, randomShare } from '#kernel/backoff';
import { transitionOf } from '#kernel/lifecycle';
import { traitsOf } from '#kernel/mail-kind';
import { mailLifecycle } from './mail.lifecycle.ts';
import { type Attached, openMail } from './mail.queries.ts';
import type { ClaimedMail, MailResult } from './mail-attempt.queries.ts';
import { sealReply } from './notice.queries.ts';
import { plainLine } from './plain-line.ts';
import { macOfAddress } from './refused-address.queries.ts';

/** Ends when the code expires, after ten minutes. */
const CODE_SCHEDULE: RetrySchedule = { delaysSeconds: [5, 15, 30, 60, 120, 240], windowSeconds: 600 };

export interface MailSender {
  /** Null in a sandbox without a mail server: its mailbox shows every mail, so each counts as sent. */
  smtp: Smtp | null;
  /** The part of a Message-ID after the @. */
  host: string;
  vault: Vault;
  db: Db;
  /** The store of attached files. */
  files: Pick<FileStore, 'openFile'>;
  /** A document that mails attach; null if it does not exist. */
  findDocument(
    vault: PlatformVault,
    key: { platformId: number; documentId: string },
  ): Promise<DocumentBody | null>;
  clocks: PlatformClocks;
  log: Log;
  /** Aborts the attempt, whose result is then unknown. */
  signal: AbortSignal;
}

/** Sends the mail once and returns the result. Throws if the attempt was aborted. */
export async function attemptMail(mail: ClaimedMail, sender: MailSender): Promise<MailResult> {
  const attempt = mail.attempts + 1;
  const outcome =
    sender.smtp === null ? { reply: null, addressMac: null } : await send(mail, sender.smtp, sender);
  const failed = 'failure' in outcome ? outcome : null;
  const schedule = traitsOf(mail.kind).hasCode ? CODE_SCHEDULE : MAIL_SCHEDULE;
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
    replySealed: 'reply' in outcome ? sealedReply(mail, outcome.reply, sender.vault) : null,
    addressMac: outcome.addressMac,
  };
}

/** Only for a notice: the reply proves that it was handed over. */
function sealedReply(
  { platform_code, data_key_wrapped, mail_id, kind }: ClaimedMail,
  reply: string | null,
  vault: Vault,
): Buffer | null {
  if (reply === null || !traitsOf(kind).isNotice) return null;
  return sealReply(vault.forPlatform(platform_code, data_key_wrapped), mail_id, reply);
}

interface Failed {
  failure: string;
  isFinal: boolean;
  /** Null if the address is not the cause. */
  addressMac: Buffer | null;
}

async function send(
  mail: ClaimedMail,
  smtp: Smtp,
  sender: MailSender,
): Promise<Failed | { reply: string; addressMac: Buffer }> {
  const { host, vault, log, signal } = sender;
  const { platform_id, platform_code, data_key_wrapped, mail_id } = mail;
  let recipientMac: Buffer | null = null;
  try {
    const ofPlatform = vault.forPlatform(platform_code, data_key_wrapped);
    // Mails of an earlier release have no files.
    const { files: named = [], bcc, ...content } = openMail(ofPlatform, mail);
    const addressMac = macOfAddress(ofPlatform, content.to);
    recipientMac = addressMac;
    const attachments = [];
    for (const each of named) attachments.push(await readAttached(each, ofPlatform, platform_id, sender));
    // The same Message-ID at every attempt, so that mail programs show a duplicate once.
    const message = { ...content, attachments, messageId: `<${mail_id}@${host}>` };
    const { reply } = await smtp.send(message, signal);
    // The copy of a mail of an earlier release, which is not a separate mail. It is tried once: the recipient already has the mail.
    if (bcc !== null && bcc !== content.to)
      await smtp
        .send({ ...message, to: bcc }, signal)
        .catch(() => log.warn({ platform_id, mail_id }, 'copy of a mail not sent'));
    return { reply, addressMac };
  } catch (error) {
    signal.throwIfAborted();
    if (isDatabaseAway(error)) throw error;
    if (error instanceof FileMissing) return { failure: 'FILE_MISSING', isFinal: true, addressMac: null };
    if (error instanceof SmtpFailed)
      // Only a refused recipient is final.
      return {
        failure: error.message,
        isFinal: error.isFinal,
        addressMac: error.isFinal ? recipientMac : null,
      };
    // A bug must end like other failures. Its message may contain the recipient, but its name does not.
    log.error({ platform_id, mail_id, type: (error as Error).name }, 'mail not sent');
    return { failure: 'INTERNAL', isFinal: false, addressMac: null };
  }
}

/** Reads an attachment into memory while the mail is sent. */
async function readAttached(
  attached: Attached,
  vault: PlatformVault,
  platformId: number,
  { db, files, findDocument }: MailSender,
): Promise<{ name: string; mediaType: string; content: Buffer }> {
  const name = plainLine(attached.name);
  if ('documentId' in attached) {
    const body = await findDocument(vault, { platformId, documentId: attached.documentId });
    if (body === null) throw new FileMissing();
    return { name, mediaType: 'application/pdf', content: await typesetDocument(body) };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of files.openFile(db, vault, platformId, attached.fileId)) chunks.push(chunk);
  return { name, mediaType: attached.mediaType, content: Buffer.concat(chunks) };
}
