/** The vault of a database, which works with a single environment and master key. */
import type { Environment } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import { type Db, SERVICE_ROLE } from '../database/database.ts';
import { findCurrentRole, findInstallation, insertInstallation } from '../database/installation.queries.ts';
import { systemClock } from '../time/clock.ts';
import { makeMasterKey, readMasterKey } from './master-key.ts';
import { createVault, type Vault } from './vault.ts';

interface VaultSettings {
  environment: Environment;
  /** The folder of the key, if no key is given. */
  dataDir: string;
  masterKey: Buffer | null;
}

/** Opens the vault. A database works with the environment and master key of its creation only. Throws StartRefused. */
export async function openVault(
  db: Db,
  { environment, dataDir, masterKey }: VaultSettings,
  mustExist: boolean,
): Promise<Vault> {
  const role = await findCurrentRole(db);
  if (role !== SERVICE_ROLE)
    throw new StartRefused(
      `The connection of DATABASE_URL drops the role ${SERVICE_ROLE} (is there a connection pooler in between?), so the service ` +
        `would act as ${role}: let it pass the startup parameter \`options\`, or log in as ${SERVICE_ROLE}.`,
    );
  const known = await findInstallation(db);
  assertEnvironment(known?.environment ?? environment, environment);
  const key = masterKey ?? readMasterKey(dataDir) ?? (known || mustExist ? null : makeMasterKey(dataDir));
  if (key === null)
    throw new StartRefused(
      `The master key of this database is not in ${dataDir}: restore its file master-key from a backup, or set TRADELINE_MASTER_KEY.`,
    );
  const vault = createVault(key);
  const check = vault.derive('master-key-check', 32);
  const installation =
    known ??
    (await insertInstallation(db, { environment, master_key_check: check, created_at: systemClock.now() }));
  assertEnvironment(installation.environment, environment);
  if (!installation.master_key_check.equals(check))
    throw new StartRefused(
      masterKey === null
        ? `This database was created with another master key than the file master-key in ${dataDir}: restore the right one, or set TRADELINE_MASTER_KEY.`
        : 'This database was created with another master key: set TRADELINE_MASTER_KEY to that key.',
    );
  return vault;
}

function assertEnvironment(stored: string, configured: string): void {
  if (stored === configured) return;
  throw new StartRefused(
    `This database is a ${stored} one: set TRADELINE_ENVIRONMENT=${stored}, or point to another database with DATABASE_URL or TRADELINE_DATA_DIR.`,
  );
}
