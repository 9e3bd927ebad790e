/** Cells: databases between which platforms move, each with its own range of platform ids. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** How many ids a cell has. */
const CELL_IDS = 1_000_000;
/** The last cell whose ids fit into an integer of PostgreSQL. */
export const CELL_MAX = 2_146;

/** The number of the cell; null before it has one. */
export async function findCell(db: Db): Promise<number | null> {
  // Without a cell, only the integer type limits the ids.
  const { rows } = await sql<{ first: number; last: number }>`
    select seqmin as first, seqmax as last from pg_sequence
    where seqrelid = pg_get_serial_sequence('platforms', 'platform_id')::regclass`.execute(db);
  const { first = 0, last = 0 } = rows[0] ?? {};
  return last - first < CELL_IDS ? Math.floor(first / CELL_IDS) : null;
}

/** Lets new platforms get ids of the cell's range, after the existing ones. Call it in a transaction of the owner. */
export async function setCell(transaction: Db, cell: number): Promise<void> {
  const [first, last] = [Math.max(1, cell * CELL_IDS), (cell + 1) * CELL_IDS - 1];
  const { rows } = await sql<{ sequence: string; next: number }>`
    select pg_get_serial_sequence('platforms', 'platform_id') as sequence,
      coalesce(max(platform_id) filter (where platform_id between ${first} and ${last}), ${first - 1}) + 1 as next
    from platforms`.execute(transaction);
  const { sequence = '', next = first } = rows[0] ?? {};
  await sql`
    alter sequence ${sql.raw(sequence)} minvalue ${sql.lit(first)} maxvalue ${sql.lit(last)}
    start with ${sql.lit(first)} restart with ${sql.lit(next)}`.execute(transaction);
}
