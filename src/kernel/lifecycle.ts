/**
 * A lifecycle is one table: states, and moves with their trigger, event and reason. Guards, enums, docs and diagrams are
 * printed from the table, and nothing else decides a status.
 */
import type { EventType } from './event.ts';
import { refusal } from './problem.ts';

export interface Transition<Status extends string, Trigger extends string> {
  /** null: the thing does not exist yet. */
  from: Status | null;
  trigger: Trigger;
  to: Status;
  /** The event recorded with the move, or null where the move is silent. */
  event: EventType | null;
  /** What must hold beside the status; what refuses the move says so in its own words. */
  guard?: string;
  /** What the move does to the buyer's facility. */
  credit?: CreditEffect;
  why: string;
}

/** `reserve` lowers what is available, `use` turns a reservation into use, `free` gives back, `limit` sets the limit. */
export type CreditEffect = 'reserve' | 'use' | 'release' | 'limit';

export interface Lifecycle<Status extends string, Trigger extends string> {
  name: string;
  states: readonly Status[];
  transitions: readonly Transition<Status, Trigger>[];
}

export function defineLifecycle<const Status extends string, const Trigger extends string>(
  lifecycle: Lifecycle<Status, Trigger>,
): Lifecycle<Status, Trigger> {
  return lifecycle;
}

/** The move this trigger makes from this state, or a 409 that lists the triggers the state does have. */
export function transitionOf<Status extends string, Trigger extends string>(
  lifecycle: Lifecycle<Status, Trigger>,
  from: Status | null,
  trigger: Trigger,
): Transition<Status, Trigger> {
  const found = lifecycle.transitions.find(
    (transition) => transition.from === from && transition.trigger === trigger,
  );
  if (found) return found;
  throw refusal('INVALID_STATUS_TRANSITION', `${lifecycle.name} in status ${from} cannot ${trigger}`, {
    status: from,
    trigger,
    allowed: lifecycle.transitions
      .filter((transition) => transition.from === from)
      .map((transition) => transition.trigger),
  });
}
