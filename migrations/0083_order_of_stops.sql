-- Two stops of one second are listed as they were made.
alter table dunning_stops add column ordinal bigint generated always as identity;
