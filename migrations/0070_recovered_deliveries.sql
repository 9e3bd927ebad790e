-- Deliveries that a recovery made wait behind the live ones of their subscription.

alter table webhook_deliveries add column is_recovered boolean not null default false;
