/** The session of a browser in one checkout. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS } from '#kernel/day';
import { keepSession } from '#pages/session-cookie';

const NAME = 'tl_checkout';
/** The lifetime of a link. The session ends with its link in any case. */
const SECONDS = 7 * DAY_SECONDS;

export function sessionOf(request: FastifyRequest): string | null {
  return request.cookies[NAME] ?? null;
}

/** The cookie is limited to the path of its link. */
export function keepCheckoutSession(
  reply: FastifyReply,
  session: string,
  { token, baseUrl }: { token: string; baseUrl: string | null },
): void {
  keepSession(reply, session, {
    ...{ name: NAME, path: `/checkout/${token}`, seconds: SECONDS, isFramed: true, baseUrl },
  });
}
