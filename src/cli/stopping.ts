/** Commands that run until they are stopped. */

/** Aborts at the first signal that asks the process to stop. `end` removes the listeners. */
export function stoppingSignal(): { signal: AbortSignal; end(): void } {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, stop);
  return {
    signal: stopping.signal,
    end() {
      for (const name of names) process.off(name, stop);
    },
  };
}
