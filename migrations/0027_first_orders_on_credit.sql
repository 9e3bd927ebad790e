-- An order to be paid in advance is confirmed before it is paid: it is no order before until it is closed.
drop index orders_placed_by_buyer;
create index orders_placed_by_buyer on orders (platform_id, buyer_external_id)
  where status in ('CONFIRMED', 'DISBURSED', 'CLOSED') and (payment_term <> 'PREPAYMENT' or status = 'CLOSED');
