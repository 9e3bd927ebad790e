/** What mailings say of their invoices, as they are when they are written: the same in the mail and the document of each. */

import { mapInTurns } from '#infra/time/in-turns';
import type { DocumentBody } from '#infra/typesetting/document-body';
import type { BuyerRow } from '#modules/buyers';
import { type InvoiceRow, listOpenLateCharges } from '#modules/invoices';
import { findMerchants, shownName } from '#modules/merchants';
import { bankAccountOf } from '#modules/platforms';
import { type MailingRow, writeDocuments } from './dunning-mailing.queries.ts';
import type { LookContext } from './look-context.ts';
import { type Reminder, reminderDocument, sealDocument } from './reminder-document.ts';

/** A mailing, and what it is about. */
export interface MailingToCompose {
  mailing: MailingRow;
  buyer: BuyerRow;
  /** Locked. */
  invoices: readonly InvoiceRow[];
  /** The day where the buyer is. */
  today: string;
}

/** In the order of the mailings. Their charges are read again: some may have been claimed with them. */
export async function composeReminders(
  context: LookContext,
  mailings: readonly MailingToCompose[],
): Promise<Reminder[]> {
  const { db, platform, vault } = context;
  const nameOf = await readCreditors(
    context,
    mailings.map(({ mailing }) => mailing.creditor),
  );
  const ids = mailings.flatMap(({ invoices }) => invoices.map(({ external_id }) => external_id));
  const charges = Map.groupBy(
    await listOpenLateCharges(db, platform.platform_id, ids),
    ({ invoice_external_id }) => invoice_external_id,
  );
  const account = bankAccountOf(vault, platform);
  return mailings.map(({ mailing, buyer, invoices, today }) => ({
    ...{ buyer, today },
    content: {
      creditor: nameOf(mailing.creditor),
      company: buyer.legal_name,
      wording:
        mailing.kind === 'REMINDER' ? mailing.tone : (mailing.kind as 'BEFORE_DUE' | 'DUE' | 'LAST_REMINDER'),
      payByOn: mailing.pay_by,
      account,
    },
    invoices: invoices.map((invoice) => ({ invoice, charges: charges.get(invoice.external_id) ?? [] })),
  }));
}

/** Stores what the document of each mailing says, sealed. Answers the documents in their order. */
export async function storeDocuments(
  context: LookContext,
  mailings: readonly { mailing: MailingRow; reminder: Reminder }[],
): Promise<DocumentBody[]> {
  const { db, platform, vault } = context;
  const bodies = await mapInTurns(mailings, ({ reminder }) => reminderDocument(context, reminder));
  const documents = mailings.map(({ mailing }, nth) => ({
    platformId: platform.platform_id,
    mailingId: mailing.mailing_id,
    sealed: sealDocument(vault, mailing, bodies[nth] as DocumentBody),
  }));
  await writeDocuments(db, platform.platform_id, documents);
  return bodies;
}

/** How mailings name these creditors; empty for the platform. */
async function readCreditors(
  { db, platform }: LookContext,
  creditors: readonly string[],
): Promise<(creditor: string) => string> {
  const { platform_id: platformId, account_holder: holder, name } = platform;
  const ids = [...new Set(creditors)].filter((id) => id !== '');
  const keys = ids.map((externalId) => ({ platformId, externalId }));
  const merchants = keys.length === 0 ? [] : await findMerchants(db, keys);
  const names = new Map(merchants.flatMap((each) => (each ? [[each.external_id, shownName(each)]] : [])));
  return (creditor) => (creditor === '' ? (holder ?? name) : (names.get(creditor) ?? creditor));
}
