import type { Connection } from './connection.ts';

const IDLE_CONNECTIONS_MAX = 256;

/**
 * Idle connections by origin, limited in number. undici closes each after its idle time; a closed one is noticed when it
 * is taken.
 */
export class IdleConnections {
  /** In the order in which they became idle. */
  readonly #all = new Set<Connection>();
  readonly #byOrigin = new Map<string, Connection[]>();

  /** Takes the connection that was used last, so that the others can time out. */
  take(origin: string): Connection | null {
    const connection = this.#byOrigin.get(origin)?.at(-1);
    if (!connection) return null;
    this.#remove(connection);
    return connection.socket.destroyed ? this.take(origin) : connection;
  }

  keep(connection: Connection): void {
    if (connection.socket.destroyed) return;
    this.#all.add(connection);
    const siblings = this.#byOrigin.get(connection.origin);
    if (siblings) siblings.push(connection);
    else this.#byOrigin.set(connection.origin, [connection]);
    const [oldest] = this.#all;
    if (oldest && this.#all.size > IDLE_CONNECTIONS_MAX) this.#close(oldest);
  }

  closeAll(): void {
    for (const connection of this.#all) this.#close(connection);
  }

  #close(connection: Connection): void {
    this.#remove(connection);
    connection.socket.destroy();
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection);
    const siblings = this.#byOrigin.get(connection.origin) ?? [];
    siblings.splice(siblings.lastIndexOf(connection), 1);
    if (siblings.length === 0) this.#byOrigin.delete(connection.origin);
  }
}
