/**
 * Integrators who write without pause over a few kept-alive connections while the server or its database is killed under them. They record
 * every acknowledged write, and every write without an answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { buyerBody, draftOrderBody } from './bodies.ts';
import { RestartedServer } from './restarted-server.ts';
import { trade } from './trade.ts';

export interface Tenant {
  code: string;
  apiKey: string;
}

/** The possible states of a resource when it is read back: as last acknowledged, or as a write without an answer left it. */
export interface Written {
  tenant: Tenant;
  path: string;
  expected: Record<string, unknown>[];
}

/** An acknowledged request that can be repeated without a second effect. */
export interface Keyed {
  tenant: Tenant;
  path: string;
  key: string;
  body: string;
  answer: string;
}

export interface WriteLoadOptions {
  /** Whether each tenant also has a merchant that sells on credit, invoices, is paid and gets payouts. */
  trades?: boolean;
}

const WRITERS = 16;
/** Each writer starts a write this often, as long as answers arrive sooner: 16 / 30 ms is 533 a second. */
const PAUSE_MS = 30;
/** By then, another process knows the clock of a platform. */
const CLOCK_KNOWN_MS = 3_000;
/** A writer retries sooner than Retry-After says, so that it measures how soon a write succeeds. */
const UNAVAILABLE_PAUSE_MS = 20;

export class WriteLoad {
  /** 2xx so far. */
  acknowledged = 0;
  /** 503 so far, each with Retry-After. Its effect is unknown, as after a request without an answer. */
  unavailable = 0;
  /** Writes that were answered only after a repetition with the same Idempotency-Key. */
  repeated = 0;
  /** Unexplained answers: status and body. */
  readonly surprises: string[] = [];
  readonly written = new Map<string, Written>();
  readonly keyed: Keyed[] = [];
  readonly #writers: Promise<void>[];
  readonly #server: RestartedServer;
  #isStopping = false;

  constructor(tenants: Tenant[], { trades = false }: WriteLoadOptions = {}) {
    const traders = trades ? tenants : [];
    this.#server = new RestartedServer(WRITERS + traders.length);
    this.#writers = [
      ...Array.from({ length: WRITERS }, (_, writer) =>
        this.#write(writer, tenants[writer % tenants.length] as Tenant),
      ),
      ...traders.map((tenant) =>
        this.#trade(tenant).catch((error) => void this.surprises.push(String(error))),
      ),
    ];
  }

  /** Requests that ended without an answer. */
  get unanswered(): number {
    return this.#server.unanswered;
  }

  /** Sets the current servers; null while there is none. */
  aim(baseUrls: string | readonly string[] | null): Promise<void> {
    return this.#server.aim(baseUrls);
  }

  /** Sets the current servers after requests to others are answered. */
  turnTo(baseUrls: readonly string[]): Promise<void> {
    return this.#server.turnTo(baseUrls);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#writers);
    await this.aim(null);
  }

  async #write(writer: number, tenant: Tenant): Promise<void> {
    const buyers: string[] = [];
    for (let n = 0; !this.#isStopping; n++) {
      const nextAtMs = performance.now() + PAUSE_MS;
      const id = `${writer}-${n}`;
      const key = n % 2 === 0 ? undefined : `key ${id}`;
      const buyer = buyers[n % buyers.length];
      if (n % 3 === 0 || buyer === undefined) {
        const body = buyerBody({ external_id: `buyer-${id}`, trading_name: id });
        if (await this.#create(tenant, '/v1/buyers', body, key)) buyers.push(body.external_id);
      } else if (n % 3 === 1) {
        const order = draftOrderBody({ external_id: `order-${id}`, buyer_external_id: buyer, comment: id });
        await this.#create(tenant, '/v1/orders/draft', order, key);
      } else {
        await this.#replace(tenant, buyer, id);
      }
      await sleep(Math.max(0, nextAtMs - performance.now()));
    }
  }

  #trade(tenant: Tenant): Promise<void> {
    let requests = 0;
    const act = async (path: string, body: object) => {
      const nextAtMs = performance.now() + PAUSE_MS;
      const answer = await this.#post(tenant, path, body, `key trade-${++requests}`);
      await sleep(Math.max(0, nextAtMs - performance.now()));
      if (path === '/v1/sandbox/clock' && this.#server.count > 1) await sleep(CLOCK_KNOWN_MS);
      if (!answer?.isGood) throw new Error(this.surprises.at(-1));
      return JSON.parse(answer.text);
    };
    return trade({
      act,
      create: async (path, body) => {
        await act(path, body);
        this.#remember(tenant, path, body);
      },
      list: async (path) => {
        for (;;) {
          const answer = await this.#send('GET', tenant, path);
          if (answer?.isGood) return JSON.parse(answer.text).items;
        }
      },
      isOver: () => this.#isStopping,
    });
  }

  async #create(
    tenant: Tenant,
    path: string,
    body: { external_id: string },
    key: string | undefined,
  ): Promise<boolean> {
    const answer = await this.#post(tenant, path, body, key);
    if (!answer?.isGood) return false;
    this.#remember(tenant, path, body);
    return true;
  }

  #remember(tenant: Tenant, path: string, body: { external_id: string }): void {
    const address = `${path.replace('/draft', '')}/${body.external_id}`;
    this.written.set(`${tenant.code} ${address}`, { tenant, path: address, expected: [{ ...body }] });
  }

  /** A request with a key is repeated until it is answered. */
  async #post(tenant: Tenant, path: string, body: object, key: string | undefined) {
    const text = JSON.stringify(body);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send('POST', tenant, path, text, key);
      if (answer?.isGood && key) this.keyed.push({ tenant, path, key, body: text, answer: answer.text });
      if (answer?.isGood && attempt > 1) this.repeated++;
      if (answer || !key) return answer;
    }
  }

  async #replace(tenant: Tenant, externalId: string, tradingName: string): Promise<void> {
    const path = `/v1/buyers/${externalId}`;
    const { external_id: _, ...body } = buyerBody({ trading_name: tradingName, business_identifiers: [] });
    const answer = await this.#send('PUT', tenant, path, JSON.stringify(body));
    const written = this.written.get(`${tenant.code} ${path}`) as Written;
    written.expected = answer?.isGood ? [body] : [...written.expected, body];
  }

  /** The answer, or null if the connection ended without one, the database was unavailable, or an earlier attempt is running. */
  async #send(method: 'GET' | 'POST' | 'PUT', tenant: Tenant, path: string, body?: string, key?: string) {
    const { apiKey } = tenant;
    const answer = await this.#server.send({
      ...{ apiKey, method, path, idempotencyKey: key },
      ...(body !== undefined && { body }),
    });
    if (!answer) return null;
    const { status, headers, text } = answer;
    // A request with this key that was killed is soon taken over.
    const isUnderWay = status === 409 && text.includes('IDEMPOTENCY_IN_PROGRESS');
    if ((status === 503 || isUnderWay) && headers['retry-after'] === '1') {
      if (status === 503) this.unavailable++;
      await sleep(UNAVAILABLE_PAUSE_MS);
      return null;
    }
    const isGood = status >= 200 && status < 300;
    if (!isGood) this.surprises.push(`${method} ${path}: ${status} ${text}`);
    else if (method !== 'GET') this.acknowledged++;
    return { isGood, text };
  }
}
