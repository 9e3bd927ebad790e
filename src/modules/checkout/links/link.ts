/** Links to the checkout of an order. Anybody with the link may use it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { DAY_SECONDS } from '#kernel/day';
import { insertLink, pruneLinks } from './link.queries.ts';

const TOKEN_BYTES = 32;
/** Of the platform's clock. */
const LINK_SECONDS = 7 * DAY_SECONDS;
/** Kept after it ends, for support. */
const RETENTION_SECONDS = 30 * DAY_SECONDS;

export interface LinkInput {
  platformId: number;
  orderExternalId: string;
  /** Unix seconds of the platform's clock. */
  now: number;
  /** Validated by `readReturnUrls`; null for the platform's redirect_url. */
  successUrl?: string | null;
  errorUrl?: string | null;
}

/** Creates a link; earlier links stay valid. Only the hash of `token` is stored. */
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

/** @param baseUrl The address of the service, without a trailing slash. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/checkout/${token}`;
}

/** Deletes at most `limit` links that ended 30 days ago. Returns their number. */
export function pruneEndedLinks(db: Db, realNow: number, limit: number): Promise<number> {
  return pruneLinks(db, { realNow, retentionSeconds: RETENTION_SECONDS, limit });
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
