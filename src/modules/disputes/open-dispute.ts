/** Opening a dispute. The dispute, the disputed amount of the invoice, its buyer's overdue amount and the event are one transaction. */
import type { PlatformVault } from '#infra/secrets/vault';
import { transitionOf } from '#kernel/lifecycle';
import { localDayOf } from '#kernel/local-day';
import { referenceNotFound } from '#kernel/missing-entity';
import { refusal } from '#kernel/problem';
import { findInvoiceFile, type InvoiceRow, recordDisputed } from '#modules/invoices';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext, Context } from '#operation/operation';
import { disputeEvent } from './dispute.events.ts';
import { disputeLifecycle } from './dispute.lifecycle.ts';
import {
  type DisputeRow,
  findOpenDisputeOfLine,
  insertDispute,
  sumOpenDisputes,
  writeDisputeTransition,
} from './dispute.queries.ts';
import { assertDisputeCreation, disputableAmount } from './dispute.rules.ts';
import type { DisputeCreation } from './dispute.schemas.ts';
import { sealComment } from './dispute-view.ts';

/** The context that a change of a dispute needs. */
export type DisputeContext = ChangeContext & Pick<Context, 'timeZone'> & { vault: PlatformVault };

/**
 * Opens a dispute of a locked invoice. The lock ensures that of two concurrent disputes that together exceed the outstanding amount,
 * one is refused. Throws a 400, EXTERNAL_ID_ALREADY_EXISTS, REFERENCED_ENTITY_NOT_FOUND, INVOICE_NOT_DISPUTABLE, LINE_ALREADY_DISPUTED
 * and DISPUTE_EXCEEDS_OUTSTANDING.
 */
export async function openDispute(
  context: DisputeContext,
  invoice: InvoiceRow,
  body: DisputeCreation,
): Promise<DisputeRow> {
  const { db, platformId, actor, now, timeZone, vault } = context;
  assertDisputeCreation(body, invoice);
  await assertFiles(context, invoice, body.file_external_ids ?? []);
  await assertLineFree(context, invoice, body.line_number ?? null);
  const amount = disputableAmount(invoice, body.amount ?? null);
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const transition = transitionOf(disputeLifecycle, null, 'open');
  const commentSealed = sealComment(vault, body.external_id, 'comment', body.comment);
  const dispute = await insertDispute(db, platformId, {
    external_id: body.external_id,
    status: transition.to,
    invoice_external_id: invoice.external_id,
    buyer_external_id: invoice.buyer_external_id,
    merchant_external_id: invoice.merchant_external_id,
    created_at: now,
    updated_at: now,
    opened_on: localDayOf(now, timeZone),
    reason: body.reason,
    line_number: body.line_number ?? null,
    currency: invoice.currency,
    amount,
    is_pausing: platform.disputes_pause,
    invoice_paid_amount: invoice.paid_amount,
    comment_sealed: commentSealed,
    file_external_ids: body.file_external_ids ?? [],
    opened_by: actor,
  });
  if (!dispute) throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A dispute with this external_id already exists');
  await writeDisputeTransition(db, platformId, { dispute, transition, actor, commentSealed });
  const sums = await sumOpenDisputes(db, { platformId, externalId: invoice.external_id });
  await recordDisputed(context, invoice, sums);
  await recordEvents(db, [disputeEvent('DISPUTE.OPENED', dispute)]);
  return dispute;
}

async function assertFiles(
  { db, platformId }: DisputeContext,
  { external_id: externalId }: InvoiceRow,
  files: readonly string[],
): Promise<void> {
  for (const [index, file] of files.entries())
    if (!(await findInvoiceFile(db, { platformId, externalId }, file)))
      throw referenceNotFound('The invoice has no file with this external_id', {
        field: `body.file_external_ids.${index}`,
        value: file,
        remedy: 'GET /v1/invoices/{external_id}/files lists the files; POST adds one.',
      });
}

async function assertLineFree(
  { db, platformId }: DisputeContext,
  { external_id: externalId }: InvoiceRow,
  lineNumber: number | null,
): Promise<void> {
  if (lineNumber === null) return;
  const open = await findOpenDisputeOfLine(db, { platformId, externalId }, lineNumber);
  if (open === undefined) return;
  throw refusal('LINE_ALREADY_DISPUTED', `Line ${lineNumber} of the invoice is already disputed`, {
    dispute_external_id: open,
  });
}
