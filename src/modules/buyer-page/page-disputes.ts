/** The disputes of an invoice as its buyer sees them, and the form for another one. */
import { type Dispute, listDisputes } from '#modules/disputes';
import { type Invoice, type InvoiceFile, listInvoiceFiles } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import { findApiKey } from '#modules/platforms';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { type Disputable, linesWithTax } from './dispute-form.rules.ts';
import { findOwnInvoice } from './own-invoice.ts';
import { type KeptFile, listKeptFiles } from './page-files.ts';
import { ACTOR } from './page-form.ts';
import type { BuyerVisit } from './visit.ts';

/** More than an invoice has in practice. */
const DISPUTES_MAX = 100;

export interface DisputeOnPage {
  dispute: Dispute;
  /** Null without a line. */
  lineName: string | null;
  /** The files of the dispute that still exist. */
  files: Pick<InvoiceFile, 'external_id' | 'name'>[];
  /** The platform, the merchant or the company of the buyer; null while the dispute is open. */
  decidedBy: string | null;
}

export interface DisputeFormOnPage extends Disputable {
  invoice: Invoice;
  merchantName: string;
  /** The files kept from a refused attempt. */
  files: KeptFile[];
}

type Visit = Pick<BuyerVisit, 'key' | 'vault' | 'platform' | 'buyer'>;

/** The amount of the invoice that is owed and not yet disputed, in minor units. */
export function disputableOf({ outstanding_amount, disputed_amount }: Invoice): number {
  return Math.max(0, outstanding_amount - disputed_amount);
}

/** Lists the latest first. */
export async function readDisputes(
  context: Context,
  visit: Visit,
  invoice: Invoice,
): Promise<DisputeOnPage[]> {
  const disputes = await listedDisputes(context, invoice);
  if (disputes.length === 0) return [];
  const params = { external_id: invoice.external_id };
  const { items: files } = await runOperation(listInvoiceFiles, { context, input: { params } });
  const shown = disputes.map(async (dispute) => ({
    dispute,
    lineName: invoice.line_items[(dispute.line_number ?? 0) - 1]?.name ?? null,
    files: files.filter(
      ({ kind, external_id }) => kind === 'DISPUTE' && dispute.file_external_ids.includes(external_id),
    ),
    decidedBy: dispute.decided_by === null ? null : await nameOf(context, visit, dispute),
  }));
  return (await Promise.all(shown)).reverse();
}

/** Null for an unknown invoice, and for one of another buyer. */
export async function readDisputeForm(
  context: Context,
  { key, vault }: Visit,
  { invoice: externalId, formId }: { invoice: string; formId: string },
): Promise<DisputeFormOnPage | null> {
  const invoice = await findOwnInvoice(context, key.externalId, externalId);
  if (invoice === null) return null;
  const [disputable, files, merchantName] = await Promise.all([
    readDisputable(context, invoice),
    listKeptFiles(context.db, vault, { ...key, formId }),
    merchantNameOf(context, invoice),
  ]);
  return { ...disputable, invoice, files, merchantName };
}

/** The amount and lines of the invoice that can be disputed. */
export async function readDisputable(context: Context, invoice: Invoice): Promise<Disputable> {
  const open = (await listedDisputes(context, invoice)).filter(({ status }) => status === 'OPEN');
  const lines = linesWithTax(invoice.line_items, invoice.amount);
  return {
    currency: invoice.amount.currency,
    availableMinor: disputableOf(invoice),
    lines: lines.map((line) => ({
      ...line,
      isDisputed: open.some(({ line_number }) => line_number === line.number),
    })),
  };
}

async function listedDisputes(context: Context, { external_id }: Invoice): Promise<Dispute[]> {
  const input = { params: { external_id }, query: { limit: DISPUTES_MAX } };
  return (await runOperation(listDisputes, { context, input })).items;
}

/** The name of the party that decided. A key that is restricted to a merchant decides in its name, any other in that of the platform. */
async function nameOf(
  context: Context,
  { platform, buyer }: Visit,
  { decided_by: actor, merchant_external_id }: Dispute,
): Promise<string> {
  if (actor === ACTOR) return buyer.legal_name ?? platform.name;
  const keyId = /^api_key:(.+)$/.exec(actor ?? '')?.[1];
  const key = keyId === undefined ? undefined : await findApiKey(context.db, keyId);
  return key?.merchant_external_id ? merchantNameOf(context, { merchant_external_id }) : platform.name;
}

async function merchantNameOf(
  { db, platformId }: Context,
  { merchant_external_id: externalId }: Pick<Invoice, 'merchant_external_id'>,
): Promise<string> {
  const merchant = await findMerchant(db, { platformId, externalId });
  return merchant ? shownName(merchant) : externalId;
}
