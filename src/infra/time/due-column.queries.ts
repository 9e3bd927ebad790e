/** A column of instants as a source of due transitions: a row falls due at the instant in its column, if it is not null. */
import { type RawBuilder, sql } from 'kysely';
import { type Db, isCluster } from '../database/database.ts';
import { onEachPlatform } from '../database/each-platform.ts';
import { byPlatform, gathered } from '../database/gather.ts';
import { plansByIndex } from '../database/planning.queries.ts';
import type { DB } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Due, DueSource } from './due-transitions.ts';

export interface DueColumn<Name extends keyof DB, Resource extends string> {
  /** A table that has an index on `platform_id`, the column and the key, and another on the column and `platform_id`. */
  table: Name;
  /** Unix seconds. An expression must match that of the index. */
  column: (keyof DB[Name] & string) | RawBuilder<number>;
  /** The column that holds the external_id of the resource. */
  key: keyof DB[Name] & string;
  /** A further condition that rows must meet: that of a partial index. */
  condition?: RawBuilder<unknown>;
  resource: Resource;
  trigger: string;
}

/**
 * Due rows are looked up across platforms, so that an idle platform costs nothing. If more than this is due, the search goes through the
 * platforms one by one instead, because the first would hide the others.
 */
const FIRST_MAX = 1_000;

/** The part of a source that finds due rows. Each statement reads only due rows, regardless of the planner's estimates. */
export function dueColumn<Name extends keyof DB, Resource extends string>({
  resource,
  trigger,
  condition = sql`true`,
  ...names
}: DueColumn<Name, Resource>): Pick<DueSource<unknown, Resource>, 'findPlatforms' | 'findNext'> {
  const table = sql.table(names.table);
  const column = typeof names.column === 'string' ? sql.ref(names.column) : names.column;
  const key = sql.ref(names.key);
  const isDue = sql`${column} is not null and ${condition}`;
  /** Those of `platforms` on which something is due. */
  const dueOn = (platforms: RawBuilder<unknown>, now: number) => sql`
    select p.platform_id from platforms p
    cross join lateral (
      select ${column} as due_at from ${table} where platform_id = p.platform_id and ${isDue} order by ${column} limit 1
    ) earliest
    where ${platforms} and earliest.due_at <= ${now}::bigint + p.clock_ahead_seconds`;
  const dueOf = (platform: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
    sql`select platform_id from ${table} where ${platform} and ${isDue} and ${column} <= ${until}`;
  return {
    async findPlatforms(db, now) {
      if (isCluster(db)) return readDueOnCluster(db, { now, dueOf });
      const first = sql`
        ${dueOf(sql`true`, sql`${now}::bigint`)} order by ${column} limit ${sql.lit(FIRST_MAX)}`;
      const found = await readDue(db, { first, onAhead: dueOn(sql`p.clock_ahead_seconds > 0`, now) });
      if (!found.isFull) return found.platforms;
      const { rows } = await sql<{ platform_id: number }>`${dueOn(sql`true`, now)} order by 1`.execute(db);
      return rows.map((row) => row.platform_id);
    },
    async findNext(db, platformId, until, countMax, except) {
      const passedOver = except
        .filter((due) => due.resource === resource)
        .map(({ externalId }) => externalId);
      const ofPlatform = sql`platform_id = ${platformId} and ${isDue} and ${key} <> all(${passedOver}::text[])`;
      const next = sql`
        select ${key}::text as external_id, ${column} as due_at from ${table}
        where ${ofPlatform} and ${column} = (
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

interface DuePlatforms {
  platforms: number[];
  /** Whether at least as many rows are due as one search reads. */
  isFull: boolean;
}

/** All sources are queried every second; those with a column share one statement. */
const readDue = gathered(readDueOfAll);

async function readDueOfAll(
  db: Db,
  questions: readonly { first: RawBuilder<unknown>; onAhead: RawBuilder<unknown> }[],
): Promise<DuePlatforms[]> {
  const parts = questions.map(
    ({ first, onAhead }, nth) => sql`(
      with first as materialized (${first})
      select ${sql.lit(nth)} as nth, platform_id, (select count(*) from first) as count
      from (select platform_id from first union ${onAhead}) found
    )`,
  );
  const readAll = sql<{ nth: number; platform_id: number; count: number }>`
    ${sql.join(parts, sql` union all `)} order by nth, platform_id`;
  // Planning this statement takes 10 ms.
  const { rows } = await inTransaction(db, async (transaction) => {
    await sql`select ${plansByIndex}`.execute(transaction);
    return readAll.execute(transaction);
  });
  return questions.map((_, nth) => {
    const found = rows.filter((row) => row.nth === nth);
    return {
      platforms: found.map((row) => row.platform_id),
      isFull: found.some(({ count }) => count >= FIRST_MAX),
    };
  });
}

interface ClusterQuestion {
  now: number;
  /** The rows that meet the condition and are due by `until`. */
  dueOf(platform: RawBuilder<unknown>, until: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** On a cluster, one statement for each shard and one for each platform whose clock is ahead. */
const readDueOnCluster = gathered(readDueOfShards);

async function readDueOfShards(db: Db, questions: readonly ClusterQuestion[]): Promise<number[][]> {
  interface Found {
    nth: number;
    platform_id: number;
  }
  const findOf = async (platform: RawBuilder<unknown>, until: (now: number) => RawBuilder<unknown>) => {
    const parts = questions.map(
      ({ now, dueOf }, nth) =>
        sql`select ${sql.lit(nth)} as nth, platform_id from (${dueOf(platform, until(now))}) d`,
    );
    const { rows } = await sql<Found>`
      select distinct nth, platform_id from (${sql.join(parts, sql` union all `)}) found`.execute(db);
    return rows;
  };
  const { rows: ahead } = await sql<{ platform_id: number; clock_ahead_seconds: number }>`
    select platform_id, clock_ahead_seconds from platforms where clock_ahead_seconds > 0`.execute(db);
  const found = [
    ...(await findOf(sql`true`, (now) => sql`${now}::bigint`)),
    ...(await onEachPlatform(ahead, (platformId, [platform]) =>
      findOf(
        sql`platform_id = ${platformId}`,
        (now) => sql`${now + (platform?.clock_ahead_seconds ?? 0)}::bigint`,
      ),
    )),
  ];
  return questions.map((_, nth) => {
    const platforms = found.filter((row) => row.nth === nth).map((row) => row.platform_id);
    return [...new Set(platforms)].sort((one, other) => one - other);
  });
}

interface NextRow {
  external_id: string;
  due_at: number;
}

/** All sources are queried together before each batch; those with a column share one statement. */
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
