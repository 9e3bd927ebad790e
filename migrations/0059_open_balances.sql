-- What is open on the accounts of merchants: the sums of the numbered lines, on merchant_payable by invoice. Reading what a merchant is
-- owed costs by what is open, and not by its history.
create table ledger_open_balances (
  platform_id integer not null references platforms,
  account text not null,
  party text not null,
  currency text not null,
  -- Empty where the account is not kept by invoice, and for entries without one.
  invoice_external_id text not null,
  amount bigint not null,
  primary key (platform_id, account, party, currency, invoice_external_id)
);
create index ledger_open_balances_open on ledger_open_balances (platform_id, account, party)
  include (currency, invoice_external_id, amount) where amount <> 0;
grant select, insert, update on ledger_open_balances to tradeline_service;

insert into ledger_open_balances (platform_id, account, party, currency, invoice_external_id, amount)
select l.platform_id, l.account, l.party, l.currency,
  case l.account when 'merchant_payable' then coalesce(e.invoice_external_id, '') else '' end, sum(l.amount)
from ledger_numbers n
join ledger_entries e on e.platform_id = n.platform_id and e.entry_id = n.entry_id
join ledger_lines l on l.platform_id = n.platform_id and l.entry_id = n.entry_id
where l.account in ('merchant_payable', 'merchant_setoff')
group by 1, 2, 3, 4, 5;

-- The lines of entries without a number are added to them.
create index ledger_lines_of_merchants on ledger_lines (platform_id, account, party, ordinal)
  where account in ('merchant_payable', 'merchant_setoff');
