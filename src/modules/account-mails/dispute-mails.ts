/** Mails to buyers about decisions on their disputes, and to the support of their platform about waiting disputes. */
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import { type Dispute, findDispute, toDispute } from '#modules/disputes';
import {
  type DisputeForMail,
  type EventMail,
  mailsTo,
  type Notified,
  type Notifier,
  type NotifierContext,
  type Premise,
} from '#modules/notifications';
import { platformLanguage } from '#modules/platforms';
import { readInvoiceFacts } from './invoice-facts.ts';
import { tolerant } from './tolerant.ts';

export const disputeNotifier: Notifier = {
  follower: 'dispute_mails',
  types: ['DISPUTE.OPENED', 'DISPUTE.RESOLVED'],
  notify: tolerant(notifyOfDispute),
};

/** A withdrawal causes no mail, because the buyer made it. */
async function notifyOfDispute(context: NotifierContext, event: FollowedEvent): Promise<Notified> {
  const { reads, platform, vault } = context;
  const key = { platformId: platform.platform_id, externalId: event.resource_external_id };
  const row = await findDispute(reads, key);
  if (!row) return { mails: [] };
  const dispute = toDispute(row, vault);
  const premise: Premise = { kind: 'dispute', key: key.externalId, version: event.data.sequence as number };
  const cause = `dispute/${key.externalId}/${event.event_id}`;
  if (event.type === 'DISPUTE.OPENED') {
    const mails = await mailsToBuyer(context, dispute, event.occurred_at, (content) => ({
      ...{ cause, kind: 'dispute_opened', premises: [premise] },
      content: { ...content, isPausing: dispute.is_pausing },
    }));
    return { mails: [...mails, ...supportMails(context, dispute, premise)] };
  }
  if (dispute.status === 'WITHDRAWN') return { mails: [], changed: premise };
  const isAccepted = dispute.status === 'ACCEPTED';
  const mails = await mailsToBuyer(context, dispute, event.occurred_at, (content) => ({
    ...{ cause, kind: 'dispute_decided' },
    content: {
      ...content,
      ...{ isAccepted, isCredited: dispute.credit_note_external_id !== null },
      comment: dispute.decision_comment,
      amountMinor: isAccepted ? dispute.accepted_amount : dispute.amount,
    },
  }));
  return { mails, changed: premise };
}

/** Empty if the buyer has no usable address. */
async function mailsToBuyer(
  context: NotifierContext,
  dispute: Dispute,
  now: number,
  mailOf: (content: DisputeForMail) => ReturnType<Parameters<typeof mailsTo>[1]>,
): Promise<EventMail[]> {
  const { invoice_external_id: invoice, amount: amountMinor } = dispute;
  const facts = await readInvoiceFacts(context, invoice, now);
  if (facts === null) return [];
  const { addressees, content } = facts;
  const mails = mailsTo(addressees, ({ name: recipient }) => mailOf({ ...content, amountMinor, recipient }));
  return mails.map((mail) => ({ ...mail, invoice }));
}

function supportMails({ platform }: NotifierContext, dispute: Dispute, premise: Premise): EventMail[] {
  return platform.support_emails.map((to, nth) => ({
    cause: `dispute/${dispute.external_id}/support/${nth}`,
    ...{ kind: 'support_dispute_waiting', to, premises: [premise] },
    ...{ language: platformLanguage(platform), formality: platform.formality },
    content: { items: [[dispute.external_id, dispute.invoice_external_id]], count: 1 },
  }));
}
