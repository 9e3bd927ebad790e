/** Where a buyer may be sent back to after a checkout, and what may frame it: the platform's own origins, as browsers write them. */
import type { PlatformRow } from './platform.queries.ts';

const URL_LENGTH_MAX = 2_048;

/** The URL parser drops these or turns them into slashes: what was checked would not be what a browser goes to. */
const REWRITTEN_CHARACTER = /[\s\p{Cc}\\]/u;
/** The URL parser also reads `https:host` and `https:///host`. */
const WRITTEN_OUT = /^https?:\/\/[^/?#]/i;
const USER_INFO = /^[^/?#]*\/\/[^/?#]*@/;
/**
 * The parser lets `*`, `;` and `'` through, which mean something in a Content-Security-Policy. A name with a dot at its end
 * is another origin than the one without, although both lead to the same place.
 */
const HOST = /^([a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*|\[[\da-f:.]+\])$/;
/** What is put behind the address: twice there, each language would take another one of the two. */
const RETURN_PARAMETERS = ['order_external_id', 'status', 't', 'signature'];
const LOOPBACK = /^(([^.]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * An address that a browser may be sent to: https, or in a sandbox http to this machine; of at most 2,048 characters, also
 * once encoded. Else what is wrong, as the end of a sentence.
 */
export function readReturnUrl(text: string, isSandbox: boolean): URL | string {
  const url = REWRITTEN_CHARACTER.test(text) || !WRITTEN_OUT.test(text) ? null : URL.parse(text);
  if (!url || !HOST.test(url.hostname)) return 'must be a complete URL, such as https://shop.example/back';
  if (USER_INFO.test(text)) return 'must not carry a user name or a password';
  if (url.protocol !== 'https:' && !(isSandbox && LOOPBACK.test(url.hostname)))
    return isSandbox ? 'must start with https://, or lead to this machine' : 'must start with https://';
  if (Math.max(text.length, url.href.length) > URL_LENGTH_MAX)
    return `must have at most ${URL_LENGTH_MAX} characters, also once encoded`;
  const taken = RETURN_PARAMETERS.find((name) => url.searchParams.has(name));
  return taken === undefined ? url : `must not have the parameter ${taken}, which is put behind it`;
}

/** The same of an origin alone (scheme, host and port), as browsers write it; null where the text is none. */
export function readOrigin(text: string, isSandbox: boolean): string | null {
  const url = readReturnUrl(text, isSandbox);
  return typeof url !== 'string' && url.href === `${url.origin}/` ? url.origin : null;
}

type Origins = Pick<PlatformRow, 'redirect_url' | 'checkout_origins'>;

/** Each once, that of the redirect_url first. A checkout may lead back to them and be framed by them. */
export function platformOrigins({ redirect_url: redirectUrl, checkout_origins: more }: Origins): string[] {
  const own = redirectUrl === null ? null : URL.parse(redirectUrl);
  return [...new Set([...(own ? [own.origin] : []), ...more])];
}
