/** When V8 collects garbage. Both functions are for a process that has begun: V8 reads these flags whenever it decides. */
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the memory for new objects as large as it is, and has every object made there. By default it doubles up to 128 MB before V8
 * collects garbage less often (150 MB instead of 90, bench `import-statement`). For a command that reads a long file beside the
 * service.
 */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  makeObjectsYoung();
}

/**
 * Collects among the old objects when they have doubled, and makes none there. By default V8 chooses a factor. Beside reminders it
 * was 1.2: a collection every two seconds, for each of which requests wait 12 ms (bench `remind-buyers`). Under full load it was up
 * to 4: 526 MB instead of 406 (bench `serve-for-long`). For the service.
 */
export function collectWhenDoubled(): void {
  setFlagsFromString('--heap-growing-percent=100');
  makeObjectsYoung();
}

/**
 * V8 makes objects among the old ones where earlier ones of the same code lived long, and with each keeps the young ones that it
 * refers to. An order left 24 kB behind, which were copied twice: the young generation took 10 to 20 ms to collect instead of 5.
 */
function makeObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
