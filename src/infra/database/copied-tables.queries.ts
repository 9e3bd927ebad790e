/** The tables with rows of a platform, and streams that copy those rows from one database into another. */
import type { Writable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { type CopyToStreamQuery, from, to } from 'pg-copy-streams';
import type { Db } from './database.ts';
import type { OwnerConnection } from './owner-connection.ts';

export interface CopiedTable {
  name: string;
  /** Without the generated columns. */
  columns: string[];
  /** The column that a sequence numbers. */
  numbered: string | null;
}

/**
 * Every table with rows of a platform; those that others refer to come first. Throws for a table that is neither one of these nor a key of
 * `shared`, whose values say what is done with each shared table.
 */
export async function listCopiedTables(
  db: Db,
  shared: Readonly<Record<string, string>>,
): Promise<CopiedTable[]> {
  const { rows } = await sql<CopiedTable & { has_platform: boolean; refers_to: string[] }>`
    select c.relname::text as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      max(a.attname::text) filter (where a.attidentity <> '') as numbered,
      bool_or(a.attname = 'platform_id') as has_platform,
      array(
        select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as refers_to
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid, c.relname order by c.relname`.execute(db);
  const strange = rows.filter(({ name, has_platform }) => has_platform === Object.hasOwn(shared, name));
  if (strange.length > 0)
    throw new Error(
      `Say of ${strange.map(({ name }) => name).join(', ')} whether each platform has rows of its own (platform_id), or all share them.`,
    );
  const left = new Map(
    rows
      .filter(({ has_platform }) => has_platform)
      .map(({ has_platform: _, ...table }) => [table.name, table]),
  );
  const ordered: CopiedTable[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(({ refers_to }) => !refers_to.some((name) => left.has(name)));
    if (free.length === 0) throw new Error(`${[...left.keys()].join(', ')} refer to each other in a circle.`);
    for (const { refers_to: _, ...table } of free) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/** Makes the transaction write values in a form that every PostgreSQL reads, regardless of the login's settings. */
export async function prepareCopies(transaction: Db): Promise<void> {
  await sql`
    select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
      set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
      set_config('extra_float_digits', '1', true), set_config('client_encoding', 'UTF8', true)`.execute(
    transaction,
  );
}

/** Prepares the transaction of an import: triggers write nothing, and foreign keys are checked through their indexes. */
export async function beginRowImport(transaction: Db): Promise<void> {
  await sql`
    select set_config('tradeline.import', 'on', true), set_config('enable_seqscan', 'off', true)`.execute(
    transaction,
  );
}

/** The columns as a list, for a statement that is sent as plain text. */
export const columnList = (columns: readonly string[]) =>
  columns.map((name) => pg.escapeIdentifier(name)).join(', ');

/** The rows of the platform, one per line. `rowCount` is set at the end. */
export function copyRowsOut(
  { client }: OwnerConnection,
  { name, columns }: Pick<CopiedTable, 'name' | 'columns'>,
  platformId: number,
): CopyToStreamQuery {
  const of = `select ${columnList(columns)} from ${pg.escapeIdentifier(name)} where platform_id = ${Number(platformId)}`;
  return client.query(to(`copy (${of}) to stdout`));
}

/** Inserts the lines of `copyRowsOut`. */
export function copyRowsIn(
  { client }: OwnerConnection,
  { name, columns }: Pick<CopiedTable, 'name' | 'columns'>,
): Writable {
  return client.query(from(`copy ${pg.escapeIdentifier(name)} (${columnList(columns)}) from stdin`));
}

export async function countRows(
  db: Db,
  { name }: Pick<CopiedTable, 'name'>,
  platformId: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(name)} where platform_id = ${platformId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The current snapshot in PostgreSQL's text form. */
export async function nameSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
    db,
  );
  return rows[0]?.snapshot ?? '';
}

/** Counts the rows of the platform that meet `condition` and were written after a snapshot. Deleted rows do not count. */
export async function countRowsSince(
  db: Db,
  {
    name,
    condition = sql`true`,
  }: Pick<CopiedTable, 'name'> & { condition?: RawBuilder<unknown> | undefined },
  platformId: number,
  snapshot: string,
): Promise<number> {
  // The transaction id that a row stores lacks the upper half.
  const { rows } = await sql<{ count: number }>`
    with latest as materialized (select pg_snapshot_xmax(pg_current_snapshot())::text::numeric as xid)
    select count(*) as count from (
      select t.xmin::text::numeric as short, l.xid, trunc(l.xid / 4294967296) * 4294967296 as epoch
      from ${sql.table(name)} t cross join latest l where t.platform_id = ${platformId} and ${condition}
    ) w
    where w.short > 2 and not pg_visible_in_snapshot(
      (case when w.epoch + w.short <= w.xid then w.epoch + w.short else greatest(w.epoch - 4294967296 + w.short, 0) end)::text::xid8,
      ${snapshot}::pg_snapshot
    )`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The transactions that are open in this database. Those of other databases of the server do not count: snapshots would wait for
 * them too.
 */
export async function listOpenTransactions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.virtualxid as id from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.granted and l.pid <> pg_backend_pid()
      -- Background processes of PostgreSQL have no name.
      and a.datname = current_database() and a.usename is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Sets the sequence of the table past the numbers of the platform. The sequence stays locked until the transaction ends, so call this last.
 */
export async function continueSequence(
  transaction: Db,
  { name, numbered }: CopiedTable,
  platformId: number,
): Promise<void> {
  if (numbered === null) return;
  const { rows } = await sql<{ sequence: string; last: number }>`
    select pg_get_serial_sequence(${name}, ${numbered}) as sequence, coalesce(max(${sql.ref(numbered)}), 0) as last
    from ${sql.table(name)} where platform_id = ${platformId}`.execute(transaction);
  const { sequence = '', last = 0 } = rows[0] ?? {};
  // Changes nothing, but locks out others that take a number.
  await sql`alter sequence ${sql.raw(sequence)} increment by 1`.execute(transaction);
  const { rows: reached } = await sql<{ last: number }>`
    select last_value as last from ${sql.raw(sequence)}`.execute(transaction);
  if ((reached[0]?.last ?? 0) < last)
    await sql`alter sequence ${sql.raw(sequence)} restart with ${sql.lit(last + 1)}`.execute(transaction);
}
