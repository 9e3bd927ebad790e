/** The session cookie of a browser, limited to the path of one link. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS } from '#kernel/day';

const NAME = 'tl_checkout';
/** The lifetime of a link. The session ends with its link in any case. */
const SECONDS = 7 * DAY_SECONDS;

export function sessionOf(request: FastifyRequest): string | null {
  return request.cookies[NAME] ?? null;
}

/** Over https the cookie also works in a frame of the platform: SameSite=None and Partitioned. */
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
