/**
 * Clients that place, confirm, decline, cancel and close orders on one facility without pause, while another client changes the limit and
 * the server is killed. They record every answer, and the possible outcomes of requests without an answer.
 */
import { draftOrderBody } from './bodies.ts';
import { type Random, randomFrom } from './random.ts';
import { type Answered, RestartedServer } from './restarted-server.ts';

export const CLIENTS = 16;
export const BUYER = 'buyer';
/** Minor units. The clients together request more than the limit, so that they are often refused. */
export const LIMIT = 1_000_000;
const GROSS_MAX = 60_000;
const LIVE_MAX = 3;
/** More surprises than this reveal nothing new. */
const SURPRISES_MAX = 20;

export interface Placed {
  id: string;
  gross: number;
  /** The possible statuses: several if a request about it had no answer. */
  statuses: Set<string>;
}

/** The result of an action, by the status of the order. */
const ACTIONS = {
  cancel: { PENDING_CONFIRMATION: 'CANCELLED', CONFIRMED: 'CANCELLED' },
  close: { CONFIRMED: 'CANCELLED' },
  confirm: { PENDING_CONFIRMATION: 'CONFIRMED' },
  decline: { PENDING_CONFIRMATION: 'CANCELLED' },
} as const satisfies Record<string, Record<string, string>>;
type Action = keyof typeof ACTIONS;

export class CreditLoad {
  readonly server = new RestartedServer(CLIENTS + 1);
  /** Orders that were answered with 201, or that existed when they were sent again. */
  readonly placed: Placed[] = [];
  /** Orders that were refused for lack of credit. */
  readonly refused: string[] = [];
  /** Successful changes of the limit. */
  limitChanges = 0;
  /** Successful requests: orders placed and changed. */
  acknowledged = 0;
  /** Unexplained answers. */
  readonly surprises: string[] = [];
  readonly #apiKey: string;
  #isOver = false;

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** Resolves when each client has placed, or was refused, `ordersEach` orders. */
  async run(ordersEach: number, seed: number): Promise<void> {
    const changing = this.#changeLimits(randomFrom(seed));
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      this.#order(client, ordersEach, randomFrom(seed + client + 1)),
    );
    await Promise.all(clients);
    this.#isOver = true;
    await changing;
  }

  async #order(client: number, count: number, random: Random): Promise<void> {
    const live: Placed[] = [];
    for (let n = 0; n < count; n++) {
      const placed = await this.#at(`${client}-${n}`, random);
      if (placed) live.push(placed);
      while (live.length > 0 && (live.length > LIVE_MAX || random.percent(40))) await this.#act(live, random);
    }
  }

  /** Every other order is sent with a key, and repeated with it until it is answered. */
  async #at(id: string, random: Random): Promise<Placed | null> {
    const gross = 1 + random.below(GROSS_MAX);
    const isReviewed = random.percent(40);
    const body = draftOrderBody({
      external_id: id,
      buyer_external_id: BUYER,
      amount: { net: gross, gross },
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_30D',
      ...(isReviewed && { contact_email: 'in-review@example.com' }),
    });
    const key = random.percent(50) ? `place ${id}` : undefined;
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#post('/v1/orders', body, key);
      if (!reply) continue;
      const isThere = reply.status === 201 || (attempt > 1 && isReason(reply, 'EXTERNAL_ID_ALREADY_EXISTS'));
      if (isThere) {
        this.acknowledged++;
        const placed = {
          id,
          gross,
          statuses: new Set([isReviewed ? 'PENDING_CONFIRMATION' : 'CONFIRMED']),
        };
        this.placed.push(placed);
        return placed;
      }
      if (isReason(reply, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT')) this.refused.push(id);
      else this.#surprise(`order ${id}`, reply);
      return null;
    }
  }

  /** Runs an action on one of the client's orders. An order that has ended is dropped. */
  async #act(live: Placed[], random: Random): Promise<void> {
    const at = random.below(live.length);
    const order = live[at] as Placed;
    const action = random.pick<Action>(
      order.statuses.has('PENDING_CONFIRMATION')
        ? ['confirm', 'confirm', 'decline', 'cancel']
        : ['cancel', 'cancel', 'close'],
    );
    const reply = await this.#send(action, order.id);
    const after = new Set([...order.statuses].map((status) => afterOf(action, status)));
    if (!reply) order.statuses = new Set([...order.statuses, ...after]);
    else if (reply.status === 200) {
      this.acknowledged++;
      order.statuses = new Set([JSON.parse(reply.text).status]);
      if (![...order.statuses].every((status) => after.has(status)))
        this.#surprise(`${action} ${order.id}`, reply);
    } else if (isReason(reply, 'INVALID_STATUS_TRANSITION') && order.statuses.size > 1)
      // The next request shows the effect of a request without an answer.
      order.statuses = new Set([JSON.parse(reply.text).details.status]);
    else if (action !== 'confirm' || !isReason(reply, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT'))
      this.#surprise(`${action} ${order.id}`, reply);
    if (order.statuses.size === 1 && order.statuses.has('CANCELLED')) live.splice(at, 1);
  }

  #send(action: Action, id: string): Promise<Answered | null> {
    return action === 'confirm' || action === 'decline'
      ? this.#post('/v1/sandbox/orders', { external_id: id, trigger: action })
      : this.#post(`/v1/orders/${id}/${action}`);
  }

  /** Renewals and increases by the API and the simulator, up and down, also below the reserved amount. */
  async #changeLimits(random: Random): Promise<void> {
    const path = `/v1/buyers/${BUYER}/facility`;
    while (!this.#isOver) {
      const amount = Math.floor(LIMIT / 2) + random.below(LIMIT);
      const simulated = { buyer_external_id: BUYER, total_amount: amount };
      const reply = await random.pick([
        () => this.#post(`${path}/renew`),
        () => this.#post(`${path}/increase`, { requested_amount: amount }),
        () => this.#post('/v1/sandbox/facilities', { ...simulated, trigger: 'renew' }),
        () => this.#post('/v1/sandbox/facilities', { ...simulated, trigger: 'increase' }),
      ])();
      if (!reply) continue;
      if (reply.status < 300) this.limitChanges++;
      // Not an increase, because the limit has become higher.
      else if (!isReason(reply, 'INCREASE_NOT_ABOVE_LIMIT')) this.#surprise(`the limit ${amount}`, reply);
    }
  }

  #post(path: string, body?: object, idempotencyKey?: string): Promise<Answered | null> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.server.send({ apiKey: this.#apiKey, method: 'POST', path, ...text, idempotencyKey });
  }

  #surprise(what: string, { status, text }: Answered): void {
    this.surprises.push(`${what}: ${status} ${text}`);
    if (this.surprises.length === SURPRISES_MAX) throw new Error(this.surprises.join('\n'));
  }
}

function afterOf(action: Action, status: string): string {
  return (ACTIONS[action] as Record<string, string>)[status] ?? status;
}

function isReason({ text }: Answered, reason: string): boolean {
  return JSON.parse(text).reason === reason;
}
