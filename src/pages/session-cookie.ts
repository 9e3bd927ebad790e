/** The session cookie of a browser, limited to the path of a surface. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The public address of the service for the client of a request; null if only the request's own Host names it. */
export type BaseUrlOf = (request: FastifyRequest) => string | null;

export interface SessionCookie {
  name: string;
  /** Below the public address of the service: `/checkout/<token>`. */
  path: string;
  seconds: number;
  /** Whether the platform shows the pages in a frame. */
  isFramed: boolean;
}

/** Over https the cookie of framed pages also works in a frame of the platform: SameSite=None and Partitioned. */
export function keepSession(
  reply: FastifyReply,
  session: string,
  { name, path, seconds, isFramed, baseUrl }: SessionCookie & { baseUrl: string | null },
): void {
  reply.setCookie(name, session, { ...optionsOf({ path, isFramed, baseUrl }), maxAge: seconds });
}

/** Makes the browser forget the session. */
export function forgetSession(
  reply: FastifyReply,
  { name, path, isFramed, baseUrl }: Omit<SessionCookie, 'seconds'> & { baseUrl: string | null },
): void {
  reply.clearCookie(name, optionsOf({ path, isFramed, baseUrl }));
}

function optionsOf({
  path,
  isFramed,
  baseUrl,
}: Pick<SessionCookie, 'path' | 'isFramed'> & { baseUrl: string | null }): CookieSerializeOptions {
  const base = baseUrl === null ? null : new URL(baseUrl);
  const isSecure = base?.protocol === 'https:';
  const framed: CookieSerializeOptions = { sameSite: 'none', secure: true, partitioned: true };
  return {
    httpOnly: true,
    path: `${base?.pathname.replace(/\/$/, '') ?? ''}${path}`,
    ...(isFramed && isSecure ? framed : { sameSite: 'lax', secure: isSecure }),
  };
}
