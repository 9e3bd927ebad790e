-- The embedded register of companies: what public registers tell, the same for every platform, hence without platform_id.
-- How a search uses it is told in docs/internals/registry.md.

create table register_companies (
  company_id bigint generated always as identity primary key,
  register text not null,
  -- Unique within the register: an LEI, a company number.
  register_key text not null,
  country text not null,
  legal_name text not null,
  trading_name text,
  other_names text[] not null,
  legal_form text,
  elf_code text,
  address jsonb not null,
  identifiers jsonb not null,
  incorporated_on date,
  website text,
  is_active boolean not null,
  -- The words of each of its names, the legal one first: `cafe morgenrot|morgenrot berlin`.
  name_words text not null,
  -- What it is found by, each with its country before it: `DE:morgenrot` a word, `DE:=cafemorgenrot` a whole name,
  -- `DE:@berlin` its city, `DE:#10435` its postcode.
  search_keys text[] collate "C" not null,
  refreshed_at unix_seconds not null,
  unique (register, register_key)
);
create index register_companies_by_search_key on register_companies using gin (search_keys);

-- Values without what only groups them: spaces, dots, case, the country's prefix. A value may have several keys.
create table register_identifiers (
  country text collate "C" not null,
  value_key text collate "C" not null,
  type text collate "C" not null,
  company_id bigint not null references register_companies on delete cascade,
  primary key (country, value_key, type, company_id)
);
create index register_identifiers_by_company on register_identifiers (company_id);

-- The vocabulary: how many companies of a country have a word. Rebuilt after an import, so counts are near enough, not
-- exact. Compared byte by byte, so that the primary key also finds words by their beginning.
create table register_words (
  country text collate "C" not null,
  word text collate "C" not null,
  companies integer not null,
  -- Hashes of the word and of the word with any one letter left out: two words one typing error apart share one of them.
  variants integer[] not null,
  primary key (country, word)
);
create index register_words_by_variant on register_words using gin (variants);
create index register_words_by_trigram on register_words using gin (word gin_trgm_ops);

create table register_imports (
  import_id bigint generated always as identity primary key,
  -- What is imported: the file's name, size and the hash of its beginning. The same file goes on where it stopped.
  file_key text not null unique,
  file_name text not null,
  format text not null,
  records_read bigint not null default 0,
  companies_written bigint not null default 0,
  records_refused bigint not null default 0,
  started_at unix_seconds not null,
  finished_at unix_seconds
);

grant select, insert, update, delete on register_companies, register_identifiers, register_words, register_imports
  to tradeline_service;
