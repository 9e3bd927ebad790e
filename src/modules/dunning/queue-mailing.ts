/** Writes the mail of a mailing: in the transaction that holds the locks of its invoices. */
import { type BuyerOnFile, localeOfBuyer } from '#modules/buyers';
import { type InvoiceRow, listOpenLateCharges, reminderPremise } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import { composeMail, insertMails, type ReminderForMail } from '#modules/notifications';
import { bankAccountOf } from '#modules/platforms';
import type { MailingRow } from './dunning-mailing.queries.ts';
import { isCourtesy } from './dunning-plan.rules.ts';
import type { LookContext } from './look-context.ts';
import { listedItems, type MailingInvoice } from './mailing.rules.ts';

/** A mailing to be written. */
export interface MailingToQueue {
  mailing: MailingRow;
  /** With an address. */
  buyer: BuyerOnFile;
  /** Locked. */
  invoices: readonly InvoiceRow[];
  /** The day where the buyer is. */
  today: string;
}

/** The cause of a mail of a mailing, of which each composition has one. */
export const causeOf = ({ mailing_id, compositions }: Pick<MailingRow, 'mailing_id' | 'compositions'>) =>
  `dunning/${mailing_id}/${compositions}`;

/** Queues the mail. It is withdrawn when one of its invoices changes before it leaves. */
export async function queueMailing(context: LookContext, toQueue: MailingToQueue): Promise<void> {
  const { db, platform, deps, now } = context;
  const { mailing, buyer, invoices } = toQueue;
  const { language, formality } = localeOfBuyer(buyer, platform);
  const content = await contentOf(context, toQueue);
  const kind = isCourtesy(mailing) ? ('reminder_due_soon' as const) : ('reminder_overdue' as const);
  const mails = await composeMail(deps.vault, platform, {
    cause: causeOf(mailing),
    to: buyer.email as string,
    buyer: mailing.buyer_external_id,
    premises: invoices.map(({ external_id }) => reminderPremise(external_id)),
    ...{ kind, language, formality, content, now },
  });
  if (mails.length > 0) await insertMails(db, mails);
}

async function contentOf(
  context: LookContext,
  { mailing, buyer, invoices, today }: MailingToQueue,
): Promise<ReminderForMail> {
  const { platform, vault } = context;
  const withCharges = await readCharges(context, invoices);
  return {
    creditor: await creditorName(context, mailing),
    company: buyer.company?.legal_name ?? null,
    recipient: buyer.person && buyer.person.email === buyer.email ? nameOf(buyer.person) : null,
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

function nameOf({ first_name, last_name }: NonNullable<BuyerOnFile['person']>): string | null {
  return [first_name, last_name].filter((name) => name).join(' ') || null;
}
