import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { namesOf, type RowOf, table } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import { pastRows } from '#infra/time/past-rows.queries';

export const linksTable = table('checkout_links', {
  platform_id: 'int',
  order_external_id: 'text',
  token_sha256: 'bytea',
  created_at: 'bigint',
  expires_at: 'bigint',
  revoked_at: 'bigint',
  success_url: 'text',
  error_url: 'text',
  token_sealed: 'bytea',
});

export type LinkRow = RowOf<typeof linksTable>;
export type NewLink = Omit<LinkRow, 'revoked_at'>;

const CREATED = [
  'platform_id',
  'order_external_id',
  'token_sha256',
  'created_at',
  'expires_at',
  'success_url',
  'error_url',
  'token_sealed',
] as const;
const CREATED_NAMES = namesOf(CREATED);
const unnestLinks = unnestRows<NewLink>('t', linksTable.list(...CREATED));

/** Inserts the links, and returns them. */
export async function insertLinks(db: Db, links: NewLink[]): Promise<NewLink[]> {
  await sql`
    insert into checkout_links (${CREATED_NAMES})
    select * from ${unnestLinks(links)}`.execute(db);
  return links;
}

export const insertLink = gathered(insertLinks, { groupOf: ({ platform_id }) => platform_id });

/** The order, and where the buyer returns. */
type LinkPurpose = Pick<LinkRow, 'platform_id' | 'order_external_id' | 'success_url' | 'error_url'>;

/** The link of this purpose whose token is sealed, if it is valid for longer than `after`. There is at most one. */
export async function findSealedLink(
  db: Db,
  { platform_id, order_external_id, success_url, error_url }: LinkPurpose,
  after: number,
): Promise<{ token_sealed: Buffer; expires_at: number } | undefined> {
  return db
    .selectFrom('checkout_links')
    .select(['token_sealed', 'expires_at'])
    .where('platform_id', '=', platform_id)
    .where('order_external_id', '=', order_external_id)
    .where('success_url', 'is not distinct from', success_url)
    .where('error_url', 'is not distinct from', error_url)
    .where('token_sealed', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', after)
    .$narrowType<{ token_sealed: Buffer }>()
    .executeTakeFirst();
}

/** Forgets the sealed token of this purpose. The link stays valid. */
export async function forgetSealedToken(
  db: Db,
  { platform_id, order_external_id, success_url, error_url }: LinkPurpose,
): Promise<void> {
  await db
    .updateTable('checkout_links')
    .set({ token_sealed: null })
    .where('platform_id', '=', platform_id)
    .where('order_external_id', '=', order_external_id)
    .where('success_url', 'is not distinct from', success_url)
    .where('error_url', 'is not distinct from', error_url)
    .where('token_sealed', 'is not', null)
    .execute();
}

/** Revokes every link of the order that is valid at `now`. Returns their number. */
export async function revokeLinks(
  db: Db,
  { platformId, orderExternalId }: { platformId: number; orderExternalId: string },
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('checkout_links')
    .set({ revoked_at: now })
    .where('platform_id', '=', platformId)
    .where('order_external_id', '=', orderExternalId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The key by which a link is found, with its platform. */
export interface LinkKey {
  platformId: number;
  tokenSha256: Buffer;
}

/** Searches all platforms; null for an unknown token. */
export async function findPlatformOfLink(db: Db, tokenSha256: Buffer): Promise<number | null> {
  const link = await db
    .selectFrom('checkout_links')
    .select('platform_id')
    .where('token_sha256', '=', tokenSha256)
    .executeTakeFirst();
  return link?.platform_id ?? null;
}

/** Deletes links of all platforms that ended `retentionSeconds` ago by the platform's clock, at most `limit`. */
export async function pruneLinks(
  db: Db,
  { realNow, retentionSeconds, limit }: { realNow: number; retentionSeconds: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from checkout_links where (platform_id, order_external_id, token_sha256) in (
      ${pastRows(ENDED, realNow - retentionSeconds, limit)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const ENDED = {
  table: 'checkout_links',
  key: ['platform_id', 'order_external_id', 'token_sha256'],
  at: sql<number>`least(t.revoked_at, t.expires_at)`,
} as const;
