/** Many identical platforms: copies of the first one with all its rows, faster than requests could create them. */
import type pg from 'pg';

/** Creates platforms as the superuser until there are `platforms`, and collects statistics. */
export async function copyPlatform(superuser: pg.Client, platforms: number): Promise<void> {
  // Skips triggers and foreign keys, because the service has created the first platform.
  await superuser.query('set session_replication_role = replica');
  const { rows: ids } = await superuser.query<{ first: number; last: number }>(
    'select min(platform_id) as first, max(platform_id) as last from platforms',
  );
  const { first, last } = ids[0] as { first: number; last: number };
  const { rows: tables } = await superuser.query<{ name: string; columns: string[] }>(`
    select c.relname::text as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
      and a.attname <> 'platform_id'
      and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'platform_id')
    group by c.relname`);
  for (const { name, columns } of tables) {
    const copied = (column: string) =>
      name === 'platforms' && column === 'code' ? "code || '-' || n" : column;
    await superuser.query(`
      insert into ${name} (platform_id, ${columns.join(', ')}) overriding system value
      select n, ${columns.map(copied).join(', ')} from ${name} t, generate_series(${last + 1}, ${platforms}) n
      where t.platform_id = ${first} on conflict do nothing`);
  }
  await superuser.query('vacuum analyze');
}
