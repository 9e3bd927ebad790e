/** A client of a server that is killed and started again: requests in between wait for the next server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface SentRequest {
  apiKey: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** As it is sent. */
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
  #pool: Pool | null = null;
  /** Requests that ended without an answer. */
  unanswered = 0;

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Where the server is now; null while there is none. */
  async aim(baseUrl: string | null): Promise<void> {
    const last = this.#pool;
    this.#pool = baseUrl === null ? null : new Pool(baseUrl, { connections: this.#connections });
    await last?.destroy();
  }

  /** The answer, or null where the connection ended without one. */
  async send({ apiKey, method, path, body, idempotencyKey }: SentRequest): Promise<Answered | null> {
    while (!this.#pool) await sleep(5);
    try {
      const reply = await this.#pool.request({
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
      // The next server is waited for: this one is gone.
      await sleep(5);
      return null;
    }
  }
}
