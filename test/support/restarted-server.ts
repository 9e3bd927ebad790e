/** A client of servers that are killed and started again. Requests go to each in turn, and wait while no server runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface SentRequest {
  apiKey: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** The body as sent. */
  body?: string;
  idempotencyKey?: string | undefined;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export class RestartedServer {
  readonly #connections: number;
  readonly #pools = new Map<string, Pool>();
  #sent = 0;
  /** Requests that ended without an answer. */
  unanswered = 0;

  /** The number of servers that answer. */
  get count(): number {
    return this.#pools.size;
  }

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Sets the current servers; null while there is none. Requests to others end without an answer. */
  async aim(baseUrls: string | readonly string[] | null): Promise<void> {
    await this.#keep(baseUrls ?? [], (pool) => pool.destroy());
  }

  /** Sets the current servers after requests to others are answered. */
  async turnTo(baseUrls: readonly string[]): Promise<void> {
    await this.#keep(baseUrls, (pool) => pool.close());
  }

  async #keep(baseUrls: string | readonly string[], end: (pool: Pool) => Promise<void>): Promise<void> {
    const wanted = [baseUrls].flat();
    const others = [...this.#pools].filter(([url]) => !wanted.includes(url));
    for (const [url] of others) this.#pools.delete(url);
    for (const url of wanted)
      if (!this.#pools.has(url)) this.#pools.set(url, new Pool(url, { connections: this.#connections }));
    await Promise.all(others.map(([, pool]) => end(pool)));
  }

  #next(): Pool | undefined {
    return [...this.#pools.values()][this.#sent++ % this.#pools.size];
  }

  /** The answer, or null if the connection ended without one. */
  async send({ apiKey, method, path, body, idempotencyKey }: SentRequest): Promise<Answered | null> {
    let pool = this.#next();
    for (; !pool; pool = this.#next()) await sleep(5);
    try {
      const reply = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body }),
      });
      return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
    } catch {
      this.unanswered++;
      // This server is gone. Waits for the next one.
      await sleep(5);
      return null;
    }
  }
}
