/** Answers a form: with a redirect or an error page, so that reloading resends nothing. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#kernel/problem';
import type { PageFormResult } from '#modules/buyer-page';
import type { FieldError } from '#modules/checkout';
import { refuseUnknown } from '#pages/guess-limit';
import { redirectTo } from '#pages/redirect';
import { sendPage } from '#pages/send-page';
import { type BrowserVisit, type BuyerPageRoutes, linksOf, visitOf } from './browser-visit.ts';
import { firstPageOf } from './first-page.ts';
import { buyerCodePage } from './page/buyer-code-page.ts';

const NO_COOKIES: FieldError = { field: null, error: 'error.cookies' };

export interface AnsweredForm {
  result: PageFormResult;
  /** The address to which a completed form leads. */
  next: string;
  /** The fields, which the error page shows again. */
  form?: URLSearchParams;
}

/** The page with the form, its errors and the typed values; null if the page no longer exists. */
type ErrorPage = (visit: Extract<BrowserVisit, { kind: 'OPEN' }>) => Promise<string | null> | string | null;

/** @param errorPage By default, a refused form leads to the first page. */
export async function answerForm(
  routes: BuyerPageRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  { result, next, form }: AnsweredForm,
  errorPage?: ErrorPage,
): Promise<FastifyReply> {
  const links = linksOf(request);
  switch (result.kind) {
    case 'UNKNOWN':
      return refuseUnknown(request, routes.countGuess);
    case 'MISSING':
      throw notFound();
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
      const html = errorPage ? await errorPage(visit) : null;
      if (html === null) return redirectTo(reply, links, firstPageOf(visit.account));
      return sendPage(request, reply, { status: 422, html });
    }
  }
}
