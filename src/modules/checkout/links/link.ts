/** Links to the checkout of an order. Anybody with a link may use it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';
import {
  findPlatformOfLink,
  findSealedLink,
  forgetSealedToken,
  insertLink,
  type LinkKey,
  pruneLinks,
} from './link.queries.ts';

/** A token begins with its platform, so that the lookup searches only that platform's rows. */
const PLATFORM_BYTES = 4;
const SECRET_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{48}$/;
const PLATFORM_ID_MAX = 2 ** 31 - 1;
/** By the platform's clock. */
const LINK_SECONDS = 7 * DAY_SECONDS;
/** A link that ends sooner is not returned again: the buyer should have a day to use it. */
const GIVEN_AGAIN_SECONDS = DAY_SECONDS;
/** How long links are kept after they end, for support. */
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

export interface CreatedLink {
  token: string;
  /** Unix seconds of the platform's clock. */
  expiresAt: number;
}

/** Creates a link; earlier links stay valid. Only the hash of `token` is stored. */
export async function createLink(db: Db, request: LinkInput): Promise<CreatedLink> {
  return insertNewLink(db, request, () => null);
}

/** Creates a link that `findLink` returns later, in place of an earlier one: its token is also stored sealed. */
export async function createLinkToGiveAgain(
  db: Db,
  request: LinkInput,
  vault: PlatformVault,
): Promise<CreatedLink> {
  await forgetSealedToken(db, rowOf(request));
  return insertNewLink(db, request, (token) => vault.seal(boundTo(request), token));
}

async function insertNewLink(
  db: Db,
  request: LinkInput,
  sealed: (token: string) => Buffer | null,
): Promise<CreatedLink> {
  const token = newToken(request.platformId);
  const link = rowOf(request);
  const tokenSha256 = hashOf(token);
  await insertLink(db, { ...link, token_sha256: tokenSha256, token_sealed: sealed(token) });
  return { token, expiresAt: link.expires_at };
}

/** The link to return again: with these return URLs, and valid for more than a day; null if there is none. */
export async function findLink(
  db: Db,
  request: LinkInput,
  vault: PlatformVault,
): Promise<CreatedLink | null> {
  const found = await findSealedLink(db, rowOf(request), request.now + GIVEN_AGAIN_SECONDS);
  return found
    ? { token: vault.open(boundTo(request), found.token_sealed), expiresAt: found.expires_at }
    : null;
}

const rowOf = ({ platformId, orderExternalId, now, successUrl, errorUrl }: LinkInput) => ({
  platform_id: platformId,
  order_external_id: orderExternalId,
  created_at: now,
  expires_at: now + LINK_SECONDS,
  success_url: successUrl ?? null,
  error_url: errorUrl ?? null,
});

const boundTo = ({ orderExternalId }: LinkInput) => `checkout_links/${orderExternalId}`;

/** @param baseUrl The address of the service, without a trailing slash. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/checkout/${token}`;
}

/** Deletes at most `limit` links that ended 30 days ago. Returns their number. */
export function pruneEndedLinks(db: Db, realNow: number, limit: number): Promise<number> {
  return pruneLinks(db, { realNow, retentionSeconds: RETENTION_SECONDS, limit });
}

function newToken(platformId: number): string {
  const platform = Buffer.alloc(PLATFORM_BYTES);
  platform.writeUInt32BE(platformId);
  return Buffer.concat([platform, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/**
 * The key by which a link is looked up; null for a token of no link. Tokens created before they contained their platform are searched
 * on every platform.
 */
export async function linkKeyOf(db: Db, token: string): Promise<LinkKey | null> {
  const tokenSha256 = hashOf(token);
  const platformId = TOKEN.test(token)
    ? Buffer.from(token, 'base64url').readUInt32BE()
    : await findPlatformOfLink(db, tokenSha256);
  return platformId === null || platformId > PLATFORM_ID_MAX ? null : { platformId, tokenSha256 };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
