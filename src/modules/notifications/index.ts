export { type MailStatus, mailLifecycle } from './mail.lifecycle.ts';
export {
  type ClaimedMail,
  claimMails,
  findMail,
  finishMail,
  listMails,
  type MailContent,
  type MailRow,
  openMail,
  postponeMails,
  pruneMails,
  retryMails,
} from './mail.queries.ts';
export type { MailContents, MailKind, OrderWords } from './mail-contents.ts';
export { type MailOrder, queueMail } from './queue-mail.ts';
export { renderMail } from './render-mail.ts';
export { attemptMail, type MailSender } from './send-mail.ts';
