/** Deciding a dispute. The dispute, its credit note, the invoice, the buyer's overdue amount and the events are one transaction. */
import { randomUUID } from 'node:crypto';
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { localDayOf } from '#kernel/local-day';
import { refusal } from '#kernel/problem';
import {
  type CREDIT_REASONS,
  creditableOf,
  findInvoice,
  type InvoiceRow,
  issueCreditNote,
  recordDisputed,
} from '#modules/invoices';
import { recordEvents } from '#modules/webhooks';
import type { Caller } from '#operation/caller';
import { type DisputeEvent, disputeEvent } from './dispute.events.ts';
import { type DisputeTrigger, disputeLifecycle } from './dispute.lifecycle.ts';
import {
  type DisputeRow,
  sumOpenDisputes,
  updateDispute,
  writeDisputeTransition,
} from './dispute.queries.ts';
import { acceptedAmount, assertPaymentRecorded, type WantedAmount } from './dispute.rules.ts';
import type { DisputeAcceptance, DisputeReason } from './dispute.schemas.ts';
import { sealComment } from './dispute-view.ts';
import type { DisputeContext } from './open-dispute.ts';

/** The context of a decision. If the key is restricted to a merchant, the credit note is issued for that merchant. */
export type DecisionContext = DisputeContext & { caller: Pick<Caller, 'merchantExternalId'> };

/** The reason of the credit note for each reason of a dispute. */
const CREDIT_REASON_OF: Record<DisputeReason, (typeof CREDIT_REASONS)[number]> = {
  NOT_DELIVERED: 'CORRECTION',
  DAMAGED: 'DAMAGED',
  WRONG_PRICE: 'PRICE',
  NOT_ORDERED: 'CORRECTION',
  PAID_ALREADY: 'OTHER',
  OTHER: 'OTHER',
};

/**
 * Accepts a dispute of an invoice that `lockToSettle` has locked. A credit note takes off the accepted amount. A dispute PAID_ALREADY
 * gets no credit note; its payment must be recorded already. Throws INVALID_STATUS_TRANSITION, ACCEPTED_AMOUNT_EXCEEDS_DISPUTE,
 * DISPUTED_PAYMENT_NOT_RECORDED, and what `issueCreditNote` throws.
 */
export async function acceptLockedDispute(
  context: DecisionContext,
  invoice: InvoiceRow,
  dispute: DisputeRow,
  { amount: wanted, credit_note_external_id, comment }: Acceptance,
): Promise<DisputeRow> {
  transitionOf(disputeLifecycle, dispute.status, 'accept');
  if (dispute.reason === 'PAID_ALREADY') {
    assertPaymentRecorded(dispute, invoice);
    return decide(context, invoice, dispute, { trigger: 'accept', comment, accepted_amount: dispute.amount });
  }
  const amount = acceptedAmount(dispute.amount, creditableOf(invoice), wanted);
  if (amount.gross === 0)
    throw refusal('CREDIT_NOTE_EXCEEDS_INVOICE', 'The invoice is already credited in full', {
      ...{ requested: amount, available: creditableOf(invoice), currency: invoice.currency },
    });
  const note = await issueCreditNote(context, {
    external_id: credit_note_external_id ?? randomUUID(),
    invoice_external_id: invoice.external_id,
    reason_code: CREDIT_REASON_OF[dispute.reason],
    amount,
  });
  const { platformId, db } = context;
  const credited = await findInvoice(db, { platformId, externalId: invoice.external_id });
  return decide(context, credited as InvoiceRow, dispute, {
    ...{ trigger: 'accept', comment, accepted_amount: amount.gross },
    credit_note_external_id: note.external_id,
  });
}

/** Rejects a dispute of a locked invoice, or withdraws it for the buyer. Throws INVALID_STATUS_TRANSITION. */
export async function endLockedDispute(
  context: DisputeContext,
  invoice: InvoiceRow,
  dispute: DisputeRow,
  trigger: 'reject' | 'withdraw',
  comment: string | null | undefined,
): Promise<DisputeRow> {
  return decide(context, invoice, dispute, { trigger, comment });
}

/** A gross amount without net and tax has tax in the proportion of the invoice. */
interface Acceptance extends Omit<DisputeAcceptance, 'amount'> {
  amount?: WantedAmount | undefined;
}

interface Decision extends Partial<Pick<DisputeRow, 'accepted_amount' | 'credit_note_external_id'>> {
  trigger: DisputeTrigger;
  comment: string | null | undefined;
}

async function decide(
  context: DisputeContext,
  invoice: InvoiceRow,
  dispute: DisputeRow,
  { trigger, comment, ...accepted }: Decision,
): Promise<DisputeRow> {
  const { db, platformId, actor, now, timeZone, vault } = context;
  const transition = transitionOf(disputeLifecycle, dispute.status, trigger);
  const commentSealed = sealComment(vault, dispute.external_id, 'decision', comment);
  const decidedOn = localDayOf(now, timeZone);
  const decided = await updateDispute(
    db,
    { platformId, externalId: dispute.external_id },
    {
      ...accepted,
      ...nextVersion(dispute, now),
      status: transition.to,
      decided_on: decidedOn,
      decided_by: actor,
      decision_sealed: commentSealed,
    },
  );
  await writeDisputeTransition(db, platformId, { dispute: decided, transition, actor, commentSealed });
  const sums = await sumOpenDisputes(db, { platformId, externalId: invoice.external_id });
  const days = { from: dispute.opened_on, until: decidedOn };
  await recordDisputed(context, invoice, sums, dispute.is_pausing ? days : undefined);
  await recordEvents(db, [disputeEvent(transition.event as DisputeEvent['type'], decided)]);
  return decided;
}
