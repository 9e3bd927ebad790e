-- Lists of credit notes may be narrowed, and sorted, by each of these.

create index credit_notes_by_reason on credit_notes (platform_id, reason_code, created_at desc, external_id);
create index credit_notes_by_currency on credit_notes (platform_id, currency, created_at desc, external_id);
create index credit_notes_by_invoiced_at on credit_notes (platform_id, invoiced_at desc, external_id);
create index credit_notes_by_amount on credit_notes (platform_id, amount_gross desc, external_id);
