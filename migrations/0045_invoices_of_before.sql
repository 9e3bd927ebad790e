-- Invoices for what was invoiced before there were any: the orders have an invoiced amount, and the ledger of the facility says
-- which part of it is still used. They claim no fee, which nobody has asked for. Payments went to the merchant: the platform
-- received none. No event is recorded: nothing happened.

-- What each order has invoiced without an invoice. The rows of the ledger name one, a part of it each.
create temporary table part_of_before on commit drop as
with missing as (
  select o.platform_id, o.external_id as order_external_id,
    o.invoiced_amount - coalesce((
      select sum(taken.amount) from invoice_orders taken
      join invoices i on i.platform_id = taken.platform_id and i.external_id = taken.invoice_external_id
      where taken.platform_id = o.platform_id and taken.order_external_id = o.external_id and i.status <> 'CANCELLED'
    ), 0) as amount
  from orders o where o.invoiced_amount > 0
), named as (
  select l.platform_id, l.order_external_id, l.invoice_external_id, sum(l.used_change) as amount, min(l.entry) as entry
  from facility_ledger l
  where l.order_external_id is not null and l.invoice_external_id is not null and not exists (
    select from invoices i where i.platform_id = l.platform_id and i.external_id = l.invoice_external_id)
  group by l.platform_id, l.order_external_id, l.invoice_external_id
  having sum(l.used_change) > 0
), up_to as (
  select n.*, m.amount as missing_amount,
    sum(n.amount) over (partition by n.platform_id, n.order_external_id order by n.entry) as until_here
  from named n join missing m using (platform_id, order_external_id)
), cut as (
  select platform_id, order_external_id, invoice_external_id, entry,
    least(until_here, missing_amount) - least(until_here - amount, missing_amount) as amount
  from up_to
), unnamed as (
  -- Paid in advance, or under the external_id of an invoice that has come since.
  select m.platform_id, m.order_external_id, ('invoice-' || md5(m.order_external_id))::text as invoice_external_id,
    null::integer as entry, m.amount - coalesce(sum(c.amount), 0) as amount
  from missing m left join cut c using (platform_id, order_external_id)
  group by m.platform_id, m.order_external_id, m.amount
)
select platform_id, order_external_id::text, invoice_external_id::text, entry, amount::bigint as amount
from cut where amount > 0
union all
select platform_id, order_external_id::text, invoice_external_id, entry, amount::bigint from unnamed where amount > 0;

-- The parts with their taxes, so that those of an order sum to its tax, and with what the ledger says of their invoice.
create temporary table taxed_part_of_before on commit drop as
with placed as (
  select p.*, o.buyer_external_id, o.merchant_external_id, o.currency, o.payment_method, o.payment_term, o.amount_gross,
    o.amount_tax, o.status as order_status, o.paid_at as prepaid_at, o.created_at as order_created_at,
    o.updated_at as order_updated_at, o.term_offer,
    o.invoiced_amount - sum(p.amount) over of_order
      + sum(p.amount) over (of_order order by p.entry nulls last, p.invoice_external_id) as until_here,
    row_number() over (partition by p.platform_id, p.invoice_external_id order by p.entry, p.order_external_id) as position
  from part_of_before p join orders o on o.platform_id = p.platform_id and o.external_id = p.order_external_id
  window of_order as (partition by p.platform_id, p.order_external_id)
)
select placed.*,
  (amount_tax * until_here / amount_gross - amount_tax * (until_here - amount) / amount_gross)::bigint as tax,
  case when payment_term = 'PREPAYMENT' then 0 else amount end as credit_amount
from placed;

create temporary table invoice_of_before on commit drop as
with ledger as (
  select platform_id, invoice_external_id, min(effective_at) as began_at, max(effective_at) as changed_at,
    sum(used_change) as used, max(effective_at) filter (where used_change < 0) as paid_at
  from facility_ledger where invoice_external_id is not null
  group by platform_id, invoice_external_id
), summed as (
  select p.platform_id, p.invoice_external_id as external_id, min(p.buyer_external_id) as buyer_external_id,
    min(p.merchant_external_id) as merchant_external_id, min(p.currency) as currency,
    min(p.payment_method) as payment_method, sum(p.amount)::bigint as gross, sum(p.tax)::bigint as tax,
    sum(p.credit_amount)::bigint as credit,
    -- What is not on credit is paid with the order.
    sum(case when p.entry is null then
      case when p.prepaid_at is not null or p.order_status = 'CLOSED' then p.amount else 0 end end)::bigint as paid_unnamed,
    min(p.order_created_at) as order_created_at, max(p.order_updated_at) as order_updated_at,
    max(p.prepaid_at) as prepaid_at,
    (array_agg(p.order_external_id order by p.position))[1] as first_order
  from taxed_part_of_before p
  group by p.platform_id, p.invoice_external_id
)
select s.*, coalesce(l.began_at, s.order_created_at) as created_at,
  coalesce(l.changed_at, s.order_updated_at) as updated_at,
  coalesce(s.paid_unnamed, s.gross - least(greatest(l.used, 0), s.credit))::bigint as paid,
  coalesce(s.prepaid_at, l.paid_at, s.order_updated_at) as paid_at
from summed s
left join ledger l on s.paid_unnamed is null and l.platform_id = s.platform_id and l.invoice_external_id = s.external_id;

-- The days that the first order agreed, and amounts in proportion with the remainder in the first.
create temporary table instalment_of_before on commit drop as
with agreed as (
  select i.platform_id, i.external_id, i.gross, i.paid, p.time_zone, each.number::integer as number,
    (each.part ->> 'due_at')::bigint as due_at,
    div((each.part -> 'amount' ->> 'value')::numeric * i.gross, o.amount_gross)::bigint as amount
  from invoice_of_before i
  join platforms p on p.platform_id = i.platform_id
  join orders o on o.platform_id = i.platform_id and o.external_id = i.first_order
  cross join lateral json_array_elements(coalesce(
    o.term_offer -> 'installments',
    json_build_array(json_build_object('due_at', o.ordered_at, 'amount', json_build_object('value', o.amount_gross)))
  )) with ordinality each(part, number)
), whole as (
  select platform_id, external_id, paid, time_zone, number, due_at,
    amount + case when number = 1 then gross - sum(amount) over (partition by platform_id, external_id) else 0 end as amount
  from agreed
)
select platform_id, external_id, number, due_at, amount::bigint as amount, time_zone,
  to_char(to_timestamp(due_at) at time zone time_zone, 'YYYY-MM-DD') as due_on,
  least(amount, greatest(0, paid - coalesce(sum(amount) over (
    partition by platform_id, external_id order by number rows between unbounded preceding and 1 preceding), 0)))::bigint as paid
from whole where amount > 0;

insert into invoices (platform_id, external_id, status, version, buyer_external_id, merchant_external_id, created_at,
  updated_at, invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, invoice_number,
  currency, amount_net, amount_tax, amount_gross, paid_amount, credit_amount, paid_at, line_items, billing_address,
  delivery_address)
select i.platform_id, i.external_id, case when i.paid = i.gross then 'CLOSED' else 'OPEN' end,
  case when i.paid > 0 then 2 else 1 end, i.buyer_external_id, i.merchant_external_id, i.created_at, i.updated_at,
  i.created_at, next.due_at, next.due_on, first.due_at,
  case when i.paid < i.gross then greatest(i.created_at,
    extract(epoch from ((next.due_on::date + 1)::timestamp at time zone next.time_zone))::bigint) end,
  i.payment_method,
  -- ISO 11649: the check digits are those of ISO 7064 over the body and RF00, with letters from 10.
  'RF' || lpad((98 - (
    select string_agg(case when letter between '0' and '9' then letter else (ascii(letter) - 55)::text end, '' order by nth)
    from regexp_split_to_table(reference.body || 'RF00', '') with ordinality as split(letter, nth)
  )::numeric % 97)::text, 2, '0') || reference.body,
  i.external_id, i.currency, i.gross - i.tax, i.tax, i.gross, i.paid, i.credit,
  case when i.paid = i.gross then i.paid_at end,
  case when i.gross = o.amount_gross then o.line_items else '[]' end,
  coalesce(o.billing_address, b.business_address), coalesce(o.delivery_address, b.delivery_address)
from invoice_of_before i
join orders o on o.platform_id = i.platform_id and o.external_id = i.first_order
join buyers b on b.platform_id = i.platform_id and b.external_id = i.buyer_external_id
cross join lateral (
  select upper(left(md5(i.platform_id || '/' || i.external_id), 16)) as body
) reference
cross join lateral (
  select due_at from instalment_of_before p
  where p.platform_id = i.platform_id and p.external_id = i.external_id order by p.number limit 1
) first
cross join lateral (
  select due_at, due_on, time_zone from instalment_of_before p
  where p.platform_id = i.platform_id and p.external_id = i.external_id
  order by (p.paid = p.amount), case when p.paid = p.amount then -p.number else p.number end limit 1
) next;

insert into invoice_transitions (platform_id, invoice_external_id, version, from_status, to_status, trigger, transitioned_at,
  actor, reason)
select platform_id, external_id, 1, null, 'OPEN', 'create', created_at, 'migration', 'Invoiced before there were invoices.'
from invoice_of_before
union all
select platform_id, external_id, 2, 'OPEN', 'CLOSED', 'pay', paid_at, 'migration', 'Paid before there were invoices.'
from invoice_of_before where paid = gross;

insert into invoice_installments (platform_id, invoice_external_id, number, due_at, due_on, amount, paid_amount)
select platform_id, external_id, row_number() over (partition by platform_id, external_id order by number), due_at, due_on,
  amount, paid
from instalment_of_before;

insert into invoice_orders (platform_id, invoice_external_id, order_external_id, position, amount, credit_amount)
select platform_id, invoice_external_id, order_external_id, position, amount, credit_amount from taxed_part_of_before;

insert into invoice_payments (platform_id, external_id, version, created_at, updated_at, buyer_external_id,
  merchant_external_id, invoice_external_id, currency, amount, paid_at, paid_on, received_by, allocated_amount, actor)
select i.platform_id, 'payment-' || md5(i.external_id), 1, i.paid_at, i.paid_at, i.buyer_external_id,
  i.merchant_external_id, i.external_id, i.currency, i.paid, i.paid_at,
  to_char(to_timestamp(i.paid_at) at time zone p.time_zone, 'YYYY-MM-DD'), 'MERCHANT', i.paid, 'migration'
from invoice_of_before i join platforms p on p.platform_id = i.platform_id
where i.paid > 0;

insert into payment_allocations (platform_id, payment_external_id, position, invoice_external_id, installment, cause,
  fee_amount, goods_amount, allocated_at, actor, invoice_version)
select p.platform_id, 'payment-' || md5(p.external_id),
  row_number() over (partition by p.platform_id, p.external_id order by p.number), p.external_id, n.number, 'PAYMENT', 0,
  p.paid, i.paid_at, 'migration', 2
from (
  select platform_id, external_id, paid, number,
    row_number() over (partition by platform_id, external_id order by number) as written
  from instalment_of_before
) p
join invoice_of_before i on i.platform_id = p.platform_id and i.external_id = p.external_id
join invoice_installments n on n.platform_id = p.platform_id and n.invoice_external_id = p.external_id and n.number = p.written
where p.paid > 0;
