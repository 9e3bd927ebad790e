/** Settings of V8's garbage collection. Both functions work in a running process: V8 reads these flags at each decision. */
import { setFlagsFromString } from 'node:v8';

/**
 * Fixes the size of the young generation, and allocates every object there. By default it doubles up to 128 MB before V8 collects garbage
 * less often (150 MB instead of 90, bench `import-statement`). For a command that reads a long file while the service runs.
 */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  makeObjectsYoung();
}

/**
 * Collects the old generation when it has doubled, and allocates no object there. By default V8 chooses the growth factor. While reminders
 * were sent it was 1.2: a collection every two seconds, for each of which requests wait 12 ms (bench `remind-buyers`). Under full load it
 * was up to 4: 526 MB instead of 406 (bench `serve-for-long`). For the service.
 */
export function collectWhenDoubled(): void {
  setFlagsFromString('--heap-growing-percent=100');
  makeObjectsYoung();
}

/**
 * V8 allocates objects in the old generation if earlier ones of the same code lived long, and each keeps the young objects that it refers
 * to. An order left 24 kB behind, copied twice: collecting the young generation took 10 to 20 ms instead of 5.
 */
function makeObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
