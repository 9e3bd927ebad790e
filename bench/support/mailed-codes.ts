/** Reads the codes that the program mails, as a buyer reads the mailbox. */
import { openDatabase } from '#infra/database/database';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { readMasterKey } from '#infra/secrets/master-key';
import { createVault } from '#infra/secrets/vault';
import { openMail } from '#modules/notifications';
import { findPlatform } from '#modules/platforms';

export interface MailedCodes extends AsyncDisposable {
  /** The first code of an order's checkout. Throws if none was mailed. */
  codeOf(orderExternalId: string): Promise<string>;
}

const PLATFORM_ID = 1;
const CONNECTIONS = 4;

export async function openMailedCodes(connection: PostgresEndpoint, dataDir: string): Promise<MailedCodes> {
  const { db, close } = openDatabase({ connection: { ...connection }, connectionsMax: CONNECTIONS });
  const masterKey = readMasterKey(dataDir);
  const platform = await findPlatform(db, PLATFORM_ID);
  if (!masterKey || !platform) throw new Error('The data folder has no key, or no platform.');
  const vault = createVault(masterKey).forPlatform(platform.code, platform.data_key_wrapped);
  return {
    async codeOf(orderExternalId) {
      const mail = await db
        .selectFrom('mails')
        .select(['mail_id', 'content_sealed'])
        .where('platform_id', '=', PLATFORM_ID)
        .where('cause', '=', `checkout/${orderExternalId}/code/1`)
        .executeTakeFirst();
      const [code] = mail ? (/^\d{6}/.exec(openMail(vault, mail).subject) ?? []) : [];
      if (code === undefined) throw new Error(`No code was mailed for ${orderExternalId}.`);
      return code;
    },
    [Symbol.asyncDispose]: () => close(),
  };
}
