import type { Connection } from './connection.ts';

const IDLE_CONNECTIONS_MAX = 256;

/** A limited number of idle connections. undici closes each after its idle time; a closed one is noticed when it is taken. */
export class IdleConnections {
  /** In the order in which they became idle. */
  readonly #connections: Connection[] = [];

  /** Takes the connection that was used last, so that the others can time out. */
  take(origin: string): Connection | null {
    const at = this.#connections.findLastIndex((connection) => connection.origin === origin);
    if (at === -1) return null;
    const [connection] = this.#connections.splice(at, 1) as [Connection];
    return connection.socket.destroyed ? this.take(origin) : connection;
  }

  keep(connection: Connection): void {
    if (connection.socket.destroyed) return;
    this.#connections.push(connection);
    if (this.#connections.length > IDLE_CONNECTIONS_MAX) this.#connections.shift()?.socket.destroy();
  }

  closeAll(): void {
    for (const { socket } of this.#connections.splice(0)) socket.destroy();
  }
}
