import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the connection closes, and with `stopping`. All requests of a connection share one signal. The close of a response
 * would not do: Node closes only the first of those that a client has sent one after the other without waiting.
 */
export function connectionSignal(socket: Socket, stopping: AbortSignal): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const ending = new AbortController();
  signals.set(socket, ending.signal);
  const end = () => {
    stopping.removeEventListener('abort', end);
    ending.abort();
  };
  if (socket.destroyed || stopping.aborted) ending.abort();
  else {
    socket.once('close', end);
    stopping.addEventListener('abort', end);
  }
  return ending.signal;
}
