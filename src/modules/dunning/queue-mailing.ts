/** Writes the mail of a mailing: in the transaction that holds the locks of its invoices. */
import { type InvoiceRow, listOpenLateCharges, reminderPremise } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import { type Addressees, composeMail, insertMails, mailsTo } from '#modules/notifications';
import { bankAccountOf } from '#modules/platforms';
import { type MailingRow, updateMailing } from './dunning-mailing.queries.ts';
import { isCourtesy } from './dunning-plan.rules.ts';
import type { LookContext } from './look-context.ts';
import { listedItems, type MailingInvoice } from './mailing.rules.ts';
import { type ReminderHead, reminderDocument, sealDocument } from './reminder-document.ts';

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
  const invoices = await readCharges(context, toQueue.invoices);
  const content = await contentOf(context, toQueue);
  const isDocument = !isCourtesy(mailing);
  if (isDocument) {
    const body = reminderDocument(context, { buyer: addressees.buyer, content, invoices, today });
    await updateMailing(db, mailing, { document_sealed: sealDocument(context.vault, mailing, body) });
  }
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

async function contentOf(
  context: LookContext,
  { mailing, addressees }: MailingToQueue,
): Promise<ReminderHead> {
  const { platform, vault } = context;
  return {
    creditor: await creditorName(context, mailing),
    company: addressees.buyer.legal_name,
    wording:
      mailing.kind === 'REMINDER' ? mailing.tone : (mailing.kind as 'BEFORE_DUE' | 'DUE' | 'LAST_REMINDER'),
    payByOn: mailing.pay_by,
    account: bankAccountOf(vault, platform),
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
