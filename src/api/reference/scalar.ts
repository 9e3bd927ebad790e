/** Scalar's bundle for the browser, out of its package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The version of the package, which is the bundle's. */
export function scalarVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')).version;
}

/**
 * The bundle, gzipped. The package keeps it as a text in a plugin that brings an OpenAPI parser with it. Loading that
 * takes 100 ms in which nothing else is answered, and keeps 40 MB: so a thread loads it, hands the bundle over, and ends.
 */
export function readScalarBundle(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(fileURLToPath(new URL('./scalar-thread.ts', import.meta.url)));
    thread.once('message', (gzipped: Uint8Array) => resolve(Buffer.from(gzipped.buffer)));
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread that reads Scalar ended with code ${code}.`)));
  });
}
