/** The ledger entries of changes of what an invoice owes. */
import { credit, debit, type LedgerLine, MAIN_BANK_ACCOUNT, type Posting } from '#modules/ledger';
import type { InvoiceColumns } from './invoice.queries.ts';
import type { PaymentRow } from './payment.queries.ts';
import type { Allocated } from './payment-layout.rules.ts';
import type { OwedChange, OwingInvoice, Settlement } from './settlement.rules.ts';

/** The fee of a payment term has the standard rate of tax: `S` in UN/CEFACT 5305. */
const FEE_TAX_CATEGORY = 'S';

const CAUSES = {
  PAYMENT: 'PAYMENT_RECORDED',
  APPLICATION: 'CASH_APPLIED',
  REVERSAL: 'CASH_APPLIED',
  CREDIT_NOTE: 'CREDIT_NOTE_ISSUED',
  REFUND: 'INVOICE_CANCELLED',
} as const;

type Made = Pick<Posting, 'actor' | 'effectiveAt'>;

/** Posts the fees of a new invoice: a claim on the buyer or on the merchant. Returns undefined without a fee. */
export function feeChargePosting(invoice: InvoiceColumns, actor: string): Posting | undefined {
  if (invoice.term_fee_gross + invoice.merchant_fee_gross === 0) return undefined;
  return {
    cause: 'TERM_FEE_CHARGED',
    currency: invoice.currency,
    effectiveAt: invoice.created_at,
    actor,
    documents: { invoiceExternalId: invoice.external_id },
    lines: feeLines(invoice),
  };
}

/** The entries of a settlement. They do not include those of a reversed payment, which are the opposite of what was posted for it. */
export function settlementPostings(
  { invoice, applied }: OwingInvoice,
  change: OwedChange,
  settlement: Settlement,
  made: Made,
): Posting[] {
  const common = {
    ...made,
    cause: CAUSES[change.cause],
    currency: invoice.currency,
    documents: {
      invoiceExternalId: invoice.external_id,
      ...(change.cause === 'CREDIT_NOTE' && { creditNoteExternalId: change.creditNoteExternalId }),
    },
  };
  const payments = applied.map(({ payment }) => payment);
  if ('payment' in change && !payments.some(({ external_id }) => external_id === change.payment.external_id))
    payments.push(change.payment);
  const ofPayments = payments
    .filter(({ external_id }) => change.cause !== 'REVERSAL' || external_id !== change.payment.external_id)
    .map((payment) => ({
      ...common,
      documents: { ...common.documents, paymentId: payment.external_id },
      lines: paymentLines(invoice, payment, {
        receivedMinor: change.cause === 'PAYMENT' && payment === change.payment ? payment.amount : 0,
        bankAccount: ('bankAccount' in change && change.bankAccount) || MAIN_BANK_ACCOUNT,
        ...sumOf(settlement.allocations, payment.external_id),
      }),
    }));
  const isCancelled = settlement.trigger === 'refund' || settlement.trigger === 'credit';
  return [
    ...ofPayments,
    { ...common, lines: undoneGoodsLines(invoice, settlement, isCancelled) },
    ...(isCancelled
      ? [{ ...common, cause: 'TERM_FEE_CANCELLED' as const, lines: feeLines(invoice).map(opposite) }]
      : []),
    {
      ...common,
      cause: 'DEFAULT_RECOVERED' as const,
      lines: recoveryLines(invoice, settlement, isCancelled),
    },
  ].filter(({ lines }) => lines.some(({ amountMinor }) => amountMinor !== 0));
}

const sumOf = (allocations: readonly Allocated[], paymentId: string) => {
  const ofPayment = allocations.filter((each) => each.paymentId === paymentId);
  return {
    feeMinor: ofPayment.reduce((sum, { feeMinor }) => sum + feeMinor, 0),
    goodsMinor: ofPayment.reduce((sum, { goodsMinor }) => sum + goodsMinor, 0),
  };
};

/**
 * Money that the platform received settles the fee and the goods: its own claim if the invoice is financed, else the merchant's money.
 * The rest belongs to the buyer. Of money that the merchant received, the merchant owes the platform the part that settled a claim of
 * the platform.
 */
function paymentLines(
  { buyer_external_id: buyer, merchant_external_id: merchant, is_financed }: InvoiceColumns,
  { received_by }: PaymentRow,
  {
    receivedMinor,
    bankAccount,
    feeMinor,
    goodsMinor,
  }: { receivedMinor: number; bankAccount: string; feeMinor: number; goodsMinor: number },
): LedgerLine[] {
  const fee = credit('term_fee_receivable', feeMinor, buyer);
  if (received_by === 'MERCHANT') {
    const financedMinor = is_financed ? goodsMinor : 0;
    return [
      debit('merchant_setoff', feeMinor + financedMinor, merchant),
      fee,
      credit('buyer_receivable', financedMinor, buyer),
    ];
  }
  return [
    debit('bank', receivedMinor, bankAccount),
    fee,
    is_financed
      ? credit('buyer_receivable', goodsMinor, buyer)
      : credit('merchant_payable', goodsMinor, merchant),
    credit('unapplied_cash', receivedMinor - feeMinor - goodsMinor, buyer),
  ];
}

/** Goods of a financed invoice that are no longer owed: the merchant returns the advance for them. */
function undoneGoodsLines(
  { is_financed, amount_gross, credited_amount, buyer_external_id, merchant_external_id }: InvoiceColumns,
  { creditedMinor }: Settlement,
  isCancelled: boolean,
): LedgerLine[] {
  const undoneMinor = (isCancelled ? amount_gross : creditedMinor) - credited_amount;
  if (!is_financed) return [];
  return [
    debit('merchant_setoff', undoneMinor, merchant_external_id),
    credit('buyer_receivable', undoneMinor, buyer_external_id),
  ];
}

/**
 * If a default was written off, what is settled beyond the rest is recovered. The amount follows from what is claimed, paid and written
 * off, so a reversal takes back as much of it as is owed again.
 */
function recoveryLines(
  { is_financed, amount_gross, credited_amount, paid_amount, term_fee_gross, ...invoice }: InvoiceColumns,
  { creditedMinor, paidMinor }: Settlement,
  isCancelled: boolean,
): LedgerLine[] {
  if (!is_financed || invoice.written_off_amount === 0) return [];
  const recovered = (claimedMinor: number, paid: number) =>
    Math.max(0, Math.max(0, paid - term_fee_gross) + invoice.written_off_amount - claimedMinor);
  const before = recovered(amount_gross - credited_amount, paid_amount);
  const after = recovered(isCancelled ? 0 : amount_gross - creditedMinor, paidMinor);
  return [
    debit('buyer_receivable', after - before, invoice.buyer_external_id),
    credit('recovery', after - before),
  ];
}

/** The merchant owes its fee to the platform; its next payout is reduced by it. */
function feeLines(invoice: InvoiceColumns): LedgerLine[] {
  return [
    debit('term_fee_receivable', invoice.term_fee_gross, invoice.buyer_external_id),
    debit('merchant_setoff', invoice.merchant_fee_gross, invoice.merchant_external_id),
    credit('term_fee_income', invoice.term_fee_net + invoice.merchant_fee_net),
    credit('fee_tax', invoice.term_fee_tax + invoice.merchant_fee_tax, FEE_TAX_CATEGORY),
  ];
}

const opposite = (line: LedgerLine): LedgerLine => ({ ...line, amountMinor: -line.amountMinor });
