-- The service tells at /readyz whether the database has the migrations of its version.
grant select on schema_migrations to tradeline_service;
