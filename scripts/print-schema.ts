/**
 * Prints schema.sql, the result of all migrations, from the catalogue of a migrated database. It is for readers and reviewers;
 * only migrations are run. The packaged PostgreSQL contains no pg_dump.
 */
import type pg from 'pg';

const TABLES_WITHOUT_OWN = "and c.relname <> 'schema_migrations'";

export async function printSchema(client: pg.Client): Promise<string> {
  const parts = [
    '-- Printed by `npm run generate` from the migrated database. Do not edit: write a migration.',
    '',
  ];
  const rows = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;

  for (const { extname } of await rows<{ extname: string }>(
    "select extname from pg_extension where extname <> 'plpgsql' order by 1",
  )) {
    parts.push(`create extension ${extname};`);
  }
  parts.push('');
  for (const domain of await rows<{ name: string; base: string; checks: string }>(`
    select t.typname as name, format_type(t.typbasetype, t.typtypmod) as base,
      coalesce((select string_agg(pg_get_constraintdef(c.oid), ' ' order by c.conname) from pg_constraint c where c.contypid = t.oid), '') as checks
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typtype = 'd' and n.nspname = 'public' order by 1`)) {
    parts.push(`create domain ${domain.name} as ${domain.base} ${domain.checks};`);
  }
  for (const { definition } of await rows<{ definition: string }>(`
    select pg_get_functiondef(p.oid) as definition from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`)) {
    parts.push('', `${definition.trim()};`);
  }
  for (const { name, columns, constraints } of await rows<{
    name: string;
    columns: string;
    constraints: string | null;
  }>(`
    select c.relname as name,
      (select string_agg('  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull then ' not null' else '' end
          || case a.attidentity when 'a' then ' generated always as identity' else '' end
          || case when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                  when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
        E',\\n' order by a.attnum)
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select string_agg('  constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid), E',\\n' order by k.contype <> 'p', k.conname)
       from pg_constraint k where k.conrelid = c.oid and k.contype not in ('n', 't')) as constraints
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' ${TABLES_WITHOUT_OWN} order by 1`)) {
    parts.push('', `create table ${name} (`, [columns, constraints].filter(Boolean).join(',\n'), ');');
    for (const { definition } of await rows<{ definition: string }>(`
      select indexdef as definition from pg_indexes
      where schemaname = 'public' and tablename = '${name}'
        and indexname not in (select conname from pg_constraint) order by indexname`)) {
      parts.push(`${definition};`);
    }
    for (const { definition } of await rows<{ definition: string }>(`
      select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = 'public.${name}'::regclass and not tgisinternal order by tgname`)) {
      parts.push(`${definition};`);
    }
    for (const { grantee, privileges } of await rows<{ grantee: string; privileges: string }>(`
      select grantee, string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges
      from information_schema.role_table_grants
      where table_schema = 'public' and table_name = '${name}' and grantee = 'tradeline_service' group by grantee`)) {
      parts.push(`grant ${privileges} on ${name} to ${grantee};`);
    }
  }
  return `${parts.join('\n')}\n`;
}
