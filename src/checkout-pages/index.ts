/**
 * The hosted checkout: pages that are whole without script. What a form does is decided by the module `checkout`; here it is
 * drawn, sent and guarded.
 */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { readFormBodies } from '#http/form-body';
import { assertOwnOrigin } from '#http/own-origin';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import type { CheckoutForms } from '#modules/checkout';
import { serveAssets } from './assets.ts';
import { answerErrors } from './error-answers.ts';
import { createGuessCounter } from './guessing.ts';
import { serveForms } from './serve-forms.ts';
import { servePages } from './serve-pages.ts';
import type { PageDeps } from './visit.ts';

export { answerMalformedAddress } from './error-answers.ts';

const FORM_BYTES_MAX = 64 * 1024;

export interface CheckoutOptions {
  forms: CheckoutForms;
  /** The address that buyers know the server by; null: the one they asked. */
  baseUrl: string | null;
  clock: Pick<Clock, 'elapsedMs'>;
  log: Log;
}

/** To be registered under the prefix `/checkout`, so that it may answer there what does not exist. */
export async function checkout(
  app: FastifyInstance,
  { forms, baseUrl, clock, log }: CheckoutOptions,
): Promise<void> {
  const deps: PageDeps = { forms, baseUrl, countGuess: createGuessCounter(clock) };
  answerErrors(app, log);
  readFormBodies(app, FORM_BYTES_MAX);
  // Before the body is read: nobody sends us one from somewhere else.
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST') assertOwnOrigin(request, baseUrl);
  });
  await app.register(cookie);
  serveAssets(app);
  servePages(app, deps);
  serveForms(app, deps);
}
