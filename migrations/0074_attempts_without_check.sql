-- The statement that records an attempt also writes its delivery, and deletes both together: a foreign key proved nothing, and
-- its check locked, and so wrote, the delivery once more for each attempt.
alter table webhook_attempts drop constraint webhook_attempts_platform_id_delivery_id_fkey;
