/** What a mailing says of its invoices, as they are when it is written: the same in its mail and its document. */
import type { DocumentBody } from '#infra/typesetting/document-body';
import type { BuyerRow } from '#modules/buyers';
import { type InvoiceRow, listOpenLateCharges } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import { bankAccountOf } from '#modules/platforms';
import { type MailingRow, updateMailing } from './dunning-mailing.queries.ts';
import type { LookContext } from './look-context.ts';
import type { MailingInvoice } from './mailing.rules.ts';
import { type Reminder, reminderDocument, sealDocument } from './reminder-document.ts';

export async function composeReminder(
  context: LookContext,
  of: { mailing: MailingRow; buyer: BuyerRow; invoices: readonly InvoiceRow[]; today: string },
): Promise<Reminder> {
  const { mailing, buyer, today } = of;
  const { platform, vault } = context;
  const content = {
    creditor: await creditorName(context, mailing),
    company: buyer.legal_name,
    wording:
      mailing.kind === 'REMINDER' ? mailing.tone : (mailing.kind as 'BEFORE_DUE' | 'DUE' | 'LAST_REMINDER'),
    payByOn: mailing.pay_by,
    account: bankAccountOf(vault, platform),
  };
  return { buyer, content, invoices: await readCharges(context, of.invoices), today };
}

/** Stores what the document of a mailing says, sealed. */
export async function storeDocument(
  context: LookContext,
  mailing: MailingRow,
  reminder: Reminder,
): Promise<DocumentBody> {
  const body = reminderDocument(context, reminder);
  await updateMailing(context.db, mailing, { document_sealed: sealDocument(context.vault, mailing, body) });
  return body;
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
