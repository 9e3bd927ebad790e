/** The platform's own origins: allowed in return URLs, and allowed to frame the checkout. */

const URL_LENGTH_MAX = 2_048;

/** The URL parser drops these or turns them into slashes, so the browser would open another URL than the one checked. */
const REWRITTEN_CHARACTER = /[\s\p{Cc}\\]/u;
/** The URL parser also reads `https:host` and `https:///host`. */
const WRITTEN_OUT = /^https?:\/\/[^/?#]/i;
const USER_INFO = /^[^/?#]*\/\/[^/?#]*@/;
/**
 * The parser accepts `*`, `;` and `'`, which have a meaning in a Content-Security-Policy. A host with a trailing dot is
 * another origin than the host without.
 */
const HOST = /^([a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*|\[[\da-f:.]+\])$/;
/** Appended to the return URL. If one occurred twice, languages would disagree on which value counts. */
const RETURN_PARAMETERS = ['order_external_id', 'status', 't', 'signature'];
const LOOPBACK = /^(([^.]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads a URL that a browser may be sent to: https, or in a sandbox http to this machine, with at most 2,048 characters once
 * encoded. If it is refused, returns why, as the end of a sentence.
 */
export function readReturnUrl(text: string, isSandbox: boolean): URL | string {
  const url = REWRITTEN_CHARACTER.test(text) || !WRITTEN_OUT.test(text) ? null : URL.parse(text);
  if (!url || !HOST.test(url.hostname)) return 'must be a complete URL, such as https://shop.example/back';
  if (USER_INFO.test(text)) return 'must not contain a user name or a password';
  if (url.protocol !== 'https:' && !(isSandbox && LOOPBACK.test(url.hostname)))
    return isSandbox ? 'must start with https://, or lead to this machine' : 'must start with https://';
  if (Math.max(text.length, url.href.length) > URL_LENGTH_MAX)
    return `must have at most ${URL_LENGTH_MAX} characters, including after encoding`;
  const taken = RETURN_PARAMETERS.find((name) => url.searchParams.has(name));
  return taken === undefined ? url : `must not have the parameter ${taken}, which Tradeline appends`;
}

/** Reads an origin (scheme, host and port) by the rules of `readReturnUrl`, as browsers write it; null if it is not one. */
export function readOrigin(text: string, isSandbox: boolean): string | null {
  const url = readReturnUrl(text, isSandbox);
  return typeof url !== 'string' && url.href === `${url.origin}/` ? url.origin : null;
}

interface Origins {
  redirect_url: string | null;
  checkout_origins: readonly string[];
}

/** The distinct origins of a platform, that of the redirect_url first. */
export function platformOrigins({ redirect_url: redirectUrl, checkout_origins: more }: Origins): string[] {
  const own = redirectUrl === null ? null : URL.parse(redirectUrl);
  return [...new Set([...(own ? [own.origin] : []), ...more])];
}
