/** Writes the mails of mailings, in the transaction that holds the locks of their invoices. */
import { patiently } from '#infra/time/give-way';
import { mapInTurns } from '#infra/time/in-turns';
import { type InvoiceRow, reminderPremise } from '#modules/invoices';
import { type Addressees, composeMail, insertMails, mailsTo } from '#modules/notifications';
import { composeReminders, documentIdOf, fileReminders } from './compose-reminder.ts';
import type { MailingRow } from './dunning-mailing.queries.ts';
import { isCourtesy } from './dunning-plan.rules.ts';
import type { LookContext } from './look-context.ts';
import { listedItems } from './mailing.rules.ts';
import type { Reminder } from './reminder-document.ts';

/** A mail has about ten kilobytes, and requests wait while a statement with many mails is serialized. */
const INSERTED_AT_ONCE = 16;

/** A mailing to be written. */
export interface MailingToQueue {
  mailing: MailingRow;
  /** Has at least one recipient. */
  addressees: Addressees;
  /** Locked. */
  invoices: readonly InvoiceRow[];
  /** The current day in the buyer's time zone. */
  today: string;
}

/** The cause of the mails of a mailing. Each composition has its own. */
export const causeOf = ({ mailing_id, compositions }: Pick<MailingRow, 'mailing_id' | 'compositions'>) =>
  `dunning/${mailing_id}/${compositions}`;

/** Queues a mail to each recipient. It is withdrawn if one of its invoices changes before it leaves. */
export async function queueMailings(context: LookContext, all: readonly MailingToQueue[]): Promise<void> {
  const { db, platform, deps, now } = context;
  const reminders = await composeReminders(
    context,
    all.map((each) => ({ ...each, buyer: each.addressees.buyer })),
  );
  const queued = all.map((each, nth) => ({ ...each, reminder: reminders[nth] as Reminder }));
  await fileReminders(
    context,
    queued
      .filter(({ mailing }) => !isCourtesy(mailing))
      .map((each) => ({ ...each, causes: mailsOf(each).map(({ cause }) => cause) })),
  );
  const baseUrl = deps.baseUrl() || null;
  const mails = queued.flatMap(mailsOf);
  const giveWay = deps.giveWay && patiently(deps.giveWay);
  // The next mails are composed while the database writes.
  let inserting: Promise<unknown> = Promise.resolve();
  try {
    for (let at = 0; at < mails.length; at += INSERTED_AT_ONCE) {
      const compose = (mail: (typeof mails)[number]) =>
        composeMail(deps.vault, platform, { ...mail, now, baseUrl });
      const composing = mapInTurns(mails.slice(at, at + INSERTED_AT_ONCE), compose, giveWay);
      const [composed] = await Promise.all([composing, inserting]);
      if (composed.flat().length > 0) inserting = insertMails(db, composed.flat());
    }
  } finally {
    // Also if a mail cannot be composed: no statement may run after the end of the transaction.
    await inserting;
  }
}

function mailsOf({ mailing, addressees, today, reminder }: MailingToQueue & { reminder: Reminder }) {
  const { content, invoices } = reminder;
  return mailsTo(addressees, ({ name: recipient }) => ({
    cause: causeOf(mailing),
    kind: isCourtesy(mailing) ? 'reminder_due_soon' : 'reminder_overdue',
    premises: invoices.map(({ invoice }) => reminderPremise(invoice.external_id)),
    content: { ...content, ...listedItems(invoices, today), recipient },
    files: isCourtesy(mailing)
      ? []
      : [{ documentId: documentIdOf(mailing), name: `reminder-${mailing.mailed_on}.pdf` }],
  }));
}
