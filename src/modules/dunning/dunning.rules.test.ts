import { describe, expect, it } from 'vitest';
import { dayLater } from '#kernel/day';
import { randomFrom } from '#test/random';
import { type Course, decideNextStep, nextStep } from './dunning.rules.ts';
import { DEFAULT_DUNNING_PLAN, type DunningPlan, pastStepOf } from './dunning-plan.rules.ts';

const calendar = { currency: 'EUR' } as const;

/** The step of a plan with this number, as it is stored; null for 0. */
function lastStepOf({ steps }: DunningPlan, number: number): Course['lastStep'] {
  const step = steps[number - 1];
  return step === undefined ? null : pastStepOf(step);
}

/** An invoice due on Friday, 9 January 2026, with a look long before. */
const course = (more: Partial<Course> = {}): Course => ({
  ...{
    plan: DEFAULT_DUNNING_PLAN,
    calendar,
    dueOn: '2026-01-09',
    step: 0,
    lastStep: lastStepOf(DEFAULT_DUNNING_PLAN, more.step ?? 0),
    lastOn: null,
    hasNoCourtesy: false,
  },
  ...{ stops: [], earliestOn: '2025-12-15' },
  ...more,
});
const shown = (of: Course) => {
  const next = nextStep(of);
  return next && `${next.number} ${next.step.kind} ${next.on}`;
};

describe('the next step', () => {
  it.each<[string, Partial<Course>, string | null]>([
    ['tells the due day first', {}, '1 BEFORE_DUE 2026-01-06'],
    ['tells it on the business day before', { dueOn: '2026-01-07' }, '1 BEFORE_DUE 2026-01-02'],
    ['is on the due day then', { step: 1, lastOn: '2026-01-06' }, '2 DUE 2026-01-09'],
    [
      'is on the business day before it',
      { dueOn: '2026-01-11', step: 1, lastOn: '2026-01-06' },
      '2 DUE 2026-01-09',
    ],
    ['reminds on the business day after', { step: 2, lastOn: '2026-01-09' }, '3 REMINDER 2026-01-14'],
    ['not on a Saturday', { dueOn: '2026-01-12', step: 2 }, '3 REMINDER 2026-01-19'],
    ['keeps the gap to the last', { step: 3, lastOn: '2026-01-23' }, '4 REMINDER 2026-01-26'],
    [
      'keeps the gap to the last, on a business day',
      { step: 4, lastOn: '2026-02-05' },
      '5 LAST_REMINDER 2026-02-09',
    ],
    [
      'passes over what only tells the day, once it is over',
      { earliestOn: '2026-01-12' },
      '3 REMINDER 2026-01-14',
    ],
    ['tells the day late rather than twice', { earliestOn: '2026-01-09' }, '2 DUE 2026-01-09'],
    ['tells it between both', { earliestOn: '2026-01-07' }, '1 BEFORE_DUE 2026-01-07'],
    ['passes over the day itself within the gap', { step: 1, lastOn: '2026-01-07' }, '3 REMINDER 2026-01-14'],
    ['is no harsher one, however late', { earliestOn: '2026-06-01' }, '3 REMINDER 2026-06-01'],
    ['passes over courtesy where it is not wanted', { hasNoCourtesy: true }, '3 REMINDER 2026-01-14'],
    ['hands over at last', { step: 5, lastOn: '2026-02-09' }, '6 HAND_OVER 2026-03-10'],
    ['is none after that', { step: 6, lastOn: '2026-03-10' }, null],
  ])('%s', (_, more, expected) => {
    expect(shown(course(more))).toBe(expected);
  });
});

const planOf = (...steps: DunningPlan['steps']): DunningPlan => ({ least_gap_days: 3, steps });
const FRIENDLY_AT_5 = { days: 5, kind: 'REMINDER' } as const;
const FIRM_AT_15 = { days: 15, kind: 'REMINDER', tone: 'FIRM' } as const;
const LAST_AT_30 = { days: 30, kind: 'LAST_REMINDER' } as const;
const OVER_AT_60 = { days: 60, kind: 'HAND_OVER' } as const;
const FOUR = planOf(FRIENDLY_AT_5, FIRM_AT_15, LAST_AT_30, OVER_AT_60);
const FRIENDLY = planOf(FRIENDLY_AT_5, { days: 15, kind: 'REMINDER' }, { days: 30, kind: 'REMINDER' });
const FIRM_FIRST = planOf({ ...FRIENDLY_AT_5, tone: 'FIRM' }, { days: 20, kind: 'REMINDER' }, LAST_AT_30);

describe('the next step after a change of the plan', () => {
  it.each<[string, { taken: [DunningPlan, number]; plan: DunningPlan }, string | null]>([
    [
      'is the one after the same step, whatever its number',
      { taken: [DEFAULT_DUNNING_PLAN, 3], plan: FOUR },
      '2 REMINDER 2026-01-26',
    ],
    [
      'also in a plan with fewer steps',
      { taken: [DEFAULT_DUNNING_PLAN, 3], plan: FRIENDLY },
      '2 REMINDER 2026-01-26',
    ],
    [
      'is not the step that was sent under another number',
      { taken: [FOUR, 1], plan: DEFAULT_DUNNING_PLAN },
      '4 REMINDER 2026-01-26',
    ],
    [
      'is the due day after what came before it',
      { taken: [DEFAULT_DUNNING_PLAN, 1], plan: planOf({ days: 0, kind: 'DUE' }, FRIENDLY_AT_5) },
      '1 DUE 2026-01-09',
    ],
    [
      'is a later one of its kind, after one that the plan does not have',
      { taken: [FRIENDLY, 2], plan: planOf(FRIENDLY_AT_5, { days: 20, kind: 'REMINDER' }, LAST_AT_30) },
      '2 REMINDER 2026-01-29',
    ],
    [
      'is the firm one after a friendly one, though its day came before',
      { taken: [FRIENDLY, 2], plan: FIRM_FIRST },
      '1 REMINDER 2026-01-14',
    ],
    [
      'is the harsher kind where the plan has no more of the same',
      { taken: [FRIENDLY, 3], plan: planOf(FRIENDLY_AT_5, LAST_AT_30, OVER_AT_60) },
      '2 LAST_REMINDER 2026-02-09',
    ],
    [
      'is no second last reminder on a later day',
      { taken: [FOUR, 3], plan: planOf(FIRM_AT_15, { ...LAST_AT_30, days: 45 }, OVER_AT_60) },
      '3 HAND_OVER 2026-03-10',
    ],
    [
      'is no second hand-over on a later day',
      { taken: [FOUR, 4], plan: planOf(LAST_AT_30, { ...OVER_AT_60, days: 90 }) },
      null,
    ],
    ['is none where all of the plan is milder', { taken: [FOUR, 3], plan: FRIENDLY }, null],
  ])('%s', (_, { taken: [before, step], plan }, expected) => {
    expect(shown(course({ plan, step, lastStep: lastStepOf(before, step) }))).toBe(expected);
  });

  it('is by the number where nothing else is known of the last one', () => {
    expect(shown(course({ plan: FOUR, step: 1, lastStep: null }))).toBe('2 REMINDER 2026-01-26');
  });
});

describe('a stop', () => {
  const decided = (...stops: Course['stops']) => decideNextStep(course({ stops }));

  it('pauses until the day after it', () => {
    expect(decided({ cause: 'PROMISE', untilOn: '2026-01-20' })).toMatchObject({
      ...{ outcome: 'PAUSED', by: 'PROMISE', resumesOn: '2026-01-21' },
    });
  });

  it('pauses until the last of several has ended, and shows the gravest', () => {
    const promise = { cause: 'PROMISE', untilOn: '2026-01-20' } as const;
    expect(decided(promise, { cause: 'STOP_LIST', untilOn: '2026-01-25' })).toMatchObject({
      ...{ by: 'STOP_LIST', resumesOn: '2026-01-26' },
    });
    expect(decided(promise, { cause: 'INSOLVENCY', untilOn: null })).toMatchObject({
      ...{ by: 'INSOLVENCY', resumesOn: null },
    });
  });
});

describe('any life of an invoice', () => {
  /** A day in the life of an invoice: what happens before its look. */
  function live(random: ReturnType<typeof randomFrom>) {
    const taken: { installment: number; step: number; on: string; kind: string }[] = [];
    const dueOn = new Map([1, 2, 3].map((number) => [number, dayLater('2026-01-09', 30 * (number - 1))]));
    let open = [1, 2, 3].slice(0, 1 + random.below(3));
    const first = open;
    let today = dayLater('2025-12-20', random.below(60));
    let stop: { cause: 'PROMISE' | 'DISPUTE'; untilOn: string | null } | null = null;
    let outs = 0;
    for (let day = 0; day < 120; day++, today = dayLater(today, 1)) {
      const chance = random.below(100);
      if (chance < 2) open = open.slice(1);
      else if (chance < 3) open = first.slice(random.below(first.length));
      else if (chance < 4 && open[0] === 1) dueOn.set(1, dayLater(today, random.below(25)));
      else if (chance < 6) stop = { cause: 'PROMISE', untilOn: dayLater(today, random.below(20)) };
      else if (chance < 7) stop = { cause: 'DISPUTE', untilOn: null };
      else if (chance < 9) stop = null;
      const [installment] = open;
      if (installment === undefined) {
        outs++;
        continue;
      }
      const isOver = stop?.untilOn != null && stop.untilOn < today;
      const decision = decideNextStep(
        course({
          ...{ dueOn: dueOn.get(installment) as string, stops: stop === null || isOver ? [] : [stop] },
          step: taken.findLast((each) => each.installment === installment)?.step ?? 0,
          lastOn: taken.at(-1)?.on ?? null,
          earliestOn: today,
        }),
      );
      if (decision.outcome !== 'STEP' || decision.next.on !== today) continue;
      taken.push({ installment, step: decision.next.number, on: today, kind: decision.next.step.kind });
    }
    return { taken, outs };
  }

  it('takes no step twice, none out of order, none within the gap, and none while nothing is owed', () => {
    const random = randomFrom(20_260_109);
    const { least_gap_days: gap } = DEFAULT_DUNNING_PLAN;
    let steps = 0;
    let outs = 0;
    for (let life = 0; life < 10_000; life++) {
      const lived = live(random);
      steps += lived.taken.length;
      outs += lived.outs;
      const faults = lived.taken.filter((each, index) => {
        const before = lived.taken.slice(0, index);
        const last = before.at(-1);
        const ofSame = before.filter((other) => other.installment === each.installment).at(-1);
        const isEarly = last !== undefined && each.on < dayLater(last.on, gap);
        const isOutOfOrder = ofSame !== undefined && each.step <= ofSame.step;
        // Only steps that announce the due day are ever skipped.
        const isHarsher = each.step > 3 && ofSame?.step !== each.step - 1;
        return isEarly || isOutOfOrder || isHarsher;
      });
      expect(faults).toEqual([]);
    }
    expect(steps).toBeGreaterThan(20_000);
    expect(outs).toBeGreaterThan(50_000);
  });
});
