-- Files, encrypted in chunks. The content is in the database or in a folder; the row is here in both cases.
create table files (
  platform_id integer not null references platforms,
  file_id uuid not null,
  created_at unix_seconds not null,
  -- Of the content before encryption.
  size_bytes integer not null check (size_bytes between 1 and 20971520),
  sha256 bytea not null check (length(sha256) = 32),
  is_in_folder boolean not null,
  primary key (platform_id, file_id)
);

create table file_chunks (
  platform_id integer not null,
  file_id uuid not null,
  -- From 0.
  chunk integer not null,
  sealed bytea not null,
  primary key (platform_id, file_id, chunk),
  foreign key (platform_id, file_id) references files (platform_id, file_id) on delete cascade
);
-- Encrypted bytes cannot be compressed.
alter table file_chunks alter column sealed set storage external;

grant select, insert, delete on files to tradeline_service;
grant select, insert, delete on file_chunks to tradeline_service;
