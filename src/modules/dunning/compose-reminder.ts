/** The content of mailings about their invoices, as of the instant at which they are written: the same for the mail and its document. */
import { mapInTurns } from '#infra/time/in-turns';
import type { DocumentBody } from '#infra/typesetting/document-body';
import type { BuyerRow } from '#modules/buyers';
import { type InvoiceRow, listOpenLateCharges } from '#modules/invoices';
import { findMerchants, shownName } from '#modules/merchants';
import { bankAccountOf } from '#modules/platforms';
import { fileDocuments } from '#modules/statements';
import type { MailingRow } from './dunning-mailing.queries.ts';
import type { LookContext } from './look-context.ts';
import { oldestFirst } from './mailing.rules.ts';
import { DOCUMENT_LISTED_MAX, type Reminder, reminderDocument } from './reminder-document.ts';

/** A mailing, and its invoices. */
export interface MailingToCompose {
  mailing: MailingRow;
  buyer: BuyerRow;
  /** Locked. */
  invoices: readonly InvoiceRow[];
  /** The current day in the buyer's time zone. */
  today: string;
}

/** Returns in the order of the mailings. Reads the charges of the invoices again: some may have been claimed with the mailing. */
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

/** The name of the document of a mailing. Each composition has its own document; the first has the id of the mailing. */
export const documentIdOf = ({ mailing_id, compositions }: MailingRow) =>
  compositions === 1 ? mailing_id : `${mailing_id}-${compositions}`;

/** A mailing whose document is filed. */
export interface MailingToFile {
  mailing: MailingRow;
  reminder: Reminder;
  /** The causes of the mails, or of the letter, that carry the document. */
  causes: readonly string[];
}

/** Files the document of each mailing with the invoices that it lists. Returns the documents in the order of the mailings. */
export async function fileReminders(
  { db, platform, deps, vault, now }: LookContext,
  mailings: readonly MailingToFile[],
): Promise<DocumentBody[]> {
  const documents = await mapInTurns(mailings, ({ mailing, reminder, causes }) => {
    const listed = oldestFirst(reminder.invoices).slice(0, DOCUMENT_LISTED_MAX);
    const [merchant = null, ...others] = new Set(listed.map(({ invoice }) => invoice.merchant_external_id));
    return {
      ...{ documentId: documentIdOf(mailing), kind: 'REMINDER' as const, causes, filedAt: now },
      invoiceExternalIds: listed.map(({ invoice }) => invoice.external_id),
      merchantExternalId: others.length === 0 ? merchant : null,
      body: reminderDocument({ platform, deps, now }, reminder),
    };
  });
  await fileDocuments({ db, vault, platformId: platform.platform_id }, documents);
  return documents.map(({ body }) => body);
}

/** The names of these creditors in mailings; the creditor of the platform is empty. */
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
