-- Whether a buyer has placed an order before. Drafts and cancelled orders, of which a buyer can have any number, are not in it.
create index orders_placed_by_buyer on orders (platform_id, buyer_external_id)
  where status in ('CONFIRMED', 'DISBURSED', 'CLOSED');
