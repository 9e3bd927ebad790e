-- Indexes of the registry collect new entries in lists that each search reads. Only their owner, which the service is not, can have
-- the lists merged for certain: a write that finds them too long leaves them to a vacuum that is under way, which merges only what was
-- there when it began. After two million companies, 49 MB were left, and a search took 200 ms instead of one.
create function merge_registry_entries() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  select gin_clean_pending_list('public.registry_companies_by_search_key'),
    gin_clean_pending_list('public.registry_words_by_variant'), gin_clean_pending_list('public.registry_words_by_trigram');
$$;
revoke execute on function merge_registry_entries() from public;
grant execute on function merge_registry_entries() to tradeline_service;
-- What earlier imports left.
select merge_registry_entries();
