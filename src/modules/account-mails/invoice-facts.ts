/** The content and the recipients of mails about an invoice. */
import type { Instalment } from '#kernel/payment-term';
import { findInvoice, type InvoiceRow, paymentDetailsOf } from '#modules/invoices';
import { findMerchant, type MerchantRow, shownName } from '#modules/merchants';
import {
  type Addressees,
  findAddressees,
  type InvoiceForMail,
  type NotifierContext,
} from '#modules/notifications';
import { findInvoiceEmails } from '#modules/orders';

/** An invoice with the data for its mails. */
export interface InvoiceFacts {
  invoice: InvoiceRow;
  merchant: MerchantRow | undefined;
  addressees: Addressees;
  content: Omit<InvoiceForMail, 'recipient'>;
  notice: string | null;
  assignee: string;
}

/** Null for an unknown invoice, and if the buyer has no usable address. `now` in unix seconds. */
export async function readInvoiceFacts(
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
    merchant,
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
      isAssigned: invoice.is_financed,
      account: details.beneficiary && { ...details.beneficiary, holder: details.beneficiary.name },
      reference: invoice.payment_reference,
      company: addressees.buyer.legal_name,
    },
  };
}
