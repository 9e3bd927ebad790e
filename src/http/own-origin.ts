/** Checks that a form was sent from a page of this service. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';

/**
 * Throws FORBIDDEN unless the browser says that the request comes from our own origin. Our pages send no Referer, so a browser sends
 * `Origin: null`, as it does for a sandboxed frame of another site; `Sec-Fetch-Site` distinguishes the two. Every current browser sends it,
 * except to plain http on another machine, which only a trial of the sandbox uses. Only there does a request without it pass.
 */
export function assertOwnOrigin({ headers }: FastifyRequest, baseUrl: string | null): void {
  const { origin = 'null' } = headers;
  const site = headers['sec-fetch-site'];
  if (origin !== 'null') {
    if (isOwn(origin, headers.host ?? '', baseUrl)) return;
  } else if (
    site === undefined ? isUntrustworthy(baseUrl ?? `http://${headers.host}`) : site === 'same-origin'
  )
    return;
  throw new Problem('FORBIDDEN');
}

/** Without a configured base URL, the Host header names the server, with the scheme of any proxy in front of it. */
function isOwn(origin: string, host: string, baseUrl: string | null): boolean {
  if (baseUrl !== null) return origin === new URL(baseUrl).origin;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Not "potentially trustworthy" to browsers: plain http, except to the local machine. */
function isUntrustworthy(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}
