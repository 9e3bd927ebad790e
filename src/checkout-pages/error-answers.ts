/** What goes wrong is a page as well: in the language of the browser, without a word that would help only us. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from '#http/problem-reply';
import { endWithAnswer } from '#http/protocol-guard';
import type { Log } from '#infra/log';
import { notFound, Problem } from '#kernel/problem';
import { translatorOf } from '#messages';
import { guessedLanguage } from './guessed-language.ts';
import { type Notice, noticePage } from './page/notice-page.ts';
import { relativeLinksOf } from './relative-links.ts';
import { sendPage } from './send-page.ts';

export function answerErrors(app: FastifyInstance, log: Log): void {
  const methodsAt = rememberedRoutes(app);
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = foundProblem(error, request, reply, methodsAt);
    if (problem.status >= 500) log.error({ request_id: request.id, err: error as Error }, problem.message);
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
    endWithAnswer(request.raw, reply.raw);
    return sendPage(request, reply, {
      status: problem.status,
      html: drawNotice(NOTICES[problem.status] ?? 'odd', request),
    });
  };
  app.setErrorHandler(answer);
  app.setNotFoundHandler((request, reply) => answer(notFound(), request, reply));
}

/** A link that was cut where it must not be: it never comes as far as a route, but it was meant for us. */
export function answerMalformedAddress(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!request.url.startsWith('/checkout/')) return false;
  reply.header('request-id', request.id);
  const html = drawNotice('link', request);
  sendPage(request, reply, { status: 404, html });
  return true;
}

const NOTICES: Record<number, Notice> = {
  403: 'foreign',
  404: 'link',
  424: 'away',
  429: 'too_many',
  500: 'away',
  503: 'away',
};

function drawNotice(notice: Notice, request: FastifyRequest): string {
  return noticePage({
    notice,
    translator: translatorOf(guessedLanguage(request.headers['accept-language']), 'NEUTRAL'),
    links: relativeLinksOf(request.url),
    platform: null,
    isForm: request.method === 'POST',
  });
}

function foundProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  methodsAt: (path: string) => string[],
): Problem {
  const problem = problemOf(request.raw.errored ? new Problem('BAD_REQUEST') : error);
  const methods = request.is404 ? methodsAt(request.url.split('?')[0] as string) : [];
  if (problem.status !== 404 || methods.length === 0) return problem;
  reply.header('allow', methods.join(', '));
  return new Problem('METHOD_NOT_ALLOWED');
}

/** Which methods a path has, for an answer to the others. */
function rememberedRoutes(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  return (path) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  };
}
