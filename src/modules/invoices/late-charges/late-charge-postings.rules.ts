/** The ledger entries of late charges. A charge of a merchant is not a claim of the platform, and is posted only when it is paid. */
import { credit, debit, type LedgerLine, type Posting } from '#modules/ledger';
import type { PaymentRow } from '../payment.queries.ts';
import type { LateChargeRow } from './late-charge.queries.ts';

type Made = Pick<Posting, 'actor' | 'effectiveAt'>;

/** The entries of new charges: claims of the platform on the buyer. Charges of a merchant have none. */
export function claimPostings(charges: readonly LateChargeRow[], made: Made): Posting[] {
  return charges
    .filter(({ creditor }) => creditor === 'PLATFORM')
    .map((charge) => ({
      ...made,
      ...aboutCharge(charge),
      cause: 'LATE_CHARGE_CLAIMED' as const,
      lines: [
        debit('late_charge_receivable', charge.amount, charge.buyer_external_id),
        credit('late_charge_income', charge.amount),
      ],
    }));
}

/** The waived part of a claim of the platform. */
export function waiverPostings(charge: LateChargeRow, amountMinor: number, made: Made): Posting[] {
  if (charge.creditor === 'MERCHANT' || amountMinor === 0) return [];
  const lines = [
    debit('late_charge_income', amountMinor),
    credit('late_charge_receivable', amountMinor, charge.buyer_external_id),
  ];
  return [{ ...made, ...aboutCharge(charge), cause: 'LATE_CHARGE_WAIVED', lines }];
}

/**
 * Money of a payment that settles a charge. Money that the platform received was unapplied cash until then. Of money that the merchant
 * received, the merchant owes the platform the part that settled a claim of the platform.
 */
export function chargePaymentPostings(
  charge: LateChargeRow,
  { external_id: paymentId, received_by }: PaymentRow,
  amountMinor: number,
  made: Made,
): Posting[] {
  const { buyer_external_id: buyer, merchant_external_id: merchant, creditor } = charge;
  if (received_by === 'MERCHANT' && creditor === 'MERCHANT') return [];
  const lines: LedgerLine[] = [
    received_by === 'PLATFORM'
      ? debit('unapplied_cash', amountMinor, buyer)
      : debit('merchant_setoff', amountMinor, merchant),
    creditor === 'PLATFORM'
      ? credit('late_charge_receivable', amountMinor, buyer)
      : credit('merchant_payable', amountMinor, merchant),
  ];
  const { documents, currency } = aboutCharge(charge);
  return [{ ...made, currency, documents: { ...documents, paymentId }, cause: 'LATE_CHARGE_PAID', lines }];
}

const aboutCharge = ({ currency, invoice_external_id: invoiceExternalId }: LateChargeRow) => ({
  currency,
  documents: { invoiceExternalId },
});
