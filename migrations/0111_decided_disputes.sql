-- works from 0110
-- A financing waits while the buyer disputes a part of its invoice, and does not default while all of it is disputed.
create trigger examine_services_of_decided after update on invoices for each row
  when (new.active_services > 0 and new.disputed_amount < old.disputed_amount)
  execute function examine_services_of_invoice();
