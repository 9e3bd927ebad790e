/**
 * Serves openapi.json, the interactive reference, the guides and the page of errors from our own files, without requests to other servers.
 * Each is built at the first visit, so that it does not slow down the start.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '#http/bind';
import { type Asset, immutableAsset, REFERENCE_HEADERS, sendAsset, textAsset } from './reference/asset.ts';
import { DOCUMENTS, documentPage, guidesPage } from './reference/documents.ts';
import { errorsPage } from './reference/errors-page.ts';
import { DOCUMENT_POLICY, referencePage, referencePolicy, TEXT_POLICY } from './reference/page.ts';
import { readScalarBundle, scalarVersion } from './reference/scalar.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

export async function reference(
  app: FastifyInstance,
  { routes, baseUrl }: { routes: readonly Route[]; baseUrl: string | null },
): Promise<void> {
  // The bundle's address changes with its version, so that a browser may cache it permanently.
  const bundle = `scalar-${scalarVersion()}.js`;
  const docs = `${baseUrl === null ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')}/docs`;

  const serve = (path: string, make: () => Promise<Asset>) => {
    const asset = remembered(make);
    app.get(path, async (request, reply) => sendAsset(request, reply, await asset()));
  };
  serve('/openapi.json', () => printDescription(routes, baseUrl));
  const servePage = (path: string, policy: string, make: () => string) =>
    serve(path, async () => textAsset(HTML_TYPE, make(), { 'content-security-policy': policy }));
  servePage('/docs/errors', TEXT_POLICY, () => errorsPage(routes));
  servePage('/docs/guides', TEXT_POLICY, guidesPage);
  for (const name of DOCUMENTS) servePage(`/docs/${name}`, DOCUMENT_POLICY, () => documentPage(name));
  serve('/docs/copy.js', () => readBrowserFile('copy.js', SCRIPT_TYPE));
  serve(`/docs/${bundle}`, async () => immutableAsset(SCRIPT_TYPE, await readScalarBundle()));
  serve('/docs/start.js', () => readBrowserFile('start.js', SCRIPT_TYPE));
  serve('/docs/scalar.css', () => readBrowserFile('scalar.css', STYLE_TYPE));
  serve('/docs/style.css', () => readBrowserFile('style.css', STYLE_TYPE));
  serve('/docs/documents.css', () => readBrowserFile('documents.css', STYLE_TYPE));
  serve('/docs/icon.svg', () => readBrowserFile('icon.svg', 'image/svg+xml'));

  const toDocs = (_: FastifyRequest, reply: FastifyReply) => reply.redirect(docs, 302);
  app.get('/', toDocs);
  app.get('/docs/', toDocs);
  app.get('/docs', (_, reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...REFERENCE_HEADERS,
        'content-type': HTML_TYPE,
        'content-security-policy': referencePolicy(nonce),
        // A stored copy would repeat the nonce.
        'cache-control': 'no-store',
      })
      .send(referencePage({ nonce, bundle }));
  });
}

/** Calls `make` at the first request and caches the result, but not a failure. */
function remembered<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function printDescription(routes: readonly Route[], baseUrl: string | null): Promise<Asset> {
  const { describeApi } = await import('./openapi.ts');
  const served = { ...describeApi(routes), servers: [{ url: baseUrl ?? '/' }] };
  return textAsset(JSON_TYPE, JSON.stringify(served));
}

async function readBrowserFile(name: string, type: string): Promise<Asset> {
  return textAsset(type, await readFile(new URL(`./reference/browser/${name}`, import.meta.url)));
}
