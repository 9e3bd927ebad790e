/** When V8 collects garbage. Both functions are for a process that has begun: V8 reads these flags whenever it decides. */
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the memory for new objects as large as it is, and has every object made there. By default it doubles up to 128 MB before V8
 * collects garbage less often, and V8 makes objects among the old ones where earlier ones of the same code lived long: the garbage of
 * a long import then stayed for seconds (150 MB instead of 90, bench `import-statement`). For a command that reads a long file beside
 * the service.
 */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Collects among the old objects whenever they have doubled. By default V8 chooses a factor. Beside reminders it was 1.2: a collection
 * every two seconds, for each of which requests wait 12 ms (bench `remind-buyers`). Under full load it was up to 4: 526 MB instead of
 * 406 (bench `serve-for-long`). For the service.
 */
export function collectWhenDoubled(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
