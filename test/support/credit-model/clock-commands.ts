/** Commands on the sandbox's clock. Exactly the due transitions must happen, in the order of their instants. */
import fc from 'fast-check';
import { Command } from './command.ts';
import { type Due, dueOf } from './due.ts';
import { examine, watching } from './service.ts';
import { DAY_SECONDS, done, HOUR_SECONDS, type Model } from './state.ts';

/** The sandbox's clock is at most ten years ahead. */
const isInReach = (seconds: number) => (model: Readonly<Model>) =>
  model.now + seconds < model.startedAt + 3_650 * DAY_SECONDS;

export const advance = (seconds: number) =>
  new Command(`advance ${seconds / HOUR_SECONDS} h`, isInReach(seconds), (model, reality) => ({
    isClock: true,
    send: () => reality.post('/v1/sandbox/clock', { advance_seconds: seconds }),
    foretell: ({ body }) => {
      model.now += seconds;
      for (const transition of body.transitions) applyReported(model, transition);
      makeHidden(model);
      const left = dueOf(model);
      if (left.length > 0 || body.now !== model.now || body.transitions_total !== body.transitions.length)
        throw new Error(`The clock left out ${JSON.stringify(left)}, and said ${JSON.stringify(body)}.`);
      return done();
    },
  }));

interface Reported {
  at: number;
  resource: string;
  external_id: string;
  trigger: string;
}

/** Transitions of one kind at one instant may happen in any order, which the service decides. */
function applyReported(model: Model, seen: Reported): void {
  makeHidden(model, (each) => isBefore(each, seen));
  const due = firstDue(model);
  const found = due.find(
    ({ at, resource, trigger, id }) =>
      at === seen.at &&
      resource === seen.resource &&
      trigger === seen.trigger &&
      (id === null || id === seen.external_id),
  );
  const make = found ? () => found.make(seen.external_id) : examinedEarly(model, seen, due);
  if (!make) throw new Error(`The clock listed ${JSON.stringify(seen)}, but due was ${JSON.stringify(due)}.`);
  watching(model, seen.at, make);
}

/** A waiting service may be examined at any time. An early examination only picks up the changes so far. */
function examinedEarly(model: Model, seen: Reported, due: readonly Due[]): (() => void) | null {
  const isOvertaking = due.some(({ at }) => at < seen.at);
  const service = model.services.find(({ id }) => id === seen.external_id);
  if (seen.resource !== 'service' || !service || service.examineAt === null || isOvertaking) return null;
  return () => examine(model, service, seen.at);
}

/** The transitions that are due first: at the earliest instant, of the first kind. */
function firstDue(model: Model): Due[] {
  const due = dueOf(model);
  const first = Math.min(...due.map(({ at }) => at));
  const rank = Math.min(...due.filter(({ at }) => at === first).map((each) => each.rank));
  return due.filter((each) => each.at === first && each.rank === rank);
}

/** The clock examines services before it forms payouts of the same instant. */
const isBefore = ({ at }: Due, seen: Reported) =>
  at < seen.at || (at === seen.at && seen.resource === 'payout');

/** Makes transitions that the clock does not list, as long as they are due first. */
function makeHidden(model: Model, isWanted: (due: Due) => boolean = () => true): void {
  for (;;) {
    const hidden = firstDue(model).find(({ isHidden }) => isHidden);
    if (!hidden || !isWanted(hidden)) return;
    watching(model, hidden.at, () => hidden.make(''));
  }
}

/** Hours, from those of a script to the days of a period. Long periods, which end most resources, are rarer. */
const SHORT = [1, 12, 24, 24, 24, 48, 48, 48];
const LONG = [13 * 24, 14 * 24, 15 * 24, 30 * 24, 31 * 24, 76 * 24, 100 * 24];
const times = [...SHORT, ...SHORT, ...LONG];

const advancing = fc.constantFrom(...times).map((hours) => advance(hours * HOUR_SECONDS));
export const clockCommands = [advancing, advancing];
