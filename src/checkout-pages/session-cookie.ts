/** The cookie by which a browser is known again at one link, and nowhere else. */

import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS } from '#kernel/day';

const NAME = 'tl_checkout';
/** No link lives longer, and the session ends with its link whatever the browser keeps. */
const SECONDS = 7 * DAY_SECONDS;

export function sessionOf(request: FastifyRequest): string | null {
  return request.cookies[NAME] ?? null;
}

/** Over https a platform may show the page in a frame of its own, where a cookie needs to say that it knows. */
export function keepSession(
  reply: FastifyReply,
  session: string,
  { token, baseUrl }: { token: string; baseUrl: string | null },
): void {
  const base = baseUrl === null ? null : new URL(baseUrl);
  const framed: CookieSerializeOptions = { sameSite: 'none', secure: true, partitioned: true };
  reply.setCookie(NAME, session, {
    httpOnly: true,
    path: `${base?.pathname.replace(/\/$/, '') ?? ''}/checkout/${token}`,
    maxAge: SECONDS,
    ...(base?.protocol === 'https:' ? framed : { sameSite: 'lax' }),
  });
}
