/** The HTTP surface of the hosted checkout. Pages work without script. The module `checkout` decides what forms do. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { readFormBodies } from '#http/form-body';
import { assertOwnOrigin } from '#http/own-origin';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import type { CheckoutForms } from '#modules/checkout';
import { serveAssets } from './assets.ts';
import { serveBrands } from './brand.ts';
import { answerErrors } from './error-answers.ts';
import { createGuessCounter } from './guess-limit.ts';
import { serveForms } from './serve-forms.ts';
import { servePages } from './serve-pages.ts';
import type { BaseUrlOf, PageDeps } from './visit.ts';

export { answerMalformedAddress } from './error-answers.ts';

const FORM_BYTES_MAX = 64 * 1024;

export interface CheckoutOptions {
  forms: CheckoutForms;
  /** The public address of the service for the client of a request; null if only the request's own Host says it. */
  baseUrlOf: BaseUrlOf;
  clock: Pick<Clock, 'elapsedMs'>;
  log: Log;
}

/** Register under the prefix `/checkout`: it also answers unknown paths there. */
export async function checkout(
  app: FastifyInstance,
  { forms, baseUrlOf, clock, log }: CheckoutOptions,
): Promise<void> {
  const deps: PageDeps = { forms, baseUrlOf, countGuess: createGuessCounter(clock) };
  answerErrors(app, log);
  readFormBodies(app, FORM_BYTES_MAX);
  // Checked before the body is read.
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST') assertOwnOrigin(request, baseUrlOf(request));
  });
  await app.register(cookie);
  serveAssets(app);
  serveBrands(app);
  servePages(app, deps);
  serveForms(app, deps);
}
