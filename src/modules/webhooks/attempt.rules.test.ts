import fc from 'fast-check';
import { describe, it } from 'vitest';
import { DELIVERY_DELAYS_SECONDS, DELIVERY_WINDOW_SECONDS } from '#kernel/backoff';
import { type AttemptAnswer, judgeAttempt } from './attempt.rules.ts';

const PATTERNS = 10_000;
const ATTEMPT_SECONDS_MAX = 15;
/** How late a worker may be, within the time that the window leaves after the last attempt of a receiver that always hangs. */
const LATE_SECONDS_MAX = 20;
const ROUNDING = 1e-6;

interface Step {
  answer: AttemptAnswer;
  durationSeconds: number;
  /** From the due time of the attempt to its start. */
  lateSeconds: number;
  random: number;
}

const failure = fc.constantFrom(null, 300, 301, 404, 408, 429, 500, 503, 999);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true });
const stepOf = (answer: fc.Arbitrary<AttemptAnswer>): fc.Arbitrary<Step> =>
  fc.record({
    answer,
    durationSeconds: seconds(ATTEMPT_SECONDS_MAX),
    lateSeconds: seconds(LATE_SECONDS_MAX),
    random,
  });
const failing = fc.oneof(
  fc.record({ statusCode: failure, failure: fc.constant(null), retryAfterSeconds: fc.constant(null) }),
  // An incomplete answer counts as none, regardless of its status.
  fc.record({
    statusCode: fc.constantFrom(null, 200, 204, 410, 500),
    failure: fc.constantFrom('TIMEOUT', 'CONNECTION', 'PROTOCOL'),
    retryAfterSeconds: fc.constant(null),
  }),
);
const retryAfter = fc.option(fc.oneof(seconds(100), seconds(20_000), fc.constant(315_360_000)));
const answering = fc.record({
  statusCode: fc.oneof(
    { weight: 12, arbitrary: failure },
    { weight: 1, arbitrary: fc.constantFrom(200, 202, 204, 299, 410) },
  ),
  failure: fc.constant(null),
  retryAfterSeconds: retryAfter,
});
const rounds = (answer: fc.Arbitrary<AttemptAnswer>) =>
  fc.array(fc.array(stepOf(answer), { minLength: 14, maxLength: 14 }), { minLength: 1, maxLength: 3 });

const endsDelivery = (status: number | null) =>
  status !== null && (status === 410 || Math.floor(status / 100) === 2);

/** Plays a round on its own clock. Returns when each attempt started, and how the round ended. */
function play(steps: readonly Step[]) {
  const startedAt: number[] = [];
  let now = 0;
  for (const [index, step] of steps.entries()) {
    now += step.lateSeconds;
    startedAt.push(now);
    const { trigger, delaySeconds } = judgeAttempt(
      index + 1,
      now + step.durationSeconds,
      step.answer,
      step.random,
    );
    if (delaySeconds === null) return { startedAt, trigger };
    now += step.durationSeconds + delaySeconds;
  }
  throw new Error('The round has no end.');
}

/** Refuses an attempt outside its slot: each wait is that of the schedule, at most a tenth shorter, or as long as requested. */
function assertSlots(steps: readonly Step[], startedAt: readonly number[]): void {
  for (const [index, at] of startedAt.entries()) {
    const before = steps[index - 1];
    if (!before) continue;
    const dueAt = at - (steps[index]?.lateSeconds ?? 0);
    const waited = dueAt - (startedAt[index - 1] ?? 0) - before.durationSeconds;
    const scheduled = DELIVERY_DELAYS_SECONDS[index - 1] as number;
    const longest = Math.max(scheduled, before.answer.retryAfterSeconds ?? 0);
    // A worker may be late, but the schedule may not.
    const isInSlot = waited >= scheduled * 0.9 - ROUNDING && waited <= longest + ROUNDING;
    if (!isInSlot || dueAt > DELIVERY_WINDOW_SECONDS + ROUNDING)
      throw new Error(`Attempt ${index + 1} is due at ${dueAt} s, ${waited} s after the one before.`);
  }
}

describe(`in ${PATTERNS.toLocaleString('en')} patterns of failure, each round of a delivery`, () => {
  it('has its attempts in their slots and within 12 hours, and none after a success, a 410 or its end', () => {
    fc.assert(
      fc.property(rounds(answering), (played) => {
        for (const steps of played) {
          const { startedAt, trigger } = play(steps);
          assertSlots(steps, startedAt);
          const statuses = steps.slice(0, startedAt.length).map(({ answer }) => answer.statusCode);
          const last = statuses.pop() ?? null;
          if (statuses.some(endsDelivery)) throw new Error(`Attempts after the end: ${statuses.join()}`);
          const expected = last === 410 ? 'discard' : endsDelivery(last) ? 'acknowledge' : 'give_up';
          if (trigger !== expected) throw new Error(`${last} means ${trigger}`);
        }
      }),
      { numRuns: PATTERNS },
    );
  });

  it('has ten attempts or more if its receiver is dead, and is given up then', () => {
    fc.assert(
      fc.property(rounds(failing), (played) => {
        for (const steps of played) {
          const { startedAt, trigger } = play(steps);
          assertSlots(steps, startedAt);
          if (startedAt.length < 10 || trigger !== 'give_up')
            throw new Error(`${startedAt.length} attempts, then ${trigger}`);
        }
      }),
      { numRuns: PATTERNS },
    );
  });
});
