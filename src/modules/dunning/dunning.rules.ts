/** Decides the next reminder of an invoice: pure, by days. A day is written 2026-01-31. */
import { type BusinessCalendar, isBusinessDay, nextBusinessDay } from '#kernel/business-day';
import { dayLater } from '#kernel/day';
import { DUNNING_PAUSES, type DunningPause } from '#modules/invoices';
import {
  type DunningPlan,
  type DunningStep,
  isCourtesy,
  type PastStep,
  pastStepOf,
  severityOf,
} from './dunning-plan.rules.ts';

/** Why no reminder of an invoice is sent now, and the last day of that stop if it is known. */
export interface Stop {
  cause: DunningPause;
  untilOn: string | null;
}

/** The facts of an invoice at its look. */
export interface Course {
  plan: DunningPlan;
  /** Of the next unpaid instalment: `2026-01-31`. */
  dueOn: string;
  /** The number of the last step taken for that instalment, from 1, in the plan of that time; 0 before the first. */
  step: number;
  /** That step. Null before the first, and if the plan of that time is unknown: then the number decides. */
  lastStep: PastStep | null;
  /** The day of the last step of the invoice; null before the first. */
  lastOn: string | null;
  /** The invoice is collected by direct debit, or the platform has switched these mails off: courtesies are skipped. */
  hasNoCourtesy: boolean;
  stops: readonly Stop[];
  /** The first day on which a mailing can leave: a business day. */
  earliestOn: string;
  calendar: BusinessCalendar;
}

/** A step of the plan with its number, from 1, and the day on which it is taken. */
export interface NextStep {
  number: number;
  step: DunningStep;
  on: string;
}

/** Stops whose end does not trigger a look: the invoice gets a look on each business day. */
const ENDS_UNHEARD: readonly DunningPause[] = ['COLLECTION', 'DISPUTE', 'NO_ADDRESS'];

export type DunningDecision =
  /** `resumesOn` is the day after the last stop; null if unknown. `endsUnheard`: the end of one of the stops triggers no look. */
  | { outcome: 'PAUSED'; by: DunningPause; resumesOn: string | null; endsUnheard: boolean; next: NextStep }
  | { outcome: 'STEP'; next: NextStep }
  /** Every step has been taken. */
  | { outcome: 'DONE' };

/** Decides the next step. A stop that lasts until a day is over on the day after it. */
export function decideNextStep(course: Course): DunningDecision {
  const next = nextStep(course);
  if (next === null) return { outcome: 'DONE' };
  const [first] = DUNNING_PAUSES.flatMap((cause) => course.stops.filter((stop) => stop.cause === cause));
  if (first) {
    const ends = course.stops.map(({ untilOn }) => untilOn);
    const last = ends.includes(null) ? null : (ends as string[]).sort().at(-1);
    const endsUnheard = course.stops.some(({ cause }) => ENDS_UNHEARD.includes(cause));
    const resumesOn = last == null ? null : dayLater(last, 1);
    return { outcome: 'PAUSED', by: first.cause, resumesOn, endsUnheard, next };
  }
  return { outcome: 'STEP', next };
}

/**
 * The next step: the one after the last, never two together, and never a harsher one instead. If the current plan does not contain the
 * last step, the next is the first that is harsher, or a later REMINDER. It is taken on its day or the business day after, and at least
 * `least_gap_days` after the last step. A courtesy is mailed on the business day before if its own day is none, and is skipped if it
 * would be late.
 */
export function nextStep(course: Course): NextStep | null {
  const { plan, dueOn, lastOn, earliestOn, hasNoCourtesy, calendar } = course;
  const afterGap = lastOn === null ? earliestOn : dayLater(lastOn, plan.least_gap_days);
  const first = nextBusinessDay(calendar, afterGap > earliestOn ? afterGap : earliestOn);
  const firstLeft = indexAfterLast(course);
  for (const [index, step] of plan.steps.entries()) {
    if (index < firstLeft) continue;
    const day = dayLater(dueOn, step.days);
    if (!isCourtesy(step))
      return { number: index + 1, step, on: nextBusinessDay(calendar, day > first ? day : first) };
    const dayBefore = businessDayBefore(calendar, day);
    const on = dayBefore > first ? dayBefore : first;
    if (!hasNoCourtesy && on <= dueOn && !isOvertaken(plan.steps[index + 1], { dueOn, on, calendar }))
      return { number: index + 1, step, on };
  }
  return null;
}

/** The index of the first step of the plan that is still to come; the number of steps if none is. */
function indexAfterLast({ plan, step: number, lastStep: last }: Course): number {
  if (last === null) return number;
  const steps = plan.steps.map(pastStepOf);
  const same = steps.findIndex(
    ({ kind, days, isFirm }) => kind === last.kind && days === last.days && isFirm === last.isFirm,
  );
  if (same >= 0) return same + 1;
  const isLeft = (step: PastStep) =>
    severityOf(step) > severityOf(last) ||
    // Only a REMINDER is sent more than once.
    (step.kind === 'REMINDER' && last.kind === 'REMINDER' && step.days > last.days);
  const next = steps.findIndex(isLeft);
  return next < 0 ? steps.length : next;
}

/** Whether the day of the next courtesy has already come. */
function isOvertaken(
  next: DunningStep | undefined,
  { dueOn, on, calendar }: { dueOn: string; on: string; calendar: BusinessCalendar },
): boolean {
  return (
    next !== undefined && isCourtesy(next) && businessDayBefore(calendar, dayLater(dueOn, next.days)) <= on
  );
}

/** The day itself if it is a business day, else the last one before it. */
function businessDayBefore(calendar: BusinessCalendar, day: string): string {
  let before = day;
  while (!isBusinessDay(calendar, before)) before = dayLater(before, -1);
  return before;
}
