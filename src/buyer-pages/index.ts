/** The HTTP surface of the buyer's own page. Pages work without script. The module `buyer-page` decides what a browser may see. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { readFormBodies } from '#http/form-body';
import { assertOwnOrigin } from '#http/own-origin';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import type { BuyerPage } from '#modules/buyer-page';
import { answerErrors, type Surface } from '#pages/error-answers';
import { createGuessCounter } from '#pages/guess-limit';
import type { BaseUrlOf } from '#pages/session-cookie';
import type { BuyerPageRoutes } from './browser-visit.ts';
import { BUYER_NOTICES } from './notices.ts';
import { serveAccount } from './serve-account.ts';
import { serveAccountForms } from './serve-account-forms.ts';
import { serveDisputes } from './serve-disputes.ts';

export const BUYER_PAGES: Surface = { mount: 'buyer', texts: BUYER_NOTICES };

const FORM_BYTES_MAX = 16 * 1024;

export interface BuyerPagesOptions {
  page: BuyerPage;
  baseUrlOf: BaseUrlOf;
  clock: Pick<Clock, 'elapsedMs'>;
  log: Log;
}

/** Register under the prefix `/buyer`: it also answers unknown paths there. */
export async function buyerPages(
  app: FastifyInstance,
  { page, baseUrlOf, clock, log }: BuyerPagesOptions,
): Promise<void> {
  const routes: BuyerPageRoutes = { page, baseUrlOf, countGuess: createGuessCounter(clock) };
  answerErrors(app, log, BUYER_PAGES);
  readFormBodies(app, FORM_BYTES_MAX);
  // Checked before the body is read.
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST') assertOwnOrigin(request, baseUrlOf(request));
  });
  await app.register(cookie);
  serveAccount(app, routes);
  serveAccountForms(app, routes);
  serveDisputes(app, routes);
}
