/** One request at a link: the checkout that it opens, as this browser may see it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { translatorOf } from '#messages';
import type { CheckoutForms, CheckoutStep, CheckoutView, FormSender } from '#modules/checkout';
import { preferredLanguage } from '#pages/accept-language';
import { type CountGuess, publicNetworkOf, refuseUnknown } from '#pages/guess-limit';
import { noticePage } from '#pages/notice-page';
import { redirectTo } from '#pages/redirect';
import { type RelativeLinks, relativeLinksOf } from '#pages/relative-links';
import { sendPage } from '#pages/send-page';
import type { BaseUrlOf } from '#pages/session-cookie';
import { keepCheckoutSession, sessionOf } from './checkout-session.ts';
import { CHECKOUT_NOTICES } from './notices.ts';

/** What the routes depend on. */
export interface PageDeps {
  forms: CheckoutForms;
  baseUrlOf: BaseUrlOf;
  countGuess: CountGuess;
}

export interface Visit {
  view: CheckoutView;
  links: RelativeLinks;
  sender: FormSender;
}

export function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

/**
 * Opens the link and sets the cookie of a new session. Null if the platform is disabled and the reply has been sent.
 * Throws for an unknown token.
 */
export async function openVisit(
  { forms, baseUrlOf, countGuess }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | null> {
  const token = tokenOf(request);
  const session = sessionOf(request);
  const opened = await forms.open(token, session, {
    browserLanguage: preferredLanguage(request.headers['accept-language']),
    isCompanyPage: isCompanyPage(request),
  });
  const links = relativeLinksOf(request.url);
  switch (opened.kind) {
    case 'UNKNOWN':
      return refuseUnknown(request, countGuess);
    case 'DISABLED': {
      const translator = translatorOf(opened.language, opened.formality);
      const html = noticePage({
        notice: 'disabled',
        texts: CHECKOUT_NOTICES,
        translator,
        links,
        platform: opened.platform,
      });
      sendPage(request, reply, { status: 403, html, origins: opened.platform.origins });
      return null;
    }
    case 'OPEN': {
      const { view, newSession } = opened;
      if (newSession !== null) keepCheckoutSession(reply, newSession, { token, baseUrl: baseUrlOf(request) });
      return { view, links, sender: senderOf(request, newSession ?? session, view.version) };
    }
  }
}

/** Includes forms and searches of the company page, which may show the page again. */
function isCompanyPage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.includes('/company') === true;
}

/** @param version The version of the page that the browser shows. */
export function senderOf(
  request: FastifyRequest,
  session: string | null,
  version: number | null,
): FormSender {
  return { token: tokenOf(request), session, version, network: publicNetworkOf(request.ip) };
}

/** Redirects to another page of the same checkout. */
export function redirectWithin(
  reply: FastifyReply,
  { view, links }: Pick<Visit, 'view' | 'links'>,
  page: string,
): FastifyReply {
  return redirectTo(reply, links, page, view.platform.origins);
}

/** Whether the page of a step is open: for the current step and those before it. */
export function isReached({ steps, step: current, outcome }: CheckoutView, step: CheckoutStep): boolean {
  if (!steps.includes(step)) return false;
  if (step === current) return true;
  // The code is entered once, and a placed order cannot be changed.
  if (step === 'code' || outcome !== null) return false;
  return steps.indexOf(step) < steps.indexOf(current);
}
