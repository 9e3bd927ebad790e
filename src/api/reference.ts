import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Route } from '#http/bind';
import { referencePage, referencePolicy } from './reference/page.ts';
import { readScalarBundle, scalarVersion } from './reference/scalar.ts';
import { describeApi } from './openapi.ts';

export async function reference(
  app: FastifyInstance,
  {routes, baseUrl}: { routes: readonly Route[]; baseUrl: string | null },
): Promise<void> {
  let b: Promise<Buffer>|undefined;
  const v = scalarVersion();
  app.get('/', (_q, r) => r.redirect('/docs', 302));
  app.get('/openapi.json', (_q, r) => r.type('application/json').send(JSON.stringify({...describeApi(routes), servers: [{url: baseUrl ?? '/'}]})));
  app.get('/docs', (_q, r) => { const nonce = randomBytes(16).toString('base64'); return r.type('text/html; charset=utf-8').header('content-security-policy', referencePolicy(nonce)).send(referencePage({nonce, scalarUrl: `docs/scalar-${v}.js`}))});
  app.get(`/docs/scalar-${v}.js`, async (_q, r) => r.type('text/javascript').header('content-encoding','gzip').send(await (b ??= readScalarBundle())));
  app.get('/docs/theme.css', (_q, r) => r.type('text/css').send(readFileSync(new URL('./reference/browser/theme.css', import.meta.url))));
  app.get('/docs/start.js', (_q, r) => r.type('text/javascript').send(readFileSync(new URL('./reference/browser/start.js', import.meta.url))));
}
