import { globSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Table } from '#infra/database/table';
import { createWorld, type World } from '#test/world';

const SOURCE = new URL('../../src/', import.meta.url);

type AnyTable = Table<never, object, object>;

async function listedTables(): Promise<AnyTable[]> {
  const files = globSync('**/*.queries.ts', { cwd: SOURCE });
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, SOURCE).href) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter((value) => value instanceof Table) as AnyTable[];
}

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

describe('every table with a list of columns', () => {
  it('has them in the database, with the listed types', async () => {
    const tables = await listedTables();
    expect(tables.length).toBeGreaterThanOrEqual(5);
    const { rows } = await sql<{ name: string; type: string }>`
      select c.relname || '.' || a.attname as name,
        format_type(case when t.typtype = 'd' then t.typbasetype else t.oid end, null) as type
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0`.execute(
      world.installation.db,
    );
    const declared = new Map(rows.map(({ name, type }) => [name, type]));
    for (const { name, types } of tables)
      for (const [column, type] of types)
        expect(`${name}.${column} ${declared.get(`${name}.${column}`)}`).toBe(
          `${name}.${column} ${LONG_NAMES[type] ?? type}`,
        );
  });

  it('is listed once', async () => {
    const names = (await listedTables()).map(({ name }) => name as string);
    expect(names).toEqual([...new Set(names)]);
  });
});

const LONG_NAMES: Record<string, string> = {
  int: 'integer',
  'int[]': 'integer[]',
  float8: 'double precision',
  timestamptz: 'timestamp with time zone',
};
