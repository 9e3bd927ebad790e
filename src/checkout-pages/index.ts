/** The HTTP surface of the hosted checkout. Pages work without script. The module `checkout` implements the forms. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { readFormBodies } from '#http/form-body';
import { assertOwnOrigin } from '#http/own-origin';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import type { CheckoutForms } from '#modules/checkout';
import { serveAssets } from '#pages/assets';
import { serveBrands } from '#pages/brand';
import { answerErrors, type Surface } from '#pages/error-answers';
import { createGuessCounter } from '#pages/guess-limit';
import type { BaseUrlOf } from '#pages/session-cookie';
import { CHECKOUT_NOTICES } from './notices.ts';
import { serveForms } from './serve-forms.ts';
import { servePages } from './serve-pages.ts';
import type { PageDeps } from './visit.ts';

export const CHECKOUT: Surface = { mount: 'checkout', texts: CHECKOUT_NOTICES };

const FORM_BYTES_MAX = 64 * 1024;

export interface CheckoutOptions {
  forms: CheckoutForms;
  /** The public address of the service for the client of a request; null if only the request's own Host names it. */
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
  answerErrors(app, log, CHECKOUT);
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
