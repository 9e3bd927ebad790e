/** Mails buyers what happens to their invoices. Those who record it know nothing of it. */
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import type { EventType } from '#kernel/event';
import type { Instalment } from '#kernel/payment-term';
import { findInvoice, type InvoiceRow, isBuyerSettled, paymentDetailsOf } from '#modules/invoices';
import { findMerchant, shownName } from '#modules/merchants';
import {
  type Addressees,
  findAddressees,
  type InvoiceForMail,
  mailsTo,
  type Notified,
  type Notifier,
  type NotifierContext,
  type Premise,
} from '#modules/notifications';
import { findInvoiceEmails } from '#modules/orders';
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
  const facts = await readInvoice(context, externalId, now);
  if (facts === null) return { mails: [] };
  const { external_id: invoice } = facts.invoice;
  return { mails: (await mailsOf(context, event, facts)).map((mail) => ({ ...mail, invoice })) };
}

/** An invoice with what its mails show. */
interface InvoiceFacts {
  invoice: InvoiceRow;
  addressees: Addressees;
  content: Omit<InvoiceForMail, 'recipient'>;
  notice: string | null;
  assignee: string;
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
      // One that is recorded when it is due already was sent to the buyer long ago.
      if (invoice.outstanding_amount === 0 || invoice.due_at <= occurred_at) return [];
      if (facts.notice !== null) return noticeMails(facts);
      return mailsTo(addressees, ({ name: recipient }) => ({
        ...{ cause, kind: 'invoice_issued', premises: premisesOf(invoice) },
        content: { ...content, recipient },
      }));
    case 'INVOICE.FINANCING.ACCEPTED':
      return facts.notice === null || invoice.outstanding_amount === 0 ? [] : noticeMails(facts);
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
      return mailsTo(addressees, ({ name: recipient }) => ({
        ...{ cause, kind: 'credit_note_issued' },
        content: { ...content, recipient, amountMinor },
      }));
  }
}

const premisesOf = ({ external_id, version }: InvoiceRow) => [invoicePremise(external_id, version)];

const grossOf = ({ amount }: FollowedEvent['data']) => (amount as { gross: number }).gross;

/** The notice of assignment, with the payment details. The claim moves once, whichever event comes first. */
function noticeMails({ invoice, addressees, content, notice, assignee }: InvoiceFacts): Notified['mails'] {
  return mailsTo(addressees, ({ name: recipient }) => ({
    cause: `invoice/${invoice.external_id}/assigned`,
    kind: 'invoice_assigned',
    content: { ...content, recipient, assignee, notice: (notice ?? '').split('\n').slice(0, 1) },
  }));
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

/** Null for an unknown invoice, and where nobody can be written to. */
async function readInvoice(
  context: NotifierContext,
  externalId: string,
  now: number,
): Promise<InvoiceFacts | null> {
  const { reads, platform, vault } = context;
  const { platform_id: platformId } = platform;
  const invoice = await findInvoice(reads, { platformId, externalId });
  if (!invoice) return null;
  const { merchant_external_id, order_external_ids, buyer_external_id: buyerExternalId } = invoice;
  const orderKeys = order_external_ids.map((id) => ({ platformId, externalId: id }));
  const [merchant, orderEmails, details] = await Promise.all([
    findMerchant(reads, { platformId, externalId: merchant_external_id }),
    findInvoiceEmails(reads, vault, orderKeys),
    paymentDetailsOf({ db: reads, platformId, vault, now }, invoice),
  ]);
  const addressees = await findAddressees(context, {
    buyerExternalId,
    orderEmails,
    contactExternalIds: [invoice.contact_external_id],
  });
  if (!addressees || addressees.recipients.length === 0) return null;
  return {
    invoice,
    addressees,
    notice: details.notice_of_assignment?.text ?? null,
    assignee: platform.account_holder ?? platform.name,
    content: {
      number: invoice.invoice_number ?? invoice.external_id,
      merchant: merchant ? shownName(merchant) : merchant_external_id,
      currency: invoice.currency,
      totalMinor: invoice.amount_gross + invoice.term_fee_gross,
      outstandingMinor: invoice.outstanding_amount,
      payments: details.installments.map(
        ({ due_at: dueAt, amount }): Instalment => ({ dueAt, amountMinor: amount }),
      ),
      isDebited: invoice.payment_method === 'DEBIT',
      account: details.beneficiary && { ...details.beneficiary, holder: details.beneficiary.name },
      reference: invoice.payment_reference,
      company: addressees.buyer.legal_name,
    },
  };
}
