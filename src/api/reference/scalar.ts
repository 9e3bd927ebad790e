/** Scalar's browser bundle, read from its package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The version of the package, and so of the bundle. */
export function scalarVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')).version;
}

/**
 * The bundle, gzipped. The package contains it as text in a plugin that also loads an OpenAPI parser. Loading that blocks the process for
 * 100 ms and keeps 40 MB, so a thread loads it, returns the bundle, and ends.
 */
export function readScalarBundle(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(fileURLToPath(new URL('./scalar-thread.ts', import.meta.url)));
    thread.once('message', (gzipped: Uint8Array) => resolve(Buffer.from(gzipped.buffer)));
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread that reads Scalar ended with code ${code}.`)));
  });
}
