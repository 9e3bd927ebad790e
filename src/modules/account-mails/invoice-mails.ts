/** Mails to buyers about their invoices. The code that records the changes of invoices does not know these mails. */
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import type { EventType } from '#kernel/event';
import { isDisputeCredited } from '#modules/disputes';
import { type InvoiceRow, isBuyerSettled } from '#modules/invoices';
import { statedLateCharges } from '#modules/late-charges';
import {
  mailsTo,
  type Notified,
  type Notifier,
  type NotifierContext,
  type Premise,
} from '#modules/notifications';
import { documentIdOfCause, fileDocuments, invoiceDocumentOf } from '#modules/statements';
import { type InvoiceFacts, readInvoiceFacts } from './invoice-facts.ts';
import { tolerant } from './tolerant.ts';

const MAILED: readonly EventType[] = [
  'INVOICE.CREATED',
  'INVOICE.CANCELLED',
  'INVOICE.CLOSED',
  'INVOICE.FINANCING.ACCEPTED',
  'INVOICE.PAYMENT.RECORDED',
  'INVOICE.PAYMENT.REVERSED',
  'CREDIT_NOTE.CREATED',
];

export const invoiceNotifier: Notifier = {
  follower: 'invoice_mails',
  types: MAILED,
  notify: tolerant(notifyOfInvoice),
};

const invoicePremise = (key: string, version: number): Premise => ({ kind: 'invoice', key, version });

async function notifyOfInvoice(context: NotifierContext, event: FollowedEvent): Promise<Notified> {
  const { type, data, resource_external_id: resource, occurred_at: now } = event;
  if (type === 'INVOICE.CLOSED' || type === 'INVOICE.CANCELLED')
    return { mails: [], changed: invoicePremise(resource, data.sequence as number) };
  const externalId = (data.invoice_external_id as string | undefined) ?? resource;
  const facts = await readInvoiceFacts(context, externalId, now);
  if (facts === null) return { mails: [] };
  const { external_id: invoice } = facts.invoice;
  return { mails: (await mailsOf(context, event, facts)).map((mail) => ({ ...mail, invoice })) };
}

async function mailsOf(
  context: NotifierContext,
  event: FollowedEvent,
  facts: InvoiceFacts,
): Promise<Notified['mails']> {
  const { type, data, event_id, occurred_at } = event;
  const { invoice, addressees, content } = facts;
  const cause = `invoice/${invoice.external_id}/${event_id}`;
  const amountMinor = type === 'CREDIT_NOTE.CREATED' ? grossOf(data) : (data.amount as number);
  switch (type) {
    case 'INVOICE.CREATED':
      // An invoice that is recorded after its due day was sent to the buyer long ago.
      if (invoice.outstanding_amount === 0 || invoice.due_at <= occurred_at) return [];
      if (facts.notice !== null) return noticeMails(context, facts, occurred_at);
      return issuedMails(context, facts, cause);
    case 'INVOICE.FINANCING.ACCEPTED':
      return facts.notice === null || invoice.outstanding_amount === 0
        ? []
        : noticeMails(context, facts, occurred_at);
    case 'INVOICE.PAYMENT.RECORDED': {
      const isSettled = await isLastPayment(context, facts, data);
      return mailsTo(addressees, ({ name: recipient }) => ({
        ...{ cause, kind: isSettled ? 'account_settled' : 'payment_received' },
        content: { ...content, recipient, amountMinor },
      }));
    }
    case 'INVOICE.PAYMENT.REVERSED':
      return mailsTo(addressees, ({ name: recipient }) => ({
        ...{ cause, kind: 'payment_returned', premises: premisesOf(invoice) },
        content: { ...content, recipient, amountMinor },
      }));
    default:
      if (await isSaidWithDispute(context, event, invoice)) return [];
      return mailsTo(addressees, ({ name: recipient }) => ({
        ...{ cause, kind: 'credit_note_issued' },
        content: { ...content, recipient, amountMinor },
      }));
  }
}

/** The invoice with its payment details, and the texts that the law requires. */
async function issuedMails(
  context: NotifierContext,
  facts: InvoiceFacts,
  cause: string,
): Promise<Notified['mails']> {
  const { invoice, addressees, content } = facts;
  const legal = await legalWords(context, facts);
  return mailsTo(addressees, ({ name: recipient }) => ({
    ...{ cause, kind: 'invoice_issued', premises: premisesOf(invoice) },
    content: { ...content, recipient, legal },
  }));
}

async function legalWords(
  { reads, platform }: NotifierContext,
  { invoice, merchant, addressees: { buyer } }: InvoiceFacts,
) {
  return merchant ? statedLateCharges(reads, { platform, merchant, buyer, invoice }) : null;
}

const premisesOf = ({ external_id, version }: InvoiceRow) => [invoicePremise(external_id, version)];

const grossOf = ({ amount }: FollowedEvent['data']) => (amount as { gross: number }).gross;

/**
 * The notice of assignment, with the payment details, and attached as a document that is filed with the invoice. The claim moves once,
 * so the first event about it makes the only notice.
 */
async function noticeMails(
  context: NotifierContext,
  facts: InvoiceFacts,
  now: number,
): Promise<Notified['mails']> {
  const { db, reads, platform, vault, isSandbox } = context;
  const { invoice, addressees, content, notice, assignee } = facts;
  const legal = await legalWords(context, facts);
  const { external_id: externalId } = invoice;
  const { platform_id: platformId, time_zone: timeZone } = platform;
  const of = { db: reads, platformId, vault, timeZone, isSandbox, now };
  const body = await invoiceDocumentOf(of, invoice, 'ASSIGNMENT_NOTICE');
  const cause = `invoice/${externalId}/assigned`;
  const documentId = documentIdOfCause(cause);
  const mails = mailsTo(addressees, ({ name: recipient }) => ({
    cause,
    kind: 'invoice_assigned',
    content: { ...content, recipient, assignee, notice: (notice ?? '').split('\n').slice(0, 1), legal },
    files: body === null ? [] : [{ documentId, name: `assignment-notice-${externalId}.pdf` }],
  }));
  if (body !== null)
    await fileDocuments({ db, vault, platformId }, [
      {
        ...{ documentId, kind: 'ASSIGNMENT_NOTICE', causes: mails.map(({ cause }) => cause), filedAt: now },
        ...{ invoiceExternalIds: [externalId], merchantExternalId: invoice.merchant_external_id, body },
      },
    ]);
  return mails;
}

/** Whether the mail about an accepted dispute already reports the credit note. */
async function isSaidWithDispute(
  { reads, platform }: NotifierContext,
  { data }: FollowedEvent,
  { external_id: invoice }: InvoiceRow,
): Promise<boolean> {
  if (platform.mails_off.includes('dispute_decided')) return false;
  const creditNote = data.external_id as string;
  return isDisputeCredited(reads, { platformId: platform.platform_id, invoice, creditNote });
}

/** Whether the payment closed its invoice, and nothing else is open. */
async function isLastPayment(
  { reads, platform }: NotifierContext,
  { invoice }: InvoiceFacts,
  { invoice_status, outstanding_amount }: FollowedEvent['data'],
): Promise<boolean> {
  if (platform.mails_off.includes('account_settled')) return false;
  if (invoice_status !== 'CLOSED' || outstanding_amount !== 0) return false;
  return isBuyerSettled(reads, {
    platformId: platform.platform_id,
    buyerExternalId: invoice.buyer_external_id,
  });
}
