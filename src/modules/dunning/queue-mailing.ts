/** Writes the mail of a mailing: in the transaction that holds the locks of its invoices. */
import { type InvoiceRow, listOpenLateCharges, reminderPremise } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import {
  type Addressees,
  composeMail,
  insertMails,
  mailsTo,
  type ReminderForMail,
} from '#modules/notifications';
import { bankAccountOf } from '#modules/platforms';
import type { MailingRow } from './dunning-mailing.queries.ts';
import { isCourtesy } from './dunning-plan.rules.ts';
import type { LookContext } from './look-context.ts';
import { listedItems, type MailingInvoice } from './mailing.rules.ts';

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
  const { mailing, addressees, invoices } = toQueue;
  const content = await contentOf(context, toQueue);
  const mails = mailsTo(addressees, ({ name: recipient }) => ({
    cause: causeOf(mailing),
    kind: isCourtesy(mailing) ? 'reminder_due_soon' : 'reminder_overdue',
    premises: invoices.map(({ external_id }) => reminderPremise(external_id)),
    content: { ...content, recipient },
  }));
  const baseUrl = deps.baseUrl() || null;
  const composed = await Promise.all(
    mails.map((mail) => composeMail(deps.vault, platform, { ...mail, now, baseUrl })),
  );
  if (composed.flat().length > 0) await insertMails(db, composed.flat());
}

async function contentOf(
  context: LookContext,
  { mailing, addressees, invoices, today }: MailingToQueue,
): Promise<Omit<ReminderForMail, 'recipient'>> {
  const { platform, vault } = context;
  const withCharges = await readCharges(context, invoices);
  return {
    creditor: await creditorName(context, mailing),
    company: addressees.buyer.legal_name,
    wording:
      mailing.kind === 'REMINDER' ? mailing.tone : (mailing.kind as 'BEFORE_DUE' | 'DUE' | 'LAST_REMINDER'),
    payByOn: mailing.pay_by,
    account: bankAccountOf(vault, platform),
    ...listedItems(withCharges, today),
  };
}

/** Read again: charges may have been claimed with the mailing. */
async function readCharges(
  { db, platform }: LookContext,
  invoices: readonly InvoiceRow[],
): Promise<MailingInvoice[]> {
  const ids = invoices.map(({ external_id }) => external_id);
  const charges = await listOpenLateCharges(db, platform.platform_id, ids);
  return invoices.map((invoice) => ({
    invoice,
    charges: charges.filter((charge) => charge.invoice_external_id === invoice.external_id),
  }));
}

async function creditorName({ db, platform }: LookContext, { creditor }: MailingRow): Promise<string> {
  const { platform_id: platformId, account_holder: holder, name } = platform;
  if (creditor === '') return holder ?? name;
  const merchant = await findMerchant(db, { platformId, externalId: creditor });
  return merchant ? shownName(merchant) : creditor;
}
