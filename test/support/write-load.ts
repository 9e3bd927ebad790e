/**
 * Integrators who write without pause over a few kept-alive connections while the server is killed under them. They
 * remember every write that was acknowledged, and every one they never heard of again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { buyerBody, draftOrderBody } from './bodies.ts';
import { RestartedServer } from './restarted-server.ts';

export interface Tenant {
  code: string;
  apiKey: string;
}

/** What a resource may look like when it is read back: as it was acknowledged last, or as a write without an answer left it. */
export interface Written {
  tenant: Tenant;
  path: string;
  expected: Record<string, unknown>[];
}

/** An acknowledged request that may be sent again without a second effect. */
export interface Keyed {
  tenant: Tenant;
  path: string;
  key: string;
  body: string;
  answer: string;
}

const CONNECTIONS = 16;
/** Each writer begins a write this often, as long as answers come sooner: 16 / 30 ms is 533 a second. */
const PAUSE_MS = 30;

export class WriteLoad {
  /** 2xx so far. */
  acknowledged = 0;
  /** Writes whose answer only a repetition with the same Idempotency-Key brought. */
  repeated = 0;
  /** Answers that nothing here explains: status and body. */
  readonly surprises: string[] = [];
  readonly written = new Map<string, Written>();
  readonly keyed: Keyed[] = [];
  readonly #writers: Promise<void>[];
  readonly #server = new RestartedServer(CONNECTIONS);
  #isStopping = false;

  constructor(tenants: Tenant[]) {
    this.#writers = Array.from({ length: CONNECTIONS }, (_, writer) =>
      this.#write(writer, tenants[writer % tenants.length] as Tenant),
    );
  }

  /** Requests that ended without an answer. */
  get unanswered(): number {
    return this.#server.unanswered;
  }

  /** Where the server is now; null while there is none. */
  aim(baseUrl: string | null): Promise<void> {
    return this.#server.aim(baseUrl);
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

  /** With a key, repeated until it is answered. */
  async #create(
    tenant: Tenant,
    path: string,
    body: { external_id: string },
    key: string | undefined,
  ): Promise<boolean> {
    const text = JSON.stringify(body);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send('POST', tenant, path, text, key);
      if (answer?.isGood) {
        const address = `${path.replace('/draft', '')}/${body.external_id}`;
        this.written.set(`${tenant.code} ${address}`, { tenant, path: address, expected: [{ ...body }] });
        if (key) this.keyed.push({ tenant, path, key, body: text, answer: answer.text });
        if (attempt > 1) this.repeated++;
        return true;
      }
      if (answer || !key) return false;
    }
  }

  async #replace(tenant: Tenant, externalId: string, tradingName: string): Promise<void> {
    const path = `/v1/buyers/${externalId}`;
    const { external_id: _, ...body } = buyerBody({ trading_name: tradingName, business_identifiers: [] });
    const answer = await this.#send('PUT', tenant, path, JSON.stringify(body));
    const written = this.written.get(`${tenant.code} ${path}`) as Written;
    written.expected = answer?.isGood ? [body] : [...written.expected, body];
  }

  /** The answer, or null where the connection ended without one. */
  async #send(method: 'POST' | 'PUT', tenant: Tenant, path: string, body: string, key?: string) {
    const { apiKey } = tenant;
    const answer = await this.#server.send({ apiKey, method, path, body, idempotencyKey: key });
    if (!answer) return null;
    const { status, text } = answer;
    const isGood = status >= 200 && status < 300;
    if (isGood) this.acknowledged++;
    else this.surprises.push(`${method} ${path}: ${status} ${text}`);
    return { isGood, text };
  }
}
