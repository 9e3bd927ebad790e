-- What the export of a platform that moves to another database has copied, as PostgreSQL writes a snapshot. Null: no export has ended.
alter table platforms add column exported_snapshot text;
