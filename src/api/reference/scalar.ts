/** Scalar's browser bundle, taken out of its package by a thread of its own at the first visit. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The version of the package, for an address that changes with the bundle. */
export function scalarVersion(): string {
  const packageFile = new URL('../package.json', import.meta.resolve('@scalar/fastify-api-reference'));
  return JSON.parse(readFileSync(packageFile, 'utf8')).version;
}

/**
 * The bundle, gzipped. The package keeps it as a text inside a plugin that brings an OpenAPI parser with it: 100 ms and
 * 40 MB that neither the event loop nor the heap of the service should pay, so a thread loads it and ends.
 */
export function readScalarBundle(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(new URL('./scalar-thread.ts', import.meta.url)));
    worker.once('message', (gzipped: Uint8Array) => resolve(Buffer.from(gzipped.buffer)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread that reads Scalar ended with code ${code}.`)));
  });
}
