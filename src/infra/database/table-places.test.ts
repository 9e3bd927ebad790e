/** Each table suits its place, so that a cluster accepts it. The test needs no cluster. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';
import { TABLE_PLACES } from './table-places.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const NAMES = Object.keys(TABLE_PLACES) as (keyof typeof TABLE_PLACES)[];
const at = (wanted: string) => NAMES.filter((name) => TABLE_PLACES[name] === wanted);
const placeOf = (name: string) => TABLE_PLACES[name as keyof typeof TABLE_PLACES];

describe('the places of tables', () => {
  it('are of every table of the schema', async () => {
    const rows = await world.sql<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relname <> 'schema_migrations' order by relname`,
    );
    expect([...NAMES].sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('distributed: every unique key has the platform, and the first one begins with it', async () => {
    const rows = await world.sql<{ name: string; is_primary: boolean; columns: string[] }>(
      `select c.relname as name, i.indisprimary as is_primary,
        array(select a.attname::text from unnest(i.indkey[:i.indnkeyatts - 1]) with ordinality k(attnum, nth)
          left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.nth) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relname = any($1)`,
      [at('distributed')],
    );
    expect(rows.filter(({ columns }) => !columns.includes('platform_id'))).toEqual([]);
    const primary = rows.filter((row) => row.is_primary);
    expect(primary.filter(({ columns }) => columns[0] !== 'platform_id')).toEqual([]);
    expect(primary.map(({ name }) => name).sort()).toEqual(at('distributed').sort());
  });

  it('distributed: numbers that nodes draw are bigint, of which each node has its own range', async () => {
    const rows = await world.sql(
      `select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attidentity <> '' and a.atttypid <> 'bigint'::regtype and c.relname = any($1)`,
      [at('distributed')],
    );
    expect(rows).toEqual([]);
  });

  it('refer to rows of the same platform, or to a reference table; no other table refers to a distributed one', async () => {
    const rows = await world.sql<{ of: string; to: string; own: string[]; theirs: string[] }>(
      `select f.conrelid::regclass::text as of, f.confrelid::regclass::text as to,
        array(select attname::text from unnest(f.conkey) with ordinality k(n, nth)
          join pg_attribute on attrelid = f.conrelid and attnum = k.n order by nth) as own,
        array(select attname::text from unnest(f.confkey) with ordinality k(n, nth)
          join pg_attribute on attrelid = f.confrelid and attnum = k.n order by nth) as theirs
      from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(100);
    const wrong = rows.filter(({ of, to, own, theirs }) => {
      if (placeOf(to) === 'reference') return placeOf(of) === 'local';
      if (placeOf(of) !== placeOf(to)) return true;
      return placeOf(of) === 'distributed' && own.indexOf('platform_id') !== theirs.indexOf('platform_id');
    });
    expect(wrong).toEqual([]);
  });
});
