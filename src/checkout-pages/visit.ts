/** One request at a link: whose checkout it is, and what this browser may see of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#kernel/problem';
import { translatorOf } from '#messages';
import type { CheckoutForms, CheckoutStep, CheckoutView, FormSender } from '#modules/checkout';
import type { CountGuess } from './guessing.ts';
import { noticePage } from './page/notice-page.ts';
import { type RelativeLinks, relativeLinksOf } from './relative-links.ts';
import { securityHeaders } from './security-headers.ts';
import { sendPage } from './send-page.ts';
import { keepSession, sessionOf } from './session-cookie.ts';

/** What every answer needs. */
export interface PageDeps {
  forms: CheckoutForms;
  baseUrl: string | null;
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

/** Opens the link, and answers by itself where it leads to nothing open. */
export async function whenOpen(
  { forms, baseUrl, countGuess }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (visit: Visit) => Promise<FastifyReply> | FastifyReply,
): Promise<FastifyReply> {
  const token = tokenOf(request);
  const session = sessionOf(request);
  const opened = await forms.open(token, session);
  const links = relativeLinksOf(request.url);
  switch (opened.kind) {
    case 'UNKNOWN':
      return refuseUnknown(request, countGuess);
    case 'DISABLED': {
      const translator = translatorOf(opened.language, opened.formality);
      const html = noticePage({ notice: 'disabled', translator, links, platform: opened.platform });
      return sendPage(request, reply, { status: 403, html, origins: opened.platform.origins });
    }
    case 'OPEN': {
      const { view, newSession } = opened;
      if (newSession !== null) keepSession(reply, newSession, { token, baseUrl });
      return answer({
        view,
        links,
        sender: { token, session: newSession ?? session, version: view.version },
      });
    }
  }
}

/** Throws NOT_FOUND; or TOO_MANY_REQUESTS, to whoever tries many. */
export function refuseUnknown({ ip }: FastifyRequest, countGuess: CountGuess): never {
  countGuess(ip);
  throw notFound();
}

/** To another page of the same checkout. */
export function goTo(
  reply: FastifyReply,
  { view, links }: Pick<Visit, 'view' | 'links'>,
  page: string,
): FastifyReply {
  return leadTo(reply, links, page, view.platform.origins);
}

/** The same where nobody has looked whose checkout it is. */
export function leadTo(
  reply: FastifyReply,
  links: RelativeLinks,
  page: string,
  origins: readonly string[] = [],
): FastifyReply {
  return reply
    .headers(securityHeaders(origins))
    .header('location', `${links.folder}${page}`)
    .code(303)
    .send();
}

/** Whether the page of a step has anything to show now: it is the one whose turn it is, or one that is done. */
export function isReached({ steps, step: current, outcome }: CheckoutView, step: CheckoutStep): boolean {
  if (!steps.includes(step)) return false;
  if (step === current) return true;
  // What a code opened is open, and what is placed is placed.
  if (step === 'code' || outcome !== null) return false;
  return steps.indexOf(step) < steps.indexOf(current);
}
