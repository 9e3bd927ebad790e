import { makeDueTransitions } from '#infra/time/due-transitions';
import { invalidRequest, refusal } from '#kernel/problem';
import {
  continueClockAdvance,
  endClockAdvance,
  findPlatformClocks,
  lockPlatformClock,
  setPlatformClock,
} from '#modules/platforms';
import { type ScheduledTransition, SOURCES } from '#modules/schedule';
import { assertPlatformWide } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import {
  AHEAD_SECONDS_MAX,
  ClockAdvance,
  ClockSetting,
  TRANSITIONS_LISTED_MAX,
  YEARS_AHEAD_MAX,
} from '../clock.schemas.ts';

/** After each batch the call reports that it is alive. */
const TRANSITIONS_PER_BATCH = 50;

export const setSandboxClock = operation({
  id: 'setSandboxClock',
  summary: "Advance the platform's clock",
  description:
    'To an instant or by a number of seconds, never back. Everything that falls due until then happens before the answer, ' +
    'each transition as of its own instant; the answer lists them in order.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: ClockSetting,
  status: 200,
  response: ClockAdvance,
  problems: ['MERCHANT_NOT_ALLOWED', 'CLOCK_BACKWARDS'],
  example: { body: { advance_seconds: 1_209_600 } },
  async run({ db, platformId, caller, clocks }, { body }) {
    assertPlatformWide(caller);
    const realNow = clocks.realNow();
    const previous = realNow + (await lockPlatformClock(db, platformId));
    const now = body.now ?? previous + (body.advance_seconds ?? 0);
    if (now > realNow + AHEAD_SECONDS_MAX)
      throw invalidRequest([
        {
          code: 'TOO_BIG',
          path: body.now === undefined ? 'body.advance_seconds' : 'body.now',
          message: `must not be more than ${YEARS_AHEAD_MAX} years ahead of the real time`,
        },
      ]);
    if (now < previous)
      throw refusal('CLOCK_BACKWARDS', `The clock is at ${previous} and never goes back`, { now: previous });
    await setPlatformClock(db, platformId, now - realNow);
    return { body: { now, previous, transitions: [], transitions_total: 0 } };
  },
  async finish(context, _, answered) {
    const made = await makeAll(context, answered.now);
    const transitions = made
      .slice(0, TRANSITIONS_LISTED_MAX)
      .map(({ dueAt, resource, externalId, trigger }) => ({
        at: dueAt,
        resource,
        external_id: externalId,
        trigger,
      }));
    return { body: { ...answered, transitions, transitions_total: made.length } };
  },
});

/** Makes everything that is due on the platform by `until`. The workers skip the platform until it ends. */
async function makeAll(context: Context, until: number): Promise<ScheduledTransition[]> {
  const { db, platformId, clocks, registries, risk, isSandbox } = context;
  const deps = { vault: { forPlatform: () => context.vault }, registries, risk, isSandbox };
  for (const { aheadSeconds } of await findPlatformClocks(db, [platformId]))
    clocks.learn(platformId, aheadSeconds);
  const made: ScheduledTransition[] = [];
  try {
    for (;;) {
      const some = await makeDueTransitions(SOURCES, db, platformId, until, deps, TRANSITIONS_PER_BATCH);
      made.push(...some);
      if (some.length < TRANSITIONS_PER_BATCH) return made;
      await continueClockAdvance(db, platformId);
    }
  } finally {
    await endClockAdvance(db, platformId);
  }
}
