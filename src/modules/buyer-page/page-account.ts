/** The contents of the page, once a code has opened it. The operations of the API read all of them. */
import { type Contact, toContact } from '#modules/buyers';
import {
  type CreditNote,
  getInvoiceFile,
  getInvoicePaymentDetails,
  type Invoice,
  type InvoiceFile,
  type InvoicePayment,
  type LateCharge,
  listCreditNotes,
  listInvoiceCharges,
  listInvoiceFiles,
  listInvoicePayments,
  listInvoices,
  type OwedSum,
  type PaymentDetails,
  readOpenItems,
} from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import type { AnsweredFile } from '#operation/file-body';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import type { BuyerPageDeps } from './deps.ts';
import { findOwnInvoice, nullIfMissing } from './own-invoice.ts';
import { type CreditDetails, readCredit } from './page-credit.ts';
import {
  type DisputeFormOnPage,
  type DisputeOnPage,
  disputableOf,
  readDisputeForm,
  readDisputes,
} from './page-disputes.ts';
import { readSentDocument, readSentDocuments, type SentDocumentOnPage } from './page-documents.ts';
import { buyerContextOf } from './page-form.ts';
import { listPageStatements, readPageStatement, type StatementOnPage } from './page-statements.ts';
import type { BuyerVisit } from './visit.ts';

/** The number of items on a page of a list. */
export const ITEMS_A_PAGE = 25;
/** Files for the buyer. Other files of an invoice are for those who finance it. */
const SHOWN_FILES: readonly InvoiceFile['kind'][] = ['INVOICE', 'CREDIT_NOTE'];
/** Those, and the files that the buyer itself sent with its disputes. */
const DOWNLOADED_FILES: readonly InvoiceFile['kind'][] = [...SHOWN_FILES, 'DISPUTE'];

export interface ListedItem {
  invoice: Invoice;
  merchantName: string;
}

export interface ItemList {
  items: ListedItem[];
  /** From 0. */
  page: number;
  hasMore: boolean;
}

export interface InvoiceOnPage extends ListedItem {
  charges: LateCharge[];
  /** The payments that were not reversed, the newest first. */
  payments: InvoicePayment[];
  creditNotes: CreditNote[];
  details: PaymentDetails;
  /** When the page was read, by the platform's clock. */
  now: number;
  files: InvoiceFile[];
  /** The documents sent about it, the oldest first. */
  sentDocuments: SentDocumentOnPage[];
  /** The latest first. */
  disputes: DisputeOnPage[];
  /** Whether an amount is owed and not yet disputed. */
  isDisputable: boolean;
}

/** The page of one buyer, for a browser that may see everything. */
export interface PageAccount {
  platformId: number;
  companyName: string;
  /** The address whose owner has opened the page. */
  email: string;
  /** The invoice to which the link leads; null for all. */
  invoiceExternalId: string | null;
  contacts: Contact[];
  reviewDays: number;
  openItems(page: number): Promise<ItemList & { sums: OwedSum[] }>;
  /** Lists settled and cancelled invoices, the newest first. */
  settledItems(page: number): Promise<ItemList>;
  /** Null for an unknown invoice, and for one of another buyer. */
  invoice(externalId: string): Promise<InvoiceOnPage | null>;
  /** Null like `invoice`, and for a file that is not for buyers. */
  file(invoiceExternalId: string, externalId: string): Promise<AnsweredFile | null>;
  /** Null like `invoice`, and for a document that was not sent about it. */
  sentDocument(invoiceExternalId: string, id: string): Promise<AnsweredFile | null>;
  /** The statement as of now, and those of recent months that have ended. */
  statements(): Promise<StatementOnPage[]>;
  /** Null for a name that is not in `statements`. */
  statement(name: string): Promise<AnsweredFile | null>;
  /** The content of a form for a dispute. Null like `invoice`. */
  disputeForm(invoiceExternalId: string, formId: string): Promise<DisputeFormOnPage | null>;
  credit(): Promise<CreditDetails>;
}

export function pageAccountOf(deps: BuyerPageDeps, visit: BuyerVisit, email: string): PageAccount {
  const context = buyerContextOf(deps, visit, 'read');
  const { key, buyer, contacts, link, platform, vault } = visit;
  return {
    platformId: key.platformId,
    companyName: buyer.legal_name ?? '',
    email,
    invoiceExternalId: link.invoiceExternalId,
    contacts: contacts.map((row) => toContact(row, vault)),
    reviewDays: platform.review_days,
    openItems: (page) => readOpen(context, key.externalId, page),
    settledItems: (page) => readSettled(context, key.externalId, page),
    invoice: (externalId) => readInvoice(context, visit, externalId),
    file: (invoice, externalId) => readFile(context, key.externalId, { invoice, externalId }),
    sentDocument: (invoice, id) => readSentDocument(context, key.externalId, { invoice, id }),
    statements: () => listPageStatements(context, key.externalId),
    statement: (name) => readPageStatement(context, key.externalId, name),
    disputeForm: (invoice, formId) => readDisputeForm(context, visit, { invoice, formId }),
    credit: () => readCredit(context, key.externalId),
  };
}

async function readOpen(context: Context, buyer: string, page: number) {
  const { items, sums } = await readOpenItems(context, buyer, {
    limit: ITEMS_A_PAGE,
    offset: page * ITEMS_A_PAGE,
  });
  const total = sums.reduce((count, { invoices }) => count + invoices, 0);
  const hasMore = (page + 1) * ITEMS_A_PAGE < total;
  return { items: await named(context, items), page, hasMore, sums };
}

async function readSettled(context: Context, buyer: string, page: number): Promise<ItemList> {
  const { items } = await runOperation(listInvoices, {
    context,
    input: {
      query: {
        ...{ buyer_external_id: [buyer], status: ['CLOSED', 'CANCELLED'], sort_by: '-invoiced_at' },
        ...{ limit: ITEMS_A_PAGE + 1, offset: page * ITEMS_A_PAGE },
      },
    },
  });
  const shown = await named(context, items.slice(0, ITEMS_A_PAGE));
  return { items: shown, page, hasMore: items.length > ITEMS_A_PAGE };
}

async function named({ db, platformId }: Context, invoices: Invoice[]): Promise<ListedItem[]> {
  return Promise.all(
    invoices.map(async (invoice) => {
      const merchant = await findMerchant(db, { platformId, externalId: invoice.merchant_external_id });
      return { invoice, merchantName: merchant ? shownName(merchant) : invoice.merchant_external_id };
    }),
  );
}

async function readInvoice(
  context: Context,
  visit: BuyerVisit,
  externalId: string,
): Promise<InvoiceOnPage | null> {
  const invoice = await findOwnInvoice(context, visit.key.externalId, externalId);
  if (invoice === null) return null;
  const input = { params: { external_id: externalId } };
  const [charges, payments, creditNotes, details, files, sentDocuments, [item], disputes] = await Promise.all(
    [
      runOperation(listInvoiceCharges, { context, input }),
      runOperation(listInvoicePayments, { context, input }),
      runOperation(listCreditNotes, { context, input: { query: { invoice_external_id: [externalId] } } }),
      runOperation(getInvoicePaymentDetails, { context, input }),
      runOperation(listInvoiceFiles, { context, input }),
      readSentDocuments(context, externalId),
      named(context, [invoice]),
      readDisputes(context, visit, invoice),
    ],
  );
  return {
    ...(item as ListedItem),
    charges: charges.items,
    payments: payments.items.filter(({ reversed_at }) => reversed_at === null),
    creditNotes: creditNotes.items,
    details,
    now: context.now,
    files: files.items.filter(({ kind }) => SHOWN_FILES.includes(kind)),
    sentDocuments,
    disputes,
    isDisputable: disputableOf(invoice) > 0,
  };
}

async function readFile(
  context: Context,
  buyer: string,
  { invoice, externalId }: { invoice: string; externalId: string },
): Promise<AnsweredFile | null> {
  if ((await findOwnInvoice(context, buyer, invoice)) === null) return null;
  const params = { external_id: invoice };
  const files = await runOperation(listInvoiceFiles, { context, input: { params } });
  const isShown = files.items.some(
    ({ external_id, kind }) => external_id === externalId && DOWNLOADED_FILES.includes(kind),
  );
  if (!isShown) return null;
  const read = runOperation(getInvoiceFile, {
    context,
    input: { params: { ...params, file_external_id: externalId } },
    answerOf: ({ file }) => file ?? null,
  });
  return nullIfMissing(read);
}
