/** The logos of platforms, from our own address: no other server learns who opens a checkout or reads a mail. */
import type { FastifyInstance } from 'fastify';
import type { Db } from '#infra/database/database';
import { notFound } from '#kernel/problem';
import { findLogo } from '#modules/platforms';

const HEADERS = {
  // The address changes with the picture.
  'cache-control': 'public, max-age=31536000, immutable',
  // A drawing that is opened by itself is a document: nothing runs in it, and nothing is loaded.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Mails are read at other origins.
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
