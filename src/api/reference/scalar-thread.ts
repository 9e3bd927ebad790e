/** Runs in a worker thread: gets the bundle from Scalar's own plugin and returns it gzipped. */
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const app = fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its bundle.`);
const gzipped = new Uint8Array(gzipSync(rawPayload, { level: 9 }));
parentPort?.postMessage(gzipped, [gzipped.buffer]);
