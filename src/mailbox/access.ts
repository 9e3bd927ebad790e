/** Access to a platform's mailbox: by a token, which an API key or the operator's terminal provides. */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { findPlatformByCode, type PlatformRow } from '#modules/platforms';

export const MAILBOX_PATH = '/sandbox/mailbox';

const TOKEN_BYTES = 24;

/** Derived from the master key, so that a printed link keeps working. */
export function mailboxToken(vault: Pick<Vault, 'derive'>, { code }: Pick<PlatformRow, 'code'>): string {
  return `${code}.${vault.derive(`mailbox/${code}`, TOKEN_BYTES).toString('base64url')}`;
}

/** The link that opens the platform's mailbox. Sandboxes only. */
export function mailboxUrl(
  vault: Pick<Vault, 'derive'>,
  platform: Pick<PlatformRow, 'code'>,
  baseUrl: string,
): string {
  return `${baseUrl}${MAILBOX_PATH}?access=${mailboxToken(vault, platform)}`;
}

/** The platform whose mailbox the token opens; null for an invalid token. Compares in constant time. */
export async function platformOfToken(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  token: string,
): Promise<PlatformRow | null> {
  const code = token.slice(0, Math.max(0, token.lastIndexOf('.')));
  const expected = Buffer.from(mailboxToken(vault, { code }));
  const given = Buffer.from(token);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return (await findPlatformByCode(db, code)) ?? null;
}
