/** Decides what a look at an invoice does: pure. */
import { nextBusinessDay } from '#kernel/business-day';
import { dayLater } from '#kernel/day';
import type { DunningChange, DunningPause } from '#modules/invoices';
import type { CourseFacts } from './course-facts.ts';
import type { DunningDecision, NextStep } from './dunning.rules.ts';
import { dayIn, opensOn } from './send-window.rules.ts';

/** The result of a look at an invoice. */
export interface Looked {
  facts: CourseFacts;
  triggers: DunningChange['triggers'];
  /** The step that is taken now. */
  taken: NextStep | null;
  /** The step that now waits for an operator. */
  operatorStep: number | null;
  /** When the next step is due, or the pause ends, in unix seconds. */
  nextAt: number | null;
  pausedBy: DunningPause | null;
  /** The next look, in unix seconds. */
  lookAt: number | null;
}

/** Applies a decision; null means that no step is to come. `now` in unix seconds. */
export function lookOf(facts: CourseFacts, decision: DunningDecision | null, now: number): Looked {
  const nothing = { facts, taken: null, operatorStep: null, nextAt: null, pausedBy: null, lookAt: null };
  if (decision === null || decision.outcome === 'DONE')
    return { ...nothing, triggers: isPaused(facts) ? ['resume'] : [] };
  const at = opensOn(facts.window, decision.next.on);
  const isDue = at <= now;
  if (decision.outcome === 'PAUSED' && (isDue || isUnderWay(facts))) return paused(facts, decision, now);
  if (!isDue) return { ...nothing, triggers: isPaused(facts) ? ['resume'] : [], nextAt: at, lookAt: at };
  const awaited = awaitedBy(facts, decision.next);
  if (awaited !== null)
    return {
      ...paused(facts, { by: awaited, resumesOn: null, endsUnheard: false }, now),
      operatorStep: awaited === 'OPERATOR' ? decision.next.number : null,
    };
  return { ...nothing, triggers: [...toRunning(facts), 'step'], taken: decision.next };
}

/** Pauses reminders until the pause ends. If its end triggers no look, the next look is on the next business day. */
export function paused(
  facts: CourseFacts,
  { by, resumesOn, endsUnheard }: { by: DunningPause; resumesOn: string | null; endsUnheard: boolean },
  now: number,
): Looked {
  const { window, calendar } = facts;
  const nextDay = nextBusinessDay(calendar, dayLater(dayIn(window, now), 1));
  const nextAt = resumesOn === null ? null : opensOn(window, nextBusinessDay(calendar, resumesOn));
  return {
    facts,
    triggers: isPaused(facts) ? [] : isUnderWay(facts) ? ['pause'] : ['begin', 'pause'],
    ...{ taken: null, operatorStep: null, nextAt, pausedBy: by },
    lookAt: nextAt ?? (endsUnheard ? opensOn(window, nextDay) : null),
  };
}

const isPaused = ({ invoice }: CourseFacts) => invoice.dunning?.status === 'PAUSED';
const isUnderWay = ({ invoice }: CourseFacts) =>
  invoice.dunning !== null && invoice.dunning.status !== 'ENDED';

function toRunning(facts: CourseFacts): DunningChange['triggers'] {
  if (isPaused(facts)) return ['resume'];
  return isUnderWay(facts) ? [] : ['begin'];
}

/** What a due step waits for: an operator who resumes the reminders, or prints the letter. */
export function awaitedBy(facts: CourseFacts, next: NextStep): 'OPERATOR' | 'LETTER' | null {
  if (next.step.needs_operator && !isReleased(facts, next)) return 'OPERATOR';
  return next.step.channel === 'LETTER' ? 'LETTER' : null;
}

/**
 * Whether an operator has resumed the step. A release before the last step was for that one, which can have had this number in an
 * earlier plan.
 */
function isReleased({ stops, taken, installment }: CourseFacts, { number }: NextStep): boolean {
  const lastAt = taken.findLast((each) => each.installment === installment)?.transitioned_at ?? 0;
  return stops.some(
    (stop) =>
      stop.cause === 'OPERATOR' &&
      stop.installment === installment &&
      stop.step === number &&
      stop.created_at >= lastAt,
  );
}
