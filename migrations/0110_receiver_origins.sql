-- works from 0108
-- Receivers behind one origin share its slots. The program writes the origin as it reads urls: a name in ASCII, an address in its usual
-- form. It also writes the url of which this is: versions before change the url alone.
alter table webhook_subscriptions
  add column canonical_origin text,
  add column canonical_of_url text;
-- The same for all spellings of an origin. Without the program's, spellings in ASCII are brought to one: without the port of the scheme, an
-- empty port, zeros before a port, and the dot that marks a name as complete.
alter table webhook_subscriptions
  add column receiver_origin text generated always as (
    case when canonical_of_url = url then canonical_origin
      else rtrim(regexp_replace(regexp_replace(
        lower(substring(url from '^[^/]+//[^/?#]+')), '[.]?:0*([0-9]*)$', ':\1'),
        '^(https:.*):(443)?$|^(http:.*):(80)?$', '\1\3'), '.')
    end
  ) stored;
