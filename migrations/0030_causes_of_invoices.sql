-- Why an invoice changes the used amount of a facility: it was paid, credited or cancelled, or a payment was reversed.

alter table facility_ledger
  -- The payment that was recorded or reversed, and the credit note. Earlier entries have INVOICE_FREED and neither.
  add column payment_id text check (length(payment_id) between 1 and 200),
  add column credit_note_external_id external_id,
  drop constraint facility_ledger_cause_check,
  add constraint facility_ledger_cause_check check (cause in ('LIMIT_GRANTED', 'LIMIT_CHANGED', 'EXPIRED', 'RENEWED',
    'ORDER_RESERVED', 'ORDER_FREED', 'ORDER_INVOICED', 'INVOICE_FINANCED', 'INVOICE_FREED', 'INVOICE_PAID',
    'INVOICE_CREDITED', 'INVOICE_CANCELLED', 'INVOICE_REOPENED')),
  add constraint facility_ledger_payment_check
    check ((payment_id is not null) = (cause in ('INVOICE_PAID', 'INVOICE_REOPENED'))),
  add constraint facility_ledger_credit_note_check
    check ((credit_note_external_id is not null) = (cause = 'INVOICE_CREDITED')),
  -- A reversed payment authorizes nothing: the debt was authorized before, and it is owed again whatever the limit is.
  drop constraint facility_ledger_check,
  add constraint facility_ledger_ceiling_check check (used_change + pending_orders_change <= 0 or ceiling_amount is not null
    or (cause = 'INVOICE_REOPENED' and used_change > 0 and pending_orders_change = 0 and total_change = 0));
