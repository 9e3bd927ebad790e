/** The return URLs: validated when a link is created, and signed when the buyer returns. */
import type { Vault } from '#infra/secrets/vault';
import { type Issue, invalidRequest } from '#kernel/problem';
import { returnSignature, type SignedReturn } from '#kernel/signature';
import { type PlatformRow, platformOrigins, readReturnUrl, returnUrlSecretOf } from '#modules/platforms';
import type { LinkRow } from './link.queries.ts';

const NAMES = ['success_url', 'error_url'] as const;
type RequestedUrls = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * The requested URLs, as browsers normalize them; null if none is given. Throws a 400 for a URL that is not allowed or is outside the
 * platform's origins.
 */
export function readReturnUrls(
  requested: RequestedUrls,
  platform: PlatformRow,
  isSandbox: boolean,
): { successUrl: string | null; errorUrl: string | null } {
  const own = platformOrigins(platform);
  const issues: Issue[] = [];
  const [successUrl = null, errorUrl = null] = NAMES.map((name) => {
    const text = requested[name];
    if (text === undefined) return null;
    const url = readReturnUrl(text, isSandbox);
    const message =
      typeof url === 'string'
        ? url
        : own.includes(url.origin)
          ? null
          : `must be at an origin of the platform, which ${own.length === 0 ? 'has none' : `has ${own.join(', ')}`}`;
    if (message !== null) issues.push({ code: 'INVALID_VALUE', path: `query.${name}`, message });
    return typeof url === 'string' ? null : url.href;
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return { successUrl, errorUrl };
}

/**
 * The signed URL to which the buyer returns; null if the platform has set none. The link's URL is used only while its origin still
 * belongs to the platform.
 * @param what `t` in unix seconds of the real clock, with which receivers compare it.
 */
export function returnUrlFor(
  link: Pick<LinkRow, 'success_url' | 'error_url'>,
  platform: PlatformRow,
  vault: Pick<Vault, 'derive'>,
  what: SignedReturn,
  kind: 'SUCCESS' | 'ERROR',
): string | null {
  const own = platformOrigins(platform);
  const requested = kind === 'SUCCESS' ? link.success_url : link.error_url;
  const candidates = [requested, platform.redirect_url].map((text) =>
    text === null ? null : URL.parse(text),
  );
  const url = candidates.find((candidate) => candidate !== null && own.includes(candidate.origin));
  if (!url) return null;
  const added = new URLSearchParams({
    order_external_id: what.orderExternalId,
    status: what.status,
    t: `${what.t}`,
    signature: returnSignature(returnUrlSecretOf(vault, platform), what),
  });
  // Appended as text: `searchParams` would encode the platform's own parameters again.
  url.search = url.search === '' ? `${added}` : `${url.search}&${added}`;
  return url.href;
}
