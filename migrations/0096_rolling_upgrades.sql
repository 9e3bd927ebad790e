-- works from 0095
-- The number of the last migration that a process must know to work with the schema after this one; null: this one itself.
alter table schema_migrations add column works_from integer;
