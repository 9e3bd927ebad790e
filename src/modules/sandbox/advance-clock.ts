/** Sets the clock of a platform forward, and makes what falls due in between. */
import { type FailedDue, makeDueTransitions } from '#infra/time/due-transitions';
import { invalidRequest, refusal } from '#kernel/problem';
import {
  continueClockAdvance,
  endClockAdvance,
  findPlatformClocks,
  lockPlatformClock,
  setPlatformClock,
} from '#modules/platforms';
import { type ScheduledTransition, SOURCES } from '#modules/schedule';
import type { Context } from '#operation/operation';
import {
  AHEAD_SECONDS_MAX,
  type ClockAdvance,
  TRANSITIONS_LISTED_MAX,
  YEARS_AHEAD_MAX,
} from './clock.schemas.ts';

/** Batches after which the call reports that it is alive. */
const BATCHES_AT_ONCE = 50;

/** The time to which a request sets the clock. */
interface ClockTarget {
  /** The new time, given the previous time. Both in unix seconds. */
  nowAfter(previous: number): number;
  /** The path of the request's field that sets it, for problems. */
  path: string;
}

/**
 * Sets the clock, in the caller's transaction. What falls due is left to `makeDueUntil`, after the commit. Throws
 * CLOCK_BACKWARDS, and a 400 for a time that is too far ahead.
 */
export async function setClockAhead(
  { db, platformId, clocks }: Context,
  { nowAfter, path }: ClockTarget,
): Promise<ClockAdvance> {
  const realNow = clocks.realNow();
  const previous = realNow + (await lockPlatformClock(db, platformId));
  const now = nowAfter(previous);
  if (now > realNow + AHEAD_SECONDS_MAX) {
    const message = `must not be more than ${YEARS_AHEAD_MAX} years ahead of the real time`;
    throw invalidRequest([{ code: 'TOO_BIG', path, message }]);
  }
  if (now < previous)
    throw refusal('CLOCK_BACKWARDS', `The clock is at ${previous} and cannot be set back`, { now: previous });
  await setPlatformClock(db, platformId, now - realNow);
  return { now, previous, transitions: [], transitions_total: 0 };
}

/** Makes all transitions that are due by the new time, in the batches of the schedule, and lists them. */
export async function makeDueUntil(context: Context, advance: ClockAdvance): Promise<ClockAdvance> {
  const made = await makeAll(context, advance.now);
  const transitions = made
    .slice(0, TRANSITIONS_LISTED_MAX)
    .map(({ dueAt, resource, externalId, trigger }) => ({
      at: dueAt,
      resource,
      external_id: externalId,
      trigger,
    }));
  return { ...advance, transitions, transitions_total: made.length };
}

/**
 * Makes all transitions that are due on the platform by `until`. The workers skip the platform until this ends. If a
 * transition fails, makes the others and then throws its error.
 */
async function makeAll(context: Context, until: number): Promise<ScheduledTransition[]> {
  const { db, platformId, clocks, registries, risk, isSandbox } = context;
  const deps = {
    ...{ vault: { forPlatform: () => context.vault }, clocks, registries, risk, isSandbox },
    baseUrl: () => context.baseUrl,
  };
  for (const { aheadSeconds } of await findPlatformClocks(db, [platformId]))
    clocks.learn(platformId, aheadSeconds);
  const all: ScheduledTransition[] = [];
  const failed: FailedDue<ScheduledTransition['resource']>[] = [];
  const options = { batchesMax: BATCHES_AT_ONCE, failed };
  try {
    for (;;) {
      const { made, hasMore } = await makeDueTransitions(SOURCES, db, platformId, until, deps, options);
      for (const transition of made) all.push(transition);
      if (!hasMore) break;
      await continueClockAdvance(db, platformId);
    }
  } finally {
    await endClockAdvance(db, platformId);
  }
  const [failure] = failed;
  if (failure) throw failure.error;
  return all;
}
