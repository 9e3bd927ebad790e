/**
 * A lifecycle is one table of states and of transitions with their trigger, event and reason. Enums, documents and diagrams are printed
 * from the table. Only the table decides a status.
 */
import type { EventType } from './event.ts';
import { refusal } from './problem.ts';

export interface Transition<Status extends string, Trigger extends string> {
  /** Null for a new resource. */
  from: Status | null;
  trigger: Trigger;
  to: Status;
  /** The event of the transition, or null. */
  event: EventType | null;
  /** A further condition, described for readers. The code that checks it throws its own problem. */
  guard?: string;
  /** The effect on the buyer's facility. */
  credit?: CreditEffect;
  why: string;
}

/** `reserve` lowers the available amount, `use` turns a reservation into use, `release` returns it, `limit` sets the limit. */
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

/** The states in which a resource can hold credit of the facility: those from which a transition releases it. */
export function statesHoldingCredit<Status extends string, Trigger extends string>({
  states,
  transitions,
}: Lifecycle<Status, Trigger>): Status[] {
  return states.filter((state) =>
    transitions.some(({ from, credit }) => from === state && credit === 'release'),
  );
}

/** The transition for this trigger from this state. Throws INVALID_STATUS_TRANSITION with the allowed triggers. */
export function transitionOf<Status extends string, Trigger extends string>(
  lifecycle: Lifecycle<Status, Trigger>,
  from: Status | null,
  trigger: Trigger,
): Transition<Status, Trigger> {
  const found = lifecycle.transitions.find(
    (transition) => transition.from === from && transition.trigger === trigger,
  );
  if (found) return found;
  throw refusal('INVALID_STATUS_TRANSITION', `${lifecycle.name} in status ${from} does not allow this`, {
    status: from,
    trigger,
    allowed: lifecycle.transitions
      .filter((transition) => transition.from === from)
      .map((transition) => transition.trigger),
  });
}
