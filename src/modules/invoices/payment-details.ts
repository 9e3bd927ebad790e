/** The payment details that a merchant prints on an invoice: account, amount, due day, and the new owner of the claim. */

import { groupedIban } from '#kernel/iban';
import { localDayOf } from '#kernel/local-day';
import type { PaymentMethod } from '#kernel/payment-term';
import { translatorOf } from '#messages';
import { type BuyerRow, findBuyer, localeOfBuyer, preferencesOf } from '#modules/buyers';
import { findMerchant } from '#modules/merchants';
import { type BankAccount, bankAccountOf, findPlatform, type PlatformRow } from '#modules/platforms';
import type { Context } from '#operation/operation';
import { dueAmountOf } from './due-amount.rules.ts';
import { epcQrOf } from './epc-qr.rules.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import type { PaymentDetails } from './payment-details.schemas.ts';
import { outstandingOf } from './settlement.rules.ts';

/**
 * The buyer pays to the platform's account, whether or not the claim has moved. Money for an invoice that is not financed belongs to
 * the merchant and is paid out. If the platform has no account, such an invoice is paid to the merchant's own.
 */
export async function paymentDetailsOf(
  context: Pick<Context, 'db' | 'platformId' | 'vault' | 'now'>,
  invoice: InvoiceRow,
): Promise<PaymentDetails> {
  const { db, platformId, vault, now } = context;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const account = bankAccountOf(vault, platform);
  const { currency, payment_reference: reference, outstanding_amount: amount } = invoice;
  const beneficiary = account && { name: account.holder, iban: account.iban, bic: account.bic };
  const epcQr = (amountMinor: number) =>
    // A buyer who is debited must not transfer the money too.
    invoice.payment_method === 'DEBIT' ? null : epcQrOf({ beneficiary, amountMinor, currency, reference });
  return {
    invoice_external_id: invoice.external_id,
    beneficiary,
    amount,
    due_amount: dueAmountOf(invoice, localDayOf(now, platform.time_zone)),
    currency,
    due_at: invoice.due_at,
    due_on: invoice.due_on,
    payment_method: invoice.payment_method as PaymentMethod,
    payment_reference: reference,
    epc_qr: epcQr(amount),
    installments: openInstalmentsOf(invoice).map((each) => ({
      number: each.number,
      due_at: each.due_at,
      due_on: each.due_on,
      amount: outstandingOf(each),
      epc_qr: epcQr(outstandingOf(each)),
    })),
    notice_of_assignment: invoice.is_financed ? await noticeOf(context, invoice, platform, account) : null,
  };
}

/** A cancelled invoice keeps the amounts of its instalments, but nothing of them is owed. */
function openInstalmentsOf({ outstanding_amount, installments }: InvoiceRow) {
  return outstanding_amount === 0 ? [] : installments.filter((each) => outstandingOf(each) > 0);
}

async function noticeOf(
  { db, platformId }: Pick<Context, 'db' | 'platformId'>,
  { buyer_external_id, merchant_external_id }: InvoiceRow,
  platform: PlatformRow,
  account: BankAccount | null,
): Promise<PaymentDetails['notice_of_assignment']> {
  const [buyer, merchant] = await Promise.all([
    findBuyer(db, { platformId, externalId: buyer_external_id }) as Promise<BuyerRow>,
    findMerchant(db, { platformId, externalId: merchant_external_id }),
  ]);
  const { language, formality } = localeOfBuyer(preferencesOf(buyer), platform);
  const { text } = translatorOf(language, formality);
  const assignee = platform.account_holder ?? platform.name;
  const notice = text('assignment.notice', { merchant: merchant?.legal_name ?? '', assignee });
  const lines = account ? [notice, text('assignment.account', { account: accountText(account) })] : [notice];
  return { language, text: lines.join('\n') };
}

/** The account as printed: `Markthalle GmbH, IBAN DE89 3704 …, BIC COBADEFFXXX`. */
function accountText({ holder, iban, bic }: BankAccount): string {
  return [holder, `IBAN ${groupedIban(iban)}`, ...(bic === null ? [] : [`BIC ${bic}`])].join(', ');
}
