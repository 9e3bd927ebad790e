/** What is only looked at. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';
import { translatorOf } from '#messages';
import { type CompanySearch, STEPS } from '#modules/checkout';
import { drawStep } from './draw-step.ts';
import { cancelPage } from './page/cancel-page.ts';
import { searchCountry } from './page/company-page.ts';
import { companySuggestions } from './page/company-results.ts';
import { sceneOf } from './page/step-page.ts';
import { termsPage } from './page/terms-page.ts';
import { securityHeaders } from './security-headers.ts';
import { sendPage } from './send-page.ts';
import { goTo, isReached, type PageDeps, refuseUnknown, tokenOf, type Visit, whenOpen } from './visit.ts';

export function servePages(app: FastifyInstance, deps: PageDeps): void {
  const page = (path: string, answer: Answer) =>
    app.get(path, (request, reply) =>
      whenOpen(deps, request, reply, (visit) => answer(visit, request, reply)),
    );
  // The folder of the link is not the folder of its address without a slash at the end.
  page('/:token', ({ view, links, sender }, _, reply) =>
    goTo(reply, { view, links }, `${encodeURIComponent(sender.token)}/${view.step}`),
  );
  page('/:token/', (visit, _, reply) => goTo(reply, visit, visit.view.step));
  for (const step of STEPS)
    page(`/:token/${step}`, async (visit, request, reply) => {
      if (!isReached(visit.view, step)) return goTo(reply, visit, visit.view.step);
      return send(visit, request, reply, drawStep(visit, step));
    });
  page('/:token/terms', async (visit, request, reply) =>
    send(visit, request, reply, termsPage(sceneOf(visit.view, visit.links))),
  );
  page('/:token/cancel', async (visit, request, reply) => {
    if (!visit.view.isCancellable) return goTo(reply, visit, visit.view.step);
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

function send({ view }: Visit, request: FastifyRequest, reply: FastifyReply, html: string, status = 200) {
  return sendPage(request, reply, { status, html, origins: view.platform.origins });
}

/** For the script a part of a page, which says that it wants one; else the whole page. */
async function search(
  { forms }: PageDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { view } = visit;
  if (view.isCompanyOnFile || !isReached(view, 'company')) return goTo(reply, visit, view.step);
  const searched = searchedIn(request.url);
  const isPart = request.headers.accept?.includes('text/html-fragment') === true;
  const found = await unlessUnavailable(() => forms.searchCompanies(visit.sender, searched));
  if (isPart) {
    if (found === null || found === 'UNAVAILABLE') return reply.code(503).headers(securityHeaders([])).send();
    const html = companySuggestions(found, translatorOf(view.language, view.formality));
    return send(visit, request, reply, html);
  }
  const country = searched.country || searchCountry(view);
  const html = drawStep(visit, 'company', {
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

/** A register that gives no answer does not keep anybody from typing a company by hand. */
async function unlessUnavailable(
  search: () => Promise<CompanySearch | null>,
): Promise<CompanySearch | null | 'UNAVAILABLE'> {
  try {
    return await search();
  } catch (error) {
    if (error instanceof Problem && error.code === 'FAILED_DEPENDENCY') return 'UNAVAILABLE';
    throw error;
  }
}
