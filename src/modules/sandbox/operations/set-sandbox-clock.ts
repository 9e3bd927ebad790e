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

/** Between two of these it is said that the call lives. */
const MOVES_AT_A_TIME = 50;

export const setSandboxClock = operation({
  id: 'setSandboxClock',
  summary: "Set the platform's clock forward",
  description:
    'To an instant or by a number of seconds, never back. The answer comes when everything that falls due until then has ' +
    'happened, each thing as of its own instant, and lists it in order.',
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
      throw refusal('CLOCK_BACKWARDS', `The clock shows ${previous} and never goes back`, { now: previous });
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

/** Makes everything that is due on the platform by `until`; the workers leave it alone meanwhile. */
async function makeAll(context: Context, until: number): Promise<ScheduledTransition[]> {
  const { db, platformId, clocks, risk, isSandbox } = context;
  const deps = { vault: { forPlatform: () => context.vault }, risk, isSandbox };
  for (const { aheadSeconds } of await findPlatformClocks(db, [platformId]))
    clocks.learn(platformId, aheadSeconds);
  const made: ScheduledTransition[] = [];
  try {
    for (;;) {
      const some = await makeDueTransitions(SOURCES, db, platformId, until, deps, MOVES_AT_A_TIME);
      made.push(...some);
      if (some.length < MOVES_AT_A_TIME) return made;
      await continueClockAdvance(db, platformId);
    }
  } finally {
    await endClockAdvance(db, platformId);
  }
}
