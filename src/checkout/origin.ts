/** Whether a form was sent from a page of ours. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';

/**
 * Throws FORBIDDEN unless the browser says that the request comes from our own origin. Our pages send no Referer, and for
 * those a browser writes `Origin: null`, as it does for a sandboxed frame of somebody else: then `Sec-Fetch-Site` tells the
 * two apart. That is sent by every current browser, except to plain http on another machine, which is nothing but a trial
 * of the sandbox: there, and only there, silence passes.
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

/** Without an address of its own, the server is what the request calls it, by whichever scheme a proxy before it speaks. */
function isOwn(origin: string, host: string, baseUrl: string | null): boolean {
  if (baseUrl !== null) return origin === new URL(baseUrl).origin;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** What browsers call not potentially trustworthy: plain http, unless to the machine itself. */
function isUntrustworthy(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}
