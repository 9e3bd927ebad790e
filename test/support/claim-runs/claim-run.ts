/** One random run: a buyer, a merchant and what happens to the claims between them, over HTTP and as operators do it. */
import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import type { OperatorContext } from '#modules/operators';
import { merchantBody } from '../bodies.ts';
import { addDebtor } from '../credit.ts';
import { addVerifiedAccount } from '../financing.ts';
import { actAs } from '../operators.ts';
import type { Random } from '../random.ts';
import type { Reply, World } from '../world.ts';

/** Of so many things that were made last one is picked: what is old has mostly ended. */
const LAST = 5;

export type MadeKind = 'invoice' | 'order' | 'payment' | 'dispute' | 'charge';

interface Made {
  id: string;
  /** Of a payment or a dispute. */
  invoice: string;
  /** Of an order, in minor units. */
  gross: number;
}

export class ClaimRun {
  readonly world: World;
  readonly random: Random;
  readonly buyer: string;
  readonly merchant: string;
  /** What was done, with its answers: for a failure. */
  readonly done: string[] = [];
  /** The platform's time, in unix seconds. */
  now: number;
  readonly #name: string;
  readonly #made = new Map<MadeKind, Made[]>();
  #count = 0;

  private constructor(world: World, random: Random, name: string, now: number) {
    this.world = world;
    this.random = random;
    this.#name = name;
    this.buyer = `buyer-${name}`;
    this.merchant = `merchant-${name}`;
    this.now = now;
  }

  static async begin(world: World, random: Random, name: string): Promise<ClaimRun> {
    const { now } = (await world.get('/v1/sandbox/clock')).body;
    const run = new ClaimRun(world, random, name, now);
    await world.post('/v1/merchants', merchantBody({ external_id: run.merchant }));
    await addDebtor(world, { buyer: run.buyer, totalMinor: 10_000_000 });
    await world.sql(`update facilities set risk_band = 'B1' where buyer_external_id = $1`, [run.buyer]);
    await addVerifiedAccount(world, run.merchant);
    return run;
  }

  newId(): string {
    return `${this.#name}-${++this.#count}`;
  }

  made(kind: MadeKind, id: string, more: { invoice?: string; gross?: number } = {}): void {
    const all = this.#made.get(kind) ?? [];
    this.#made.set(kind, [...all, { id, invoice: '', gross: 0, ...more }]);
  }

  /** One of those that were made last. Undefined before the first. */
  pick(kind: MadeKind): Made | undefined {
    const all = this.#made.get(kind) ?? [];
    return all.length === 0 ? undefined : this.random.pick(all.slice(-LAST));
  }

  /** A gross amount in minor units with some tax, or none. */
  amount(gross: number): { net: number; tax: number; gross: number } {
    const tax = this.random.percent(30) ? 0 : this.random.below(Math.ceil(gross / 4));
    return { net: gross - tax, tax, gross };
  }

  /** Throws where the service fails. A refusal is an answer. */
  async post(path: string, body?: object): Promise<Reply> {
    const reply = await this.world.post(path, body);
    const said = reply.status < 400 ? '' : reply.body.reason;
    this.done.push(`POST ${path} ${JSON.stringify(body) ?? ''}: ${reply.status} ${said}`);
    if (reply.status >= 500) throw new Error(`${path} answered ${reply.text}`);
    return reply;
  }

  /** The world with the platform's time. */
  atItsTime(): World {
    return { ...this.world, clock: { ...this.world.clock, now: () => this.now } };
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the command reads of it.
  async read(path: string): Promise<any> {
    return (await this.world.get(path)).body;
  }

  /** What an operator does; undefined where it is refused. */
  async operate<Answer>(
    what: string,
    work: (context: OperatorContext & { timeZone: string }) => Promise<Answer>,
    operator = 'fin',
  ): Promise<Answer | undefined> {
    try {
      const act = (context: OperatorContext) => work({ ...context, timeZone: 'Europe/Berlin' });
      const answer = await actAs(this.world, operator, act, { role: 'FINANCE', now: this.now });
      this.done.push(`${what}: done`);
      return answer;
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof StartRefused)) throw error;
      this.done.push(`${what}: ${error.message}`);
      return undefined;
    }
  }
}
