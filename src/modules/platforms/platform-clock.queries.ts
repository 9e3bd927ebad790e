/** How far a sandbox's platform is ahead of the real time. It only grows, and only the sandbox's clock call lets it. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

/** How long a clock call that died keeps the workers from making what became due. */
const MOVING_SECONDS = 60;
const movingUntil = sql<Date | null>`now() + make_interval(secs => ${MOVING_SECONDS})`;

/** Seconds. Whoever else wants to set this clock waits until the transaction ends. */
export async function lockPlatformClock(db: Db, platformId: number): Promise<number> {
  const { clock_ahead_seconds } = await db
    .selectFrom('platforms')
    .select('clock_ahead_seconds')
    .where('platform_id', '=', platformId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return clock_ahead_seconds;
}

/** From here on the caller makes what became due, until it says `endClockMove`. */
export async function setPlatformClock(db: Db, platformId: number, aheadSeconds: number): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ clock_ahead_seconds: aheadSeconds, clock_moving_until: movingUntil })
    .where('platform_id', '=', platformId)
    .execute();
}

/** Said again and again by whoever is making what became due. */
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
  /** Whoever set the clock is still making what became due. */
  isMoving: boolean;
}

export async function findPlatformClocks(db: Db, platformIds: readonly number[]): Promise<PlatformClock[]> {
  const { rows } = await sql<PlatformClock>`
    select platform_id as "platformId", clock_ahead_seconds as "aheadSeconds",
      coalesce(clock_moving_until > now(), false) as "isMoving"
    from platforms where platform_id = any(${[...platformIds]}::int[])`.execute(db);
  return rows;
}
