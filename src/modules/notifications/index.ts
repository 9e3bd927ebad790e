export { type Addressees, findAddressees, findAddresseesOfAll, mailsTo } from './find-addressees.ts';
export { type MailStatus, mailLifecycle } from './mail.lifecycle.ts';
export {
  findMail,
  hasMail,
  insertMails,
  listMailStatuses,
  listMails,
  MAILS_KEPT_SECONDS,
  type MailContent,
  type MailRow,
  type NewMailRow,
  openMail,
  pruneMails,
  retryMails,
  takeFailedMails,
} from './mail.queries.ts';
export {
  type ClaimedMail,
  claimMails,
  finishMail,
  listMailsUnderWay,
  MAIL_LEASE_SECONDS,
  postponeMails,
} from './mail-attempt.queries.ts';
export { findMailBacklog } from './mail-backlog.queries.ts';
export type {
  DisputeForMail,
  FacilityForMail,
  InvoiceForMail,
  MailContents,
  MerchantForMail,
  OrderForMail,
  OrderLink,
  PayoutForMail,
  ReminderForMail,
} from './mail-contents.ts';
export { mailExamples } from './mail-examples.ts';
export { insertLetterNotice, listNotices, openReply, pruneNotices, wasNotified } from './notice.queries.ts';
export {
  type EventMail,
  type Notified,
  type Notifier,
  type NotifierContext,
  type NotifierDeps,
  notifyOfEvents,
} from './notify-of-events.ts';
export { listMessages } from './operations/list-messages.ts';
export {
  listPremiseKeys,
  type Premise,
  withdrawFailedMails,
  withdrawMail,
  withdrawMails,
} from './premise.queries.ts';
export { composeMail, type MailRequest, previewMail, queueMail } from './queue-mail.ts';
export { reminderWords } from './reminder-body.ts';
export { attemptMail, type MailSender } from './send-mail.ts';
