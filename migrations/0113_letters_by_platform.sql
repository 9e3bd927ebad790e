-- The index of one letter or two has the platform in its keys. With the platform as a column, PostgreSQL looked each buyer that has the
-- letters up among all buyers of the platform: 177 pages instead of 5 for 500 of half a million buyers.
drop index buyers_by_short_grams;
drop function short_grams(text);
create function platform_grams(platform_id integer, text text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct platform_id || ' ' || substr(text, start, length)), '{}')
  from generate_series(1, length(text)) start, generate_series(1, 2) length
$$;
create index buyers_by_short_grams on buyers using gin (platform_grams(platform_id, search_text));
