/** Mails buyers what becomes of their disputes, and the support of their platform that one waits. */
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import { type Dispute, findDispute, toDispute } from '#modules/disputes';
import { findInvoice, type InvoiceRow } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import {
  type Addressees,
  type DisputeForMail,
  type EventMail,
  findAddressees,
  mailsTo,
  type Notified,
  type Notifier,
  type NotifierContext,
  type Premise,
} from '#modules/notifications';
import { findInvoiceEmails } from '#modules/orders';
import { platformLanguage } from '#modules/platforms';
import { tolerant } from './tolerant.ts';

export const disputeNotifier: Notifier = {
  follower: 'dispute_mails',
  types: ['DISPUTE.OPENED', 'DISPUTE.RESOLVED'],
  notify: tolerant(notifyOfDispute),
};

/** A withdrawal makes no mail: the buyer made it. */
async function notifyOfDispute(context: NotifierContext, event: FollowedEvent): Promise<Notified> {
  const { reads, platform, vault } = context;
  const key = { platformId: platform.platform_id, externalId: event.resource_external_id };
  const row = await findDispute(reads, key);
  if (!row) return { mails: [] };
  const dispute = toDispute(row, vault);
  const premise: Premise = { kind: 'dispute', key: key.externalId, version: event.data.sequence as number };
  const cause = `dispute/${key.externalId}/${event.event_id}`;
  if (event.type === 'DISPUTE.OPENED') {
    const mails = await mailsToBuyer(context, dispute, (content) => ({
      ...{ cause, kind: 'dispute_opened', premises: [premise] },
      content: { ...content, isPausing: dispute.is_pausing },
    }));
    return { mails: [...mails, ...supportMails(context, dispute, premise)] };
  }
  if (dispute.status === 'WITHDRAWN') return { mails: [], changed: premise };
  const isAccepted = dispute.status === 'ACCEPTED';
  const mails = await mailsToBuyer(context, dispute, (content) => ({
    ...{ cause, kind: 'dispute_decided' },
    content: {
      ...content,
      ...{ isAccepted, comment: dispute.decision_comment },
      amountMinor: isAccepted ? dispute.accepted_amount : dispute.amount,
    },
  }));
  return { mails, changed: premise };
}

type Written = Parameters<typeof mailsTo>[1];

/** None where nobody can be written to. */
async function mailsToBuyer(
  context: NotifierContext,
  dispute: Dispute,
  mailOf: (content: DisputeForMail) => ReturnType<Written>,
): Promise<EventMail[]> {
  const { reads, platform } = context;
  const { platform_id: platformId } = platform;
  const { invoice_external_id: externalId, merchant_external_id } = dispute;
  const [invoice, merchant] = await Promise.all([
    findInvoice(reads, { platformId, externalId }),
    findMerchant(reads, { platformId, externalId: merchant_external_id }),
  ]);
  const addressees = invoice && (await addresseesOf(context, invoice));
  if (!addressees) return [];
  const content = {
    number: invoice.invoice_number ?? invoice.external_id,
    merchant: merchant ? shownName(merchant) : merchant_external_id,
    currency: dispute.currency,
    company: addressees.buyer.legal_name,
    amountMinor: dispute.amount,
  };
  return mailsTo(addressees, ({ name: recipient }) => mailOf({ ...content, recipient }));
}

/** As of a mail about the invoice. */
async function addresseesOf(context: NotifierContext, invoice: InvoiceRow): Promise<Addressees | undefined> {
  const { reads, platform, vault } = context;
  const { platform_id: platformId } = platform;
  const keys = invoice.order_external_ids.map((externalId) => ({ platformId, externalId }));
  return findAddressees(context, {
    buyerExternalId: invoice.buyer_external_id,
    orderEmails: await findInvoiceEmails(reads, vault, keys),
    contactExternalIds: [invoice.contact_external_id],
  });
}

function supportMails({ platform }: NotifierContext, dispute: Dispute, premise: Premise): EventMail[] {
  return platform.support_emails.map((to, nth) => ({
    cause: `dispute/${dispute.external_id}/support/${nth}`,
    ...{ kind: 'support_dispute_waiting', to, premises: [premise] },
    ...{ language: platformLanguage(platform), formality: platform.formality },
    content: { items: [[dispute.external_id, dispute.invoice_external_id]], count: 1 },
  }));
}
