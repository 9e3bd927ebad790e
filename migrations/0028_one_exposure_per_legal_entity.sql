-- Buyers of one legal entity share its exposure.

-- The numbers of a buyer's company, as keyed hashes: its VAT ids, tax ids and trade register numbers, and the registry
-- entries that a decision found. Buyers with a number in common are the same legal entity.
create table buyer_entity_keys (
  platform_id integer not null,
  entity_key bytea not null,
  buyer_external_id external_id not null,
  primary key (platform_id, entity_key, buyer_external_id),
  foreign key (platform_id, buyer_external_id) references buyers (platform_id, external_id)
);
create index buyer_entity_keys_by_buyer on buyer_entity_keys (platform_id, buyer_external_id);

-- One row for each key. A decision about a buyer locks those of its legal entity.
create table legal_entities (
  platform_id integer not null references platforms,
  entity_key bytea not null,
  primary key (platform_id, entity_key)
);

-- Hashes need the platform's key: facilities of before get theirs with the platform's next decision.
alter table facilities add column has_entity_keys boolean not null default false;
create index facilities_without_entity_keys on facilities (platform_id, buyer_external_id) where not has_entity_keys;

grant select, insert, delete on buyer_entity_keys to tradeline_service;
grant select, insert, update on legal_entities to tradeline_service;
