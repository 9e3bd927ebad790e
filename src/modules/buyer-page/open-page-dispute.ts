/** The form of a dispute: opens its disputes, and stores their files, in one transaction. */
import { createHash } from 'node:crypto';
import { inTransaction } from '#infra/database/transaction';
import { Problem } from '#kernel/problem';
import { createDispute, findDispute } from '#modules/disputes';
import { addDisputeFiles, lockVisibleInvoice } from '#modules/invoices';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import type { BuyerPageDeps } from './deps.ts';
import { readDispute, type TypedDispute, type WantedDispute } from './dispute-form.rules.ts';
import { findOwnInvoice } from './own-invoice.ts';
import { readDisputable } from './page-disputes.ts';
import { listPageFiles, type PageFormKey, releasePageFiles } from './page-file.queries.ts';
import { keepFormFiles, type SentFormFiles, tooManyFiles } from './page-files.ts';
import {
  buyerContextOf,
  LOCKED,
  MISSING,
  PAGE_DONE,
  type PageFormResult,
  pageRefused,
  UNKNOWN,
} from './page-form.ts';
import { type PageSender, readVisit } from './visit.ts';

export interface SentDispute {
  invoiceExternalId: string;
  /** A UUID, created when the page with the form was opened. */
  formId: string;
  typed: TypedDispute;
  files: SentFormFiles;
}

/** Opens the same form with the same content once, regardless of the number of requests. */
export async function openPageDispute(
  deps: BuyerPageDeps,
  sender: PageSender,
  { invoiceExternalId, formId, typed, files }: SentDispute,
): Promise<PageFormResult> {
  const visit = await readVisit(deps, deps.db, sender);
  if (visit === null) return UNKNOWN;
  if (visit.verifiedEmail === null) return LOCKED;
  const context = buyerContextOf(deps, visit, 'read', 'invoices:write');
  const invoice = await findOwnInvoice(context, visit.key.externalId, invoiceExternalId);
  if (invoice === null) return MISSING;
  const externalId = externalIdOf(formId, typed);
  if (await isOpened(context, invoiceExternalId, externalId)) return PAGE_DONE;

  const fileErrors = await keepFormFiles(deps, visit, { ...files, formId });
  const read = readDispute(typed, await readDisputable(context, invoice));
  if ('errors' in read) return pageRefused(...read.errors, ...fileErrors);
  if (fileErrors.length > 0) return pageRefused(...fileErrors);
  const form = { ...visit.key, formId };
  const opened = inTransaction(deps.db, async (db) => {
    const inside = { ...context, db };
    await openAll(inside, { form, invoiceExternalId, externalId, wanted: read.wanted });
    return PAGE_DONE;
  });
  const result = await opened.catch(refusalOf);
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}

interface NewDisputes {
  form: PageFormKey;
  invoiceExternalId: string;
  /** The external_id of the first dispute. */
  externalId: string;
  wanted: WantedDispute[];
}

async function openAll(
  context: Context,
  { form, invoiceExternalId, externalId, wanted }: NewDisputes,
): Promise<void> {
  const { db } = context;
  const invoice = await lockVisibleInvoice(context, invoiceExternalId);
  // The same form was sent at the same time.
  if (await isOpened(context, invoiceExternalId, externalId)) return;
  const files = (await listPageFiles(db, form)).map(({ file_id, media_type, name_sealed, sha256 }) => ({
    ...{ external_id: file_id, file_id, media_type, name_sealed, sha256 },
  }));
  await releasePageFiles(db, form);
  await addDisputeFiles(context, invoice, files);
  for (const [index, { reason, comment, lineNumber, amountMinor }] of wanted.entries()) {
    const body = {
      external_id: index === 0 ? externalId : `${externalId}-${index + 1}`,
      ...{ reason, line_number: lineNumber, amount: amountMinor, comment },
      file_external_ids: files.map(({ external_id }) => external_id),
    };
    const input = { params: { external_id: invoiceExternalId }, body };
    await runOperation(createDispute, { context, input });
  }
}

async function isOpened(
  { db, platformId }: Context,
  invoiceExternalId: string,
  externalId: string,
): Promise<boolean> {
  const known = await findDispute(db, { platformId, externalId });
  return known?.invoice_external_id === invoiceExternalId;
}

const ID_LENGTH = 32;

function externalIdOf(formId: string, typed: TypedDispute): string {
  const { about, amount, lines, reason, comment } = typed;
  const amounts = lines.map((line) => typed.amountOfLine(Number(line)));
  const content = JSON.stringify([formId, about, amount, lines, amounts, reason, comment]);
  return `dispute-${createHash('sha256').update(content).digest('hex').slice(0, ID_LENGTH)}`;
}

/** The error for changes by another window, or by the platform, since the form was opened. */
function refusalOf(error: unknown): PageFormResult {
  switch (error instanceof Problem ? error.reason : undefined) {
    case 'DISPUTE_EXCEEDS_OUTSTANDING':
    case 'LINE_ALREADY_DISPUTED':
      return pageRefused({ field: null, error: 'error.invoice_changed' });
    case 'INVOICE_NOT_DISPUTABLE':
      return pageRefused({ field: null, error: 'error.nothing_to_dispute' });
    case 'TOO_MANY_FILES':
      return pageRefused(tooManyFiles(0));
    default:
      throw error;
  }
}
