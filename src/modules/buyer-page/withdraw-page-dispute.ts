/** The button next to an open dispute, with which the buyer withdraws it. */
import { Problem } from '#kernel/problem';
import { withdrawDispute } from '#modules/disputes';
import { runOperation } from '#operation/run-operation';
import type { BuyerPageDeps } from './deps.ts';
import { findOwnInvoice } from './own-invoice.ts';
import { buyerContextOf, LOCKED, MISSING, PAGE_DONE, type PageFormResult, UNKNOWN } from './page-form.ts';
import { type PageSender, readVisit } from './visit.ts';

/** Also done if the dispute was already decided: the page then shows the decision. */
export async function withdrawPageDispute(
  deps: BuyerPageDeps,
  sender: PageSender,
  { invoiceExternalId, externalId }: { invoiceExternalId: string; externalId: string },
): Promise<PageFormResult> {
  const visit = await readVisit(deps, deps.db, sender);
  if (visit === null) return UNKNOWN;
  if (visit.verifiedEmail === null) return LOCKED;
  const context = buyerContextOf(deps, visit, 'read', 'invoices:write');
  if ((await findOwnInvoice(context, visit.key.externalId, invoiceExternalId)) === null) return MISSING;
  try {
    await runOperation(withdrawDispute, {
      context,
      input: { params: { external_id: invoiceExternalId, dispute_external_id: externalId } },
      onCommitted: deps.onCommitted,
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'NOT_FOUND') return MISSING;
    if (error.reason !== 'INVALID_STATUS_TRANSITION') throw error;
  }
  return PAGE_DONE;
}
