/** One command of a run: compares the model's prediction with the service's answer and subsequent state. */
import type { AsyncCommand } from 'fast-check';
import { compareAll, compareAnswer } from './compare.ts';
import { compareChanges } from './compare-changes.ts';
import type { Reality, Reply } from './reality.ts';
import { watching } from './service.ts';
import type { Answer, Model, Review } from './state.ts';

export interface Step {
  /** Sends the request to the service. Everything it needs was read before the model changes. */
  send(): Promise<Reply>;
  /** Applies the command to the model, and returns the expected answer. */
  foretell(reply: Reply): Answer;
  /** Set if the command moves the clock forward, so that many things change at different instants. */
  isClock?: true;
}

/** The number of executed commands. */
export const ran = { count: 0 };

/** Everything is compared after this many commands; the changes of a command, after each. */
const COMPARE_ALL_EVERY = 20;

export class Command implements AsyncCommand<Model, Reality> {
  readonly #text: string;
  readonly #isPossible: (model: Readonly<Model>) => boolean;
  readonly #plan: (model: Model, reality: Reality) => Step;

  /** @param plan Reads the model and changes nothing. */
  constructor(
    text: string,
    isPossible: (model: Readonly<Model>) => boolean,
    plan: (model: Model, reality: Reality) => Step,
  ) {
    this.#text = text;
    this.#isPossible = isPossible;
    this.#plan = plan;
  }

  check(model: Readonly<Model>): boolean {
    return this.#isPossible(model);
  }

  async run(model: Model, reality: Reality): Promise<void> {
    ran.count++;
    const step = this.#plan(model, reality);
    await reality.useScript(model.script);
    const reply = await step.send();
    const foretell = () => step.foretell(reply);
    compareAnswer(step.isClock ? foretell() : watching(model, model.now, foretell), reply);
    await compareChanges(model, reality);
    if (++reality.steps % COMPARE_ALL_EVERY === 0) await compareAll(model, reality);
  }

  toString(): string {
    return this.#text;
  }
}

export const always = () => true;
export const hasOrders = ({ orders }: Readonly<Model>) => orders.length > 0;
export const hasInvoices = ({ invoices }: Readonly<Model>) => invoices.length > 0;
export const hasPayments = ({ payments }: Readonly<Model>) => payments.length > 0;
export const hasReviews = ({ reviews }: Readonly<Model>) => reviews.length > 0;

/** One in this many choices is arbitrary, to cover refusals, which are similar. */
const ANY_EVERY = 8;

/** The nth from the last item to which the command applies, if there is one. */
export function pick<T>(list: readonly T[], nth: number, isApt: (each: T) => boolean = always): T {
  const apt = nth % ANY_EVERY === ANY_EVERY - 1 ? [] : list.filter(isApt);
  const choice = apt.length > 0 ? apt : list;
  return choice[choice.length - 1 - (nth % choice.length)] as T;
}

export const pickReview = (model: Model, nth: number): Review =>
  pick(model.reviews, nth, ({ status }) => status !== 'ENDED');
