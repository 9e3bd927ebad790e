/** When the reminders of an invoice are looked at first, if there is a plan for it. */
import { DAY_SECONDS } from '#kernel/day';

/** A plan reminds this many days before the due day at the earliest. */
export const DUNNING_LEAD_DAYS = 14;

/** A day more, because a due instant can be any of its day. */
export const DUNNING_LEAD_SECONDS = (DUNNING_LEAD_DAYS + 1) * DAY_SECONDS;

/** Before the first step that a plan can have, and not before now. Unix seconds. */
export function firstLookAt({ due_at: dueAt }: { due_at: number }, now: number): number {
  return Math.max(dueAt - DUNNING_LEAD_SECONDS, now);
}
