/** Who may read the mailbox of a platform: whoever has its token, which a good API key or the operator's terminal gives. */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { findPlatformByCode, type PlatformRow } from '#modules/platforms';

export const MAILBOX_PATH = '/sandbox/mailbox';

const TOKEN_BYTES = 24;

/** The same for as long as the master key stays: a link that was printed once goes on working. */
export function mailboxToken(vault: Pick<Vault, 'derive'>, { code }: Pick<PlatformRow, 'code'>): string {
  return `${code}.${vault.derive(`mailbox/${code}`, TOKEN_BYTES).toString('base64url')}`;
}

/** Where a browser reads the mails of the platform; of a sandbox only. */
export function mailboxUrl(
  vault: Pick<Vault, 'derive'>,
  platform: Pick<PlatformRow, 'code'>,
  baseUrl: string,
): string {
  return `${baseUrl}${MAILBOX_PATH}?access=${mailboxToken(vault, platform)}`;
}

/** Whose mailbox the token opens; null for any other text. */
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
