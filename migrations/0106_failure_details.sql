-- works from 0104
-- A sentence about why an attempt failed, beside the kind of its failure.
alter table webhook_attempts add column failure_detail text;
