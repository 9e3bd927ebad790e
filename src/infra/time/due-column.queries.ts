/** A column of instants as a source of due transitions: where it is not null, something of the row falls due then. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { byPlatform, gathered } from '../database/gather.ts';
import type { DB } from '../database/schema.ts';
import type { Due, DueSource } from './due-transitions.ts';

export interface DueColumn<Name extends keyof DB, Resource extends string> {
  /** A table with `platform_id`, the key and the column in one index. */
  table: Name;
  /** Unix seconds. An expression must be that of the index. */
  column: (keyof DB[Name] & string) | RawBuilder<number>;
  /** The column with the external_id of the resource. */
  key: keyof DB[Name] & string;
  /** A condition that rows must meet beside an instant: that of a partial index. */
  condition?: RawBuilder<unknown>;
  /** A condition that the platform `p` must meet. */
  platforms?: RawBuilder<unknown>;
  resource: Resource;
  trigger: string;
}

/** The part of a source that finds what is due. Each statement reads only what is due, whatever the planner estimates. */
export function dueColumn<Name extends keyof DB, Resource extends string>({
  resource,
  trigger,
  condition = sql`true`,
  platforms,
  ...names
}: DueColumn<Name, Resource>): Pick<DueSource<unknown, Resource>, 'findPlatforms' | 'findNext'> {
  const table = sql.table(names.table);
  const column = typeof names.column === 'string' ? sql.ref(names.column) : names.column;
  const key = sql.ref(names.key);
  const isDue = sql`${column} is not null and ${condition}`;
  return {
    async findPlatforms(db, now) {
      const { rows } = await sql<{ platform_id: number }>`
        select p.platform_id from platforms p
        cross join lateral (
          select ${column} as due_at from ${table} where platform_id = p.platform_id and ${isDue} order by ${column} limit 1
        ) first
        where first.due_at <= ${now}::bigint + p.clock_ahead_seconds and ${platforms ?? sql`true`}
        order by p.platform_id`.execute(db);
      return rows.map((row) => row.platform_id);
    },
    async findNext(db, platformId, until, countMax, except) {
      const passedOver = except
        .filter((due) => due.resource === resource)
        .map(({ externalId }) => externalId);
      // Asked once for the statement, and before any row is read.
      const isPlatform = platforms
        ? sql`(select ${platforms} from platforms p where p.platform_id = ${platformId})`
        : sql`true`;
      const ofPlatform = sql`platform_id = ${platformId} and ${isDue} and ${key} <> all(${passedOver}::text[])`;
      const next = sql`
        select ${key}::text as external_id, ${column} as due_at from ${table}
        where ${isPlatform} and ${ofPlatform} and ${column} = (
          select ${column} from ${table} where ${ofPlatform} and ${column} <= ${until} order by ${column} limit 1
        )
        order by ${key} limit ${countMax}`;
      const rows = await readNext(db, { platformId, next });
      return rows.map(
        (row): Due<Resource> => ({ dueAt: row.due_at, resource, externalId: row.external_id, trigger }),
      );
    },
  };
}

interface NextRow {
  external_id: string;
  due_at: number;
}

/** All sources are asked at once, before each batch: those with a column share one statement. */
const readNext = gathered(readNextOfAll, byPlatform);

async function readNextOfAll(
  db: Db,
  questions: readonly { platformId: number; next: RawBuilder<unknown> }[],
): Promise<NextRow[][]> {
  const parts = questions.map(({ next }, nth) => sql`select ${sql.lit(nth)} as nth, n.* from (${next}) n`);
  const { rows } = await sql<NextRow & { nth: number }>`
    ${sql.join(parts, sql` union all `)} order by nth, external_id`.execute(db);
  return questions.map((_, nth) => rows.filter((row) => row.nth === nth));
}
