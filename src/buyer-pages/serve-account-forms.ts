/** Receives the forms of the pages. Every form ends with a redirect or an error page, so that reloading resends nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf, typedIn } from '#http/form-body';
import type { PageFormResult } from '#modules/buyer-page';
import type { FieldError } from '#modules/checkout';
import { refuseUnknown } from '#pages/guess-limit';
import { redirectTo } from '#pages/redirect';
import { sendPage } from '#pages/send-page';
import {
  type BuyerPageRoutes,
  forgetBuyerSession,
  keepBuyerSession,
  linksOf,
  pageSenderOf,
  visitOf,
} from './browser-visit.ts';
import { buyerCodePage } from './page/buyer-code-page.ts';
import { settingsPage } from './page/settings-page.ts';
import { firstPageOf } from './serve-account.ts';

const NO_COOKIES: FieldError = { field: null, error: 'error.cookies' };

export function serveAccountForms(app: FastifyInstance, routes: BuyerPageRoutes): void {
  const { page } = routes;
  app.post('/:token/code/send', async (request, reply) => {
    const { newSession, ...result } = await page.sendCode(pageSenderOf(request));
    if (newSession !== null) keepBuyerSession(routes, request, reply, newSession);
    return answer(routes, request, reply, { result, next: 'code' });
  });
  app.post('/:token/code', async (request, reply) => {
    const result = await page.enterCode(pageSenderOf(request), typedIn(formOf(request.body), 'code'));
    return answer(routes, request, reply, { result, next: './' });
  });
  app.post('/:token/leave', async (request, reply) => {
    const result = await page.leave(pageSenderOf(request));
    forgetBuyerSession(routes, request, reply);
    return answer(routes, request, reply, { result, next: 'code' });
  });
  app.post('/:token/settings', async (request, reply) => {
    const form = formOf(request.body);
    const typed = { language: typedIn(form, 'language'), formality: typedIn(form, 'formality') };
    const result = await page.changeSettings(pageSenderOf(request), typed);
    return answer(routes, request, reply, { result, next: 'settings?saved', form });
  });
  app.post('/:token/credit/review', async (request, reply) => {
    const result = await page.requestReview(pageSenderOf(request));
    return answer(routes, request, reply, { result, next: 'credit' });
  });
}

interface Answered {
  result: PageFormResult;
  /** Where a form that is done leads. */
  next: string;
  form?: URLSearchParams;
}

async function answer(
  routes: BuyerPageRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  { result, next, form }: Answered,
): Promise<FastifyReply> {
  const links = linksOf(request);
  switch (result.kind) {
    case 'UNKNOWN':
      return refuseUnknown(request, routes.countGuess);
    case 'DONE':
      return redirectTo(reply, links, next);
    case 'LOCKED':
      return redirectTo(reply, links, 'code');
    case 'NO_SESSION':
    case 'REFUSED': {
      const isLocked = result.kind === 'NO_SESSION';
      const errors = isLocked ? [NO_COOKIES] : result.errors;
      const visit = await visitOf(routes, request, { errors, typed: form ?? null });
      if (visit.kind === 'LOCKED') {
        const html = buyerCodePage(visit.scene, visit.code);
        return sendPage(request, reply, { status: isLocked ? 403 : 422, html });
      }
      if (form === undefined) return redirectTo(reply, links, firstPageOf(visit.account));
      const html = settingsPage(visit.scene, visit.account, { isSaved: false });
      return sendPage(request, reply, { status: 422, html });
    }
  }
}
