-- What buyers owe for paying late: claims of their own beside the invoice, which they never change.
create table late_charges (
  platform_id integer not null,
  external_id external_id not null,
  status text not null check (status in ('OPEN', 'PAID', 'WAIVED')),
  version integer not null default 1,
  -- Charges of one second are paid in the order in which they were claimed.
  ordinal bigint not null generated always as identity,
  kind text not null check (kind in ('INTEREST', 'COMPENSATION', 'REMINDER')),
  invoice_external_id external_id not null,
  buyer_external_id external_id not null,
  merchant_external_id external_id not null,
  -- Whose claim it is: the platform's if the invoice was financed when it was claimed.
  creditor text not null check (creditor in ('PLATFORM', 'MERCHANT')),
  created_at unix_seconds not null,
  updated_at unix_seconds not null,
  -- The day of the claim in the platform's time zone.
  charged_on calendar_day not null,
  -- The last day of its interest.
  accrued_until calendar_day check ((accrued_until is not null) = (kind = 'INTEREST')),
  currency text not null,
  amount minor_units not null check (amount > 0),
  paid_amount minor_units not null default 0 check (paid_amount between 0 and amount),
  outstanding_amount minor_units not null generated always as (
    case when status = 'WAIVED' then 0 else amount - paid_amount end
  ) stored,
  -- Country and article of the law, and the lines of the interest.
  computation jsonb not null,
  primary key (platform_id, external_id),
  foreign key (platform_id, invoice_external_id) references invoices (platform_id, external_id),
  check ((status = 'PAID') = (paid_amount = amount and status <> 'WAIVED'))
);
create index late_charges_by_invoice on late_charges (platform_id, invoice_external_id, ordinal);
create index late_charges_by_status on late_charges (platform_id, status, ordinal);
create unique index late_charges_compensation_once on late_charges (platform_id, invoice_external_id)
  where kind = 'COMPENSATION';

-- Append-only: every transition of a late charge, who made it, when and why.
create table late_charge_transitions (
  platform_id integer not null,
  late_charge_external_id external_id not null,
  version integer not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  transitioned_at unix_seconds not null,
  actor text not null,
  reason text,
  primary key (platform_id, late_charge_external_id, version),
  foreign key (platform_id, late_charge_external_id) references late_charges (platform_id, external_id)
);

-- Append-only: what of a payment went to which late charge. An amount below 0 takes it back.
create table late_charge_allocations (
  platform_id integer not null,
  late_charge_external_id external_id not null,
  late_charge_version integer not null,
  payment_external_id external_id not null,
  cause text not null check (cause in ('PAYMENT', 'APPLICATION', 'REVERSAL')),
  amount minor_units not null check (amount <> 0),
  allocated_at unix_seconds not null,
  actor text not null,
  primary key (platform_id, late_charge_external_id, late_charge_version),
  foreign key (platform_id, late_charge_external_id) references late_charges (platform_id, external_id),
  foreign key (platform_id, payment_external_id) references invoice_payments (platform_id, external_id)
);
create index late_charge_allocations_by_payment on late_charge_allocations (platform_id, payment_external_id);

-- Which of a payment's money comes first, where an invoice has late charges.
alter table platforms add column late_charge_order text not null default 'PRINCIPAL_FIRST'
  check (late_charge_order in ('PRINCIPAL_FIRST', 'CHARGES_FIRST'));

alter table ledger_lines
  drop constraint ledger_lines_account_check,
  add constraint ledger_lines_account_check check (account in ('bank', 'buyer_receivable', 'term_fee_receivable',
    'late_charge_receivable', 'unapplied_cash', 'merchant_payable', 'merchant_setoff', 'payout_clearing', 'suspense',
    'fee_income', 'term_fee_income', 'late_charge_income', 'fee_tax', 'bank_charges', 'loss', 'recovery')),
  drop constraint ledger_lines_party_check,
  add constraint ledger_lines_party_check check (case when account in ('payout_clearing', 'suspense', 'fee_income',
    'term_fee_income', 'late_charge_income', 'bank_charges', 'loss', 'recovery')
    then party = '' else party ~ '^[a-zA-Z0-9_-]{1,100}$' end);
alter table ledger_entries
  drop constraint ledger_entries_cause_check,
  add constraint ledger_entries_cause_check check (cause in ('ADVANCE_ACCEPTED', 'ADVANCE_CANCELLED', 'MERCHANT_MONEY_DUE',
    'DEBT_SET_OFF', 'SET_OFF_CANCELLED', 'PAYOUT_PAID', 'PAYOUT_RETURNED',
    'PAYMENT_RECORDED', 'PAYMENT_REVERSED', 'CASH_APPLIED', 'CASH_REFUNDED', 'CREDIT_NOTE_ISSUED', 'INVOICE_CANCELLED',
    'TERM_FEE_CHARGED', 'TERM_FEE_CANCELLED', 'LATE_CHARGE_CLAIMED', 'LATE_CHARGE_PAID', 'LATE_CHARGE_WAIVED',
    'DEFAULT_WRITTEN_OFF', 'DEFAULT_RECOVERED', 'DIFFERENCE_WRITTEN_OFF',
    'BANK_CHARGED', 'SUSPENSE_RECORDED', 'SUSPENSE_CLEARED', 'CORRECTED'));

grant select, insert, update on late_charges to tradeline_service;
grant select, insert on late_charge_transitions, late_charge_allocations to tradeline_service;
