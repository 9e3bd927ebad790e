/** Links to the checkout of one order: whoever has one may go through it. And where the buyer goes afterwards. */

import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';
import { returnSignature, type SignedReturn } from '#kernel/signature';
import { type PlatformRow, platformOrigins, returnUrlSecretOf } from '#modules/platforms';
import { insertLink, type LinkRow, pruneLinks } from './link.queries.ts';

const TOKEN_BYTES = 32;
/** By the platform's clock. */
const LINK_SECONDS = 7 * DAY_SECONDS;
/** After its end, for support to see that there was one. */
const RETENTION_SECONDS = 30 * DAY_SECONDS;

export interface LinkInput {
  platformId: number;
  orderExternalId: string;
  /** Unix seconds, by the platform's clock. */
  now: number;
  /** Checked before; null: the platform's redirect_url. */
  successUrl?: string | null;
  errorUrl?: string | null;
}

/** A new link, beside those that are good already. `token` is known only now: its hash is what is kept. */
export async function createLink(db: Db, request: LinkInput): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = request.now + LINK_SECONDS;
  await insertLink(db, {
    platform_id: request.platformId,
    order_external_id: request.orderExternalId,
    token_sha256: hashOf(token),
    created_at: request.now,
    expires_at: expiresAt,
    success_url: request.successUrl ?? null,
    error_url: request.errorUrl ?? null,
  });
  return { token, expiresAt };
}

/** @param baseUrl Where the service is reached, without a slash at its end. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/checkout/${token}`;
}

/** Forgets a batch of links that ended a month ago; answers how many. */
export function pruneEndedLinks(db: Db, realNow: number, limit: number): Promise<number> {
  return pruneLinks(db, { realNow, retentionSeconds: RETENTION_SECONDS, limit });
}

/**
 * The signed address that the buyer goes back to; null where the platform named none. An address of the link counts while
 * its origin is one of the platform's: an origin that was taken away since leads nobody any more.
 * @param what `t` in unix seconds by the real clock, as receivers compare it with theirs.
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
  // What the platform put there stays as it wrote it: through `searchParams` all of it would be encoded anew.
  url.search = url.search === '' ? `${added}` : `${url.search}&${added}`;
  return url.href;
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
