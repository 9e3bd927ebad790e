/** Why entries are posted. A check in the database has the same list. */
export const CAUSES = {
  ADVANCE_ACCEPTED: 'A financing service was accepted: the claim on the buyer moves to the platform.',
  ADVANCE_CANCELLED: 'An accepted service was cancelled before its payout.',
  MERCHANT_MONEY_DUE:
    'Money that was collected for a merchant, or taken back, became part of its next payout.',
  DEBT_SET_OFF: 'What a merchant owes was deducted from a payout.',
  SET_OFF_CANCELLED: 'The payout from which it was deducted was cancelled.',
  PAYOUT_PAID: 'The bank paid a payout.',
  PAYOUT_RETURNED: 'A payout came back.',
  PAYMENT_RECORDED: 'A buyer paid.',
  PAYMENT_REVERSED: 'A payment bounced, or was recorded by mistake.',
  CASH_APPLIED: 'Unapplied cash of a buyer was applied to an invoice.',
  CASH_REFUNDED: 'Unapplied cash was paid back to the buyer.',
  CREDIT_NOTE_ISSUED: 'A credit note reduced what is owed.',
  INVOICE_CANCELLED: 'An invoice was cancelled or refunded.',
  TERM_FEE_CHARGED: 'A buyer, or a merchant, owes the fee of a payment term.',
  TERM_FEE_CANCELLED: 'The fee of a payment term is not owed any more.',
  LATE_CHARGE_CLAIMED: 'A buyer owes interest or compensation for paying late.',
  LATE_CHARGE_PAID: 'Money settled a late charge.',
  LATE_CHARGE_WAIVED: 'What was owed of a late charge was given up.',
  DEFAULT_WRITTEN_OFF: 'A default was written off.',
  DEFAULT_RECOVERED: 'Money came in for a default that was written off.',
  DIFFERENCE_WRITTEN_OFF: 'A small difference was accepted.',
  BANK_CHARGED: 'A bank took a charge.',
  SUSPENSE_RECORDED: 'Money came in, and nobody knows yet for what.',
  SUSPENSE_CLEARED: 'It became known what money was for.',
  CORRECTED: 'An operator corrected an entry.',
} as const;

export type PostingCause = keyof typeof CAUSES;
export const POSTING_CAUSES = Object.keys(CAUSES) as PostingCause[];
