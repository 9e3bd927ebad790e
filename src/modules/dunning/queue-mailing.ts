/** Writes the mail of a mailing: in the transaction that holds the locks of its invoices. */
import { type InvoiceRow, reminderPremise } from '#modules/invoices';
import { type Addressees, composeMail, insertMails, mailsTo } from '#modules/notifications';
import { composeReminder, storeDocument } from './compose-reminder.ts';
import type { MailingRow } from './dunning-mailing.queries.ts';
import { isCourtesy } from './dunning-plan.rules.ts';
import type { LookContext } from './look-context.ts';
import { listedItems } from './mailing.rules.ts';

/** A mailing to be written. */
export interface MailingToQueue {
  mailing: MailingRow;
  /** At least one. */
  addressees: Addressees;
  /** Locked. */
  invoices: readonly InvoiceRow[];
  /** The day where the buyer is. */
  today: string;
}

/** The cause of the mails of a mailing, of which each composition has its own. */
export const causeOf = ({ mailing_id, compositions }: Pick<MailingRow, 'mailing_id' | 'compositions'>) =>
  `dunning/${mailing_id}/${compositions}`;

/** Queues the mail to each recipient. It is withdrawn when one of its invoices changes before it leaves. */
export async function queueMailing(context: LookContext, toQueue: MailingToQueue): Promise<void> {
  const { db, platform, deps, now } = context;
  const { mailing, addressees, today } = toQueue;
  const reminder = await composeReminder(context, { ...toQueue, buyer: addressees.buyer });
  const { content, invoices } = reminder;
  const isDocument = !isCourtesy(mailing);
  if (isDocument) await storeDocument(context, mailing, reminder);
  const mails = mailsTo(addressees, ({ name: recipient }) => ({
    cause: causeOf(mailing),
    kind: isCourtesy(mailing) ? 'reminder_due_soon' : 'reminder_overdue',
    premises: invoices.map(({ invoice }) => reminderPremise(invoice.external_id)),
    content: { ...content, ...listedItems(invoices, today), recipient },
    files: isDocument ? [{ documentId: mailing.mailing_id, name: `reminder-${mailing.mailed_on}.pdf` }] : [],
  }));
  const baseUrl = deps.baseUrl() || null;
  const composed = await Promise.all(
    mails.map((mail) => composeMail(deps.vault, platform, { ...mail, now, baseUrl })),
  );
  if (composed.flat().length > 0) await insertMails(db, composed.flat());
}
