/** Occupies a core for as long as its bench runs, like another program on the machine. */
import { startPart } from './part.ts';

/** Between two turns, the process notices that its bench has ended. */
const TURN_MS = 20;

/** Occupies `cores` cores until `started` ends. */
export function makeNoise(cores: number, started: AsyncDisposableStack): void {
  for (let core = 0; core < cores; core++) started.use(startPart('noise.ts'));
}

function compute(): void {
  const endMs = performance.now() + TURN_MS;
  while (performance.now() < endMs);
  setImmediate(compute);
}

if (import.meta.main) {
  // Ctrl-C reaches every process of the terminal, and the bench ends this one.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
  compute();
}
