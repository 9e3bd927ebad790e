-- works from 0111
-- Each filter and sort of facilities is a range of an index, also by what each order changes. The status precedes the sort, as in lists of
-- orders, so one index serves a sort with and without a status.
-- One at a time: a cluster refuses to drop several together.
drop index facilities_by_created_at;
drop index facilities_by_status;
drop index facilities_by_currency;
drop index facilities_by_risk_band;
drop index facilities_by_expires_at;
drop index facilities_by_total_amount;
create index facilities_by_created_at on facilities (platform_id, status, created_at desc, buyer_external_id);
create index facilities_by_updated_at on facilities (platform_id, status, updated_at desc, buyer_external_id);
create index facilities_by_expires_at on facilities (platform_id, status, expires_at, buyer_external_id);
create index facilities_by_total_amount on facilities (platform_id, status, total_amount desc, buyer_external_id);
create index facilities_by_available_amount on facilities (platform_id, status, available_amount desc, buyer_external_id);
create index facilities_by_used_amount on facilities (platform_id, status, used_amount desc, buyer_external_id);
create index facilities_by_currency on facilities (platform_id, currency, status, created_at desc, buyer_external_id);
create index facilities_by_risk_band on facilities (platform_id, risk_band, status, created_at desc, buyer_external_id);
