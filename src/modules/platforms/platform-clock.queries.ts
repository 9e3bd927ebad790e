/** How far a sandbox platform's clock is ahead of real time. Only the sandbox's clock call changes it, and only forward. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

/** How long workers skip due transitions after a clock call has died. */
const MOVING_SECONDS = 60;
const movingUntil = sql<Date | null>`now() + make_interval(secs => ${MOVING_SECONDS})`;

/** Locks the clock until the transaction ends and returns its lead, in seconds. */
export async function lockPlatformClock(db: Db, platformId: number): Promise<number> {
  const { clock_ahead_seconds } = await db
    .selectFrom('platforms')
    .select('clock_ahead_seconds')
    .where('platform_id', '=', platformId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return clock_ahead_seconds;
}

/** Sets the clock. The caller then runs due transitions and calls `endClockAdvance`. */
export async function setPlatformClock(db: Db, platformId: number, aheadSeconds: number): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ clock_ahead_seconds: aheadSeconds, clock_moving_until: movingUntil })
    .where('platform_id', '=', platformId)
    .execute();
}

/** Keeps workers from running due transitions for another minute. Call it repeatedly while you run them. */
export async function continueClockAdvance(db: Db, platformId: number): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ clock_moving_until: movingUntil })
    .where('platform_id', '=', platformId)
    .execute();
}

export async function endClockAdvance(db: Db, platformId: number): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ clock_moving_until: null })
    .where('platform_id', '=', platformId)
    .execute();
}

export interface PlatformClock {
  platformId: number;
  aheadSeconds: number;
  /** Whether a clock call is still running due transitions, or the platform relocates to another database. */
  isMoving: boolean;
}

export async function findPlatformClocks(db: Db, platformIds: readonly number[]): Promise<PlatformClock[]> {
  const { rows } = await sql<PlatformClock>`
    select platform_id as "platformId", clock_ahead_seconds as "aheadSeconds",
      coalesce(clock_moving_until > now(), false) or relocating_since is not null as "isMoving"
    from platforms where platform_id = any(${[...platformIds]}::int[])`.execute(db);
  return rows;
}

/** The time zone in which the platform counts days. */
export async function findTimeZone(db: Db, platformId: number): Promise<string> {
  const { time_zone } = await db
    .selectFrom('platforms')
    .select('time_zone')
    .where('platform_id', '=', platformId)
    .executeTakeFirstOrThrow();
  return time_zone;
}
