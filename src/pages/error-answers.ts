/** Answers errors with a page in the browser's language, without technical details. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDefect, problemOf } from '#http/problem-reply';
import { endWithAnswer } from '#http/protocol-guard';
import { isShed } from '#http/shed-load';
import type { Log } from '#infra/log';
import { notFound, Problem } from '#kernel/problem';
import { translatorOf } from '#messages';
import { preferredLanguage } from './accept-language.ts';
import { type Notice, type NoticeTexts, noticePage } from './notice-page.ts';
import { type Mount, relativeLinksOf } from './relative-links.ts';
import { sendPage } from './send-page.ts';

/** Pages below one address, and their texts for errors. */
export interface Surface {
  mount: Mount;
  texts: NoticeTexts;
}

export function answerErrors(app: FastifyInstance, log: Log, surface: Surface): void {
  const methodsAt = collectRoutes(app);
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = problemFor(error, request, reply, methodsAt);
    if (isDefect(error, problem)) log.error({ request_id: request.id, err: error as Error }, problem.message);
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
    endWithAnswer(request.raw, reply.raw, { readsSmallBody: isShed(problem) });
    return sendPage(request, reply, {
      status: problem.status,
      html: renderNotice(NOTICES[problem.status] ?? 'malformed', request, surface),
    });
  };
  app.setErrorHandler(answer);
  app.setNotFoundHandler((request, reply) => answer(notFound(), request, reply));
}

/** Answers addresses of the surfaces that are not valid percent-encoding, such as a truncated link. They reach no route. */
export function malformedAnswerer(
  surfaces: readonly Surface[],
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  return (request, reply) => {
    const surface = surfaces.find(({ mount }) => request.url.startsWith(`/${mount}/`));
    if (!surface) return false;
    reply.header('request-id', request.id);
    sendPage(request, reply, { status: 404, html: renderNotice('link', request, surface) });
    return true;
  };
}

const NOTICES: Record<number, Notice> = {
  403: 'foreign',
  404: 'link',
  424: 'away',
  429: 'too_many',
  500: 'away',
  503: 'away',
};

function renderNotice(notice: Notice, request: FastifyRequest, { mount, texts }: Surface): string {
  return noticePage({
    notice,
    texts,
    translator: translatorOf(preferredLanguage(request.headers['accept-language']) ?? 'EN', 'NEUTRAL'),
    links: relativeLinksOf(request.url, mount),
    platform: null,
    isForm: request.method === 'POST',
  });
}

function problemFor(
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

/** Returns a function that lists the methods of a path, for the Allow header. */
function collectRoutes(app: FastifyInstance): (path: string) => string[] {
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
