import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * A signal that aborts when the connection closes, and with `stopping`. All requests of a connection share one signal. The close event of a
 * response does not suffice: of pipelined requests, Node closes only the first response.
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
