/**
 * Clients of several platforms that order on credit, cancel some orders and invoice others, and pay, while a part of the database is
 * unavailable.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { buyerBody, draftOrderBody, merchantBody } from './bodies.ts';
import { post } from './program-requests.ts';
import type { Reply } from './world.ts';
import type { Tenant } from './write-load.ts';

/** The number of clients per platform. */
const CLIENTS = 4;
/** Shorter than Retry-After. */
const UNAVAILABLE_PAUSE_MS = 100;
const BUYER = 'buyer';
const LIMIT = 1_000_000_000;
const AMOUNT = { net: 100, gross: 100 };
const TERM = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };

export interface OrderAnswer {
  path: string;
  /** The code of the platform. */
  code: string;
  status: number;
  text: string;
  hasRetryAfter: boolean;
  /** By `performance.now`. */
  sentAtMs: number;
  answeredAtMs: number;
}

/** Adds a merchant, and a buyer with a sufficient facility. */
export async function addOrderParties(baseUrl: string, { apiKey }: Tenant): Promise<void> {
  for (const [path, body] of [
    ['/v1/merchants', merchantBody({})],
    ['/v1/buyers', buyerBody({ external_id: BUYER })],
    ['/v1/sandbox/facilities', { buyer_external_id: BUYER, trigger: 'grant', total_amount: LIMIT }],
  ] as const) {
    const { status, text } = await post({ baseUrl, apiKey }, path, body);
    if (status >= 300) throw new Error(`POST ${path} answered ${status} ${text}`);
  }
}

export const creditOrder = (external_id: string) =>
  draftOrderBody({ external_id, buyer_external_id: BUYER, amount: AMOUNT, ...TERM });

export class OrderLoad {
  readonly answers: OrderAnswer[] = [];
  /** The acknowledged orders by platform and id, each with its possible statuses. */
  readonly orders = new Map<string, Set<string>>();
  /** The acknowledged invoices by platform and id. Each covers one order. */
  readonly invoices = new Set<string>();
  /** The acknowledged payments by platform and id. */
  readonly payments = new Set<string>();
  readonly #baseUrl: string;
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(baseUrl: string, tenants: readonly Tenant[]) {
    this.#baseUrl = baseUrl;
    this.#clients = tenants.flatMap((tenant) =>
      Array.from({ length: CLIENTS }, (_, client) => this.#order(tenant, client)),
    );
  }

  /** The number of wanted answers to a platform since `sinceMs`. */
  count(code: string, isWanted: (answer: OrderAnswer) => boolean, sinceMs = 0): number {
    return this.answers.filter((each) => each.code === code && each.sentAtMs >= sinceMs && isWanted(each))
      .length;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #order(tenant: Tenant, client: number): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const id = `${client}-${n}`;
      const placed = await this.#untilAnswered(tenant, '/v1/orders', creditOrder(id), `key ${id}`);
      if (placed?.status !== 201) continue;
      const statuses = new Set([placed.body.status as string]);
      this.orders.set(`${tenant.code} ${id}`, statuses);
      if (n % 3 === 0) await this.#cancel(tenant, id, statuses);
      if (n % 3 === 1) await this.#invoice(tenant, id, statuses);
    }
  }

  // The effect of an attempt without an answer is unknown.
  async #cancel(tenant: Tenant, id: string, statuses: Set<string>): Promise<void> {
    statuses.add('CANCELLED');
    const cancelled = await this.#untilAnswered(tenant, `/v1/orders/${id}/cancel`, {}, `key cancel ${id}`);
    if (cancelled?.status === 200) this.orders.set(`${tenant.code} ${id}`, new Set(['CANCELLED']));
  }

  async #invoice(tenant: Tenant, id: string, statuses: Set<string>): Promise<void> {
    for (const status of ['CLOSED', 'DISBURSED']) statuses.add(status);
    const invoice = { external_id: `invoice-${id}`, order_external_ids: [id], amount: AMOUNT };
    const invoiced = await this.#untilAnswered(tenant, '/v1/invoices', invoice, `key invoice ${id}`);
    if (invoiced?.status !== 201) return;
    this.invoices.add(`${tenant.code} ${invoice.external_id}`);
    const payment = { external_id: `payment-${id}`, received_by: 'PLATFORM' };
    const path = `/v1/invoices/${invoice.external_id}/paid`;
    const paid = await this.#untilAnswered(tenant, path, payment, `key payment ${id}`);
    if (paid?.status === 200) this.payments.add(`${tenant.code} ${payment.external_id}`);
  }

  /** Repeats the request while it is answered with 503. Null if the run ends first. */
  async #untilAnswered(
    { code, apiKey }: Tenant,
    path: string,
    body: object,
    key: string,
  ): Promise<Reply | null> {
    while (!this.#isOver) {
      const sentAtMs = performance.now();
      const reply = await post({ baseUrl: this.#baseUrl, apiKey }, path, body, { 'idempotency-key': key });
      const { status, text, headers } = reply;
      const hasRetryAfter = headers.has('retry-after');
      this.answers.push({
        path,
        code,
        status,
        text,
        hasRetryAfter,
        sentAtMs,
        answeredAtMs: performance.now(),
      });
      if (status !== 503) return reply;
      await sleep(UNAVAILABLE_PAUSE_MS);
    }
    return null;
  }
}
