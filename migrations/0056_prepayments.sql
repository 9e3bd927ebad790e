-- A payment in advance belongs to its order: the invoices of the order are paid by it.
alter table invoice_payments
  -- Null for money that was paid for an invoice.
  add order_external_id external_id,
  add foreign key (platform_id, order_external_id) references orders (platform_id, external_id);
create index invoice_payments_by_order on invoice_payments (platform_id, order_external_id, external_id)
  where order_external_id is not null;
