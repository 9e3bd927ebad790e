-- works from 0099
-- What is pruned is found by its age alone, however many platforms there are.
drop index checkout_links_by_end;
create index checkout_links_by_end on checkout_links (least(revoked_at, expires_at));
drop index checkouts_with_progress;
create index checkouts_with_progress on checkouts (updated_at) where progress_sealed is not null;
drop index checkout_sessions_by_created_at;
create index checkout_sessions_by_created_at on checkout_sessions (created_at);
drop index buyer_page_files_by_created_at;
create index buyer_page_files_by_created_at on buyer_page_files (created_at);
drop index buyer_page_sessions_by_created_at;
create index buyer_page_sessions_by_created_at on buyer_page_sessions (created_at);
drop index buyer_page_codes_by_sent_at;
create index buyer_page_codes_by_sent_at on buyer_page_codes (sent_at);
create index credit_applications_by_age on credit_applications (applied_at);
