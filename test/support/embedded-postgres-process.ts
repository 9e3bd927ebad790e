/**
 * A process with an embedded PostgreSQL in it, for tests that kill it: takes the options as JSON, prints one JSON line per event, and stops
 * cleanly on SIGTERM.
 */

import { startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { StartRefused } from '#kernel/start-refused';

const options = JSON.parse(process.argv[2] ?? '{}');
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const startedAtMs = performance.now();
  const postgres = await startEmbeddedPostgres({ ...options, report: (said) => print({ said }) });
  const endpoints = {
    service: postgres.endpoint('service'),
    owner: postgres.endpoint('owner'),
    superuser: postgres.endpoint('superuser'),
  };
  process.once('SIGTERM', async () => {
    await postgres.stop();
    print({ stopped: true });
    process.exit(0);
  });
  print({ ready: { afterMs: performance.now() - startedAtMs, endpoints } });
} catch (error) {
  print(
    error instanceof StartRefused ? { refused: error.message } : { failed: String((error as Error).stack) },
  );
  process.exit(1);
}
