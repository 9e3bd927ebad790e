/** Serves the pages, which change nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';
import { translatorOf } from '#messages';
import { STEPS } from '#modules/checkout';
import { refuseUnknown } from '#pages/guess-limit';
import { securityHeaders } from '#pages/security-headers';
import { sendPage } from '#pages/send-page';
import { cancelPage } from './page/cancel-page.ts';
import { searchCountry } from './page/company-page.ts';
import { companySuggestions } from './page/company-results.ts';
import { sceneOf } from './page/step-page.ts';
import { termsPage } from './page/terms-page.ts';
import { renderStep } from './render-step.ts';
import { isReached, openVisit, type PageDeps, redirectWithin, tokenOf, type Visit } from './visit.ts';

export function servePages(app: FastifyInstance, deps: PageDeps): void {
  const page = (path: string, answer: Answer) =>
    app.get(path, async (request, reply) => {
      const visit = await openVisit(deps, request, reply);
      return visit === null ? reply : answer(visit, request, reply);
    });
  // Without a trailing slash, relative links start one folder higher.
  page('/:token', ({ view, links, sender }, _, reply) =>
    redirectWithin(reply, { view, links }, `${encodeURIComponent(sender.token)}/${view.step}`),
  );
  page('/:token/', (visit, _, reply) => redirectWithin(reply, visit, visit.view.step));
  for (const step of STEPS)
    page(`/:token/${step}`, (visit, request, reply) => {
      if (!isReached(visit.view, step)) return redirectWithin(reply, visit, visit.view.step);
      return send(visit, request, reply, renderStep(visit, step));
    });
  page('/:token/terms', (visit, request, reply) =>
    send(visit, request, reply, termsPage(sceneOf(visit.view, visit.links))),
  );
  page('/:token/cancel', (visit, request, reply) => {
    if (!visit.view.isCancellable) return redirectWithin(reply, visit, visit.view.step);
    return send(visit, request, reply, cancelPage(sceneOf(visit.view, visit.links)));
  });
  page('/:token/company/search', (visit, request, reply) => search(deps, visit, request, reply));
  app.get('/:token/status', async (request, reply) => {
    const status = await deps.forms.statusOf(tokenOf(request));
    if (status === null) return refuseUnknown(request, deps.countGuess);
    return reply.headers(securityHeaders([])).type('application/json; charset=utf-8').send(status);
  });
}

type Answer = (
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | FastifyReply;

function send({ view }: Visit, request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply {
  return sendPage(request, reply, { html, origins: view.platform.origins });
}

/** Returns only the results to the script, which accepts `text/html-fragment`, and the whole page to any other request. */
async function search(
  { forms }: PageDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { view } = visit;
  if (view.isCompanyOnFile || !isReached(view, 'company')) return redirectWithin(reply, visit, view.step);
  const searched = searchedIn(request.url);
  const isFragment = request.headers.accept?.includes('text/html-fragment') === true;
  const found = await forms.searchCompanies(visit.sender, searched).catch(unavailable);
  if (isFragment) {
    if (found === null || found === 'UNAVAILABLE') return reply.code(503).headers(securityHeaders([])).send();
    const html = companySuggestions(found, translatorOf(view.language, view.formality));
    return send(visit, request, reply, html);
  }
  const country = searched.country || searchCountry(view);
  const html = renderStep(visit, 'company', {
    searched: { ...searched, country },
    search: found === 'UNAVAILABLE' ? null : found,
    ...(found === 'UNAVAILABLE' && {
      refused: { errors: [{ field: null, error: 'error.search_unavailable' }], typed: null },
    }),
  });
  return send(visit, request, reply, html);
}

function searchedIn(url: string): { country: string; query: string } {
  const searched = new URLSearchParams(url.split('?')[1] ?? '');
  return { country: searched.get('country') ?? '', query: searched.get('query') ?? '' };
}

/** Without the registry, a company can still be typed. */
function unavailable(error: unknown): 'UNAVAILABLE' {
  if (error instanceof Problem && error.code === 'FAILED_DEPENDENCY') return 'UNAVAILABLE';
  throw error;
}
