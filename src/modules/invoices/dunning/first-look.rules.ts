/** When the reminders of an invoice are examined first, if there is a plan for it. */
import { DAY_SECONDS } from '#kernel/day';

/** The earliest step of a plan is this many days before the due day. */
export const DUNNING_LEAD_DAYS = 14;

/** One day more, because a due instant can be at any time of its day. */
export const DUNNING_LEAD_SECONDS = (DUNNING_LEAD_DAYS + 1) * DAY_SECONDS;

/** Before the first step that a plan can have, but not before now. Unix seconds. */
export function firstLookAt({ due_at: dueAt }: { due_at: number }, now: number): number {
  return Math.max(dueAt - DUNNING_LEAD_SECONDS, now);
}
