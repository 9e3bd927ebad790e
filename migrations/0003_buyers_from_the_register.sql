-- Buyers that took from the register what nobody typed, and how they learn that it changed.
-- How it works is told in docs/internals/registry.md.

-- Companies that some buyer took values from, of whatever platform. One that is written again is marked, in the same
-- transaction, until the buyers have been compared with it. Without reference to the company: a register that is emptied
-- and imported anew leaves its buyers as they are.
create table register_followed (
  company_id bigint primary key,
  is_changed boolean not null default false
);
create index register_followed_changed on register_followed (company_id) where is_changed;

alter table buyers
  -- What the answer shows as `registry`, and which of the identifiers the register gave.
  add column registry jsonb,
  add column register_company_id bigint,
  add constraint buyers_registry_names_its_company check ((registry is null) = (register_company_id is null));
create index buyers_by_register_company on buyers (register_company_id, platform_id, external_id)
  where register_company_id is not null;

grant select, insert, update, delete on register_followed to tradeline_service;
