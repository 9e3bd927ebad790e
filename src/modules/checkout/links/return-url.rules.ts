import { type Issue, invalidRequest } from '#kernel/problem';
import { type PlatformRow, platformOrigins, readReturnUrl } from '#modules/platforms';

const NAMES = ['success_url', 'error_url'] as const;
type Asked = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * Where the buyer goes afterwards, as browsers write it; null where nothing was asked. Throws a 400 for an address that no
 * buyer may be sent to, and for one that is not at an origin of the platform.
 */
export function readReturnUrls(
  requested: Asked,
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
