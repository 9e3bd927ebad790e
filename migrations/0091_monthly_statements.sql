-- Whether buyers get their statement of account by mail after each month.
alter table platforms add column sends_monthly_statements boolean not null default false;
create index platforms_with_statements on platforms (platform_id) where sends_monthly_statements;

-- How far the statements of a month are written. The first row of a platform is of the last month without statements.
create table statement_runs (
  platform_id integer not null,
  -- The first day of the month.
  month_on calendar_day not null,
  -- Buyers are written to in the order of their external_ids; null before the first one.
  last_buyer_external_id text,
  -- By the platform's clock; null until all are written to.
  finished_at unix_seconds,
  primary key (platform_id, month_on),
  foreign key (platform_id) references platforms
);
grant select, insert, update on statement_runs to tradeline_service;
