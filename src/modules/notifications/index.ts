export { mailLifecycle } from './mail.lifecycle.ts';
export {
  type ClaimedMail,
  claimMails,
  findMail,
  finishMail,
  insertMails,
  listMails,
  type MailContent,
  type MailRow,
  type NewMailRow,
  openMail,
  postponeMails,
  pruneMails,
  retryMails,
  takeFailedMails,
} from './mail.queries.ts';
export { findMailBacklog } from './mail-backlog.queries.ts';
export {
  type MailContents,
  type MailKind,
  type OrderForMail,
  type OrderLink,
  SUPPORT_KINDS,
  type SupportKind,
} from './mail-contents.ts';
export { composeMail, type MailRequest, queueMail } from './queue-mail.ts';
export { attemptMail, type MailSender } from './send-mail.ts';
