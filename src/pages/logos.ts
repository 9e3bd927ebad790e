/** Serves the platforms' logos from our own address, so that no other server learns who opens a checkout or a mail. */
import type { FastifyInstance } from 'fastify';
import type { Db } from '#infra/database/database';
import { notFound } from '#kernel/problem';
import { findLogo } from '#modules/platforms';

const HEADERS = {
  // The address changes with the image.
  'cache-control': 'public, max-age=31536000, immutable',
  // An SVG that is opened directly is a document, in which nothing may run or load.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Mail programs embed it from other origins.
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export async function logos(app: FastifyInstance, { db }: { db: Db }): Promise<void> {
  app.get<{ Params: { file: string } }>('/checkout/logos/:file', async (request, reply) => {
    const logo = await findLogo(db, request.params.file);
    if (!logo) throw notFound();
    return reply.headers({ ...HEADERS, 'content-type': logo.mediaType }).send(logo.content);
  });
}
