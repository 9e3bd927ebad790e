/** One command of a run: what the model foretells is compared with what the service answers, and shows afterwards. */
import type { AsyncCommand } from 'fast-check';
import { compareAll, compareAnswer } from './compare.ts';
import { compareChanges } from './compare-changes.ts';
import type { Reality, Reply } from './reality.ts';
import { watching } from './service.ts';
import type { Answer, Model, Review } from './state.ts';

export interface Step {
  /** Asks the service. Everything it needs was read before the model went on. */
  send(): Promise<Reply>;
  /** Lets the model go on, and says what the service must answer. */
  foretell(reply: Reply): Answer;
  /** The clock is set forward, so that many things change at different instants. */
  isClock?: true;
}

/** How many commands were run. */
export const ran = { count: 0 };

/** Everything is compared after every so many commands; what a command changes, after each. */
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

/** Of so many choices one is any: for the refusals, which are much alike. */
const ANY_EVERY = 8;

/** One for which the command means something, where there is one; the nth from the last. */
export function pick<T>(list: readonly T[], nth: number, isApt: (each: T) => boolean = always): T {
  const apt = nth % ANY_EVERY === ANY_EVERY - 1 ? [] : list.filter(isApt);
  const choice = apt.length > 0 ? apt : list;
  return choice[choice.length - 1 - (nth % choice.length)] as T;
}

export const pickReview = (model: Model, nth: number): Review =>
  pick(model.reviews, nth, ({ status }) => status !== 'ENDED');
