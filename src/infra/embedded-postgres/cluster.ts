/** Creates the cluster, or checks an existing one against the binaries. */
import { createHmac, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { writePrivately } from './data-folder.ts';
import { spawnGuarded } from './guarded-process.ts';
import { makeOwnFolder, type PostgresLocations } from './locations.ts';
import { firstFailure, openLog } from './log-file.ts';
import type { PostgresProgram } from './program.ts';

const UNFINISHED = 'postgres-unfinished-';
const ROLE_NAMES = { service: 'tradeline_service', owner: 'tradeline_owner', superuser: 'postgres' } as const;

export type RoleKind = keyof typeof ROLE_NAMES;

export interface Login {
  user: string;
  password: string;
}

/** Name and password of each role. The passwords derive from one secret, so that one file is kept. */
export function loginsFrom(secret: string): Record<RoleKind, Login> {
  const login = (user: string): Login => ({
    user,
    password: createHmac('sha256', secret).update(`postgres role ${user}`).digest('base64url'),
  });
  return {
    service: login(ROLE_NAMES.service),
    owner: login(ROLE_NAMES.owner),
    superuser: login(ROLE_NAMES.superuser),
  };
}

/** Reads the secret behind the passwords, or creates it at the first start. A new secret could not open an existing database. */
export function readOrMakeSecret(
  dataDir: string,
  { passwordFile, cluster }: PostgresLocations,
  hasCluster: boolean,
): string {
  try {
    const secret = readFileSync(passwordFile, 'utf8').trim();
    if (secret) return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (hasCluster) {
    throw new StartRefused(
      `${passwordFile}, the password of the database in ${cluster}, is missing or empty; restore it from the same backup, ` +
        'or set TRADELINE_DATA_DIR to another folder.',
    );
  }
  const unfinished = `${passwordFile}.unfinished`;
  const secret = randomBytes(32).toString('base64url');
  writePrivately(dataDir, unfinished, `${secret}\n`);
  renameSync(unfinished, passwordFile);
  return secret;
}

/**
 * Creates the cluster in a temporary folder and renames it at the end, so that a kill leaves a complete cluster or none.
 * Removes what an earlier kill left behind. Needs the lock of the data folder.
 */
export async function makeCluster(
  locations: PostgresLocations,
  program: PostgresProgram,
  superuser: Login,
): Promise<void> {
  const unfinished = join(locations.home, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  makeOwnFolder(unfinished, locations.user);
  await runInitdb(locations, program, unfinished, superuser.password);
  renameSync(join(unfinished, 'cluster'), locations.cluster);
  syncFolder(locations.home);
  // The new cluster, and leftovers of killed starts that could not be removed before.
  removeUnfinished(locations.home);
}

/** Whether the cluster exists; fixes its permissions. Throws StartRefused for another major version or another folder's content. */
export function hasCluster({ home, cluster }: PostgresLocations, major: number): boolean {
  removeUnfinished(home);
  if (!isCluster(cluster, major)) return false;
  // PostgreSQL refuses a group-writable folder, which a volume may be (fsGroup of Kubernetes).
  if (statSync(cluster).mode & 0o027) chmodSync(cluster, 0o700);
  return true;
}

async function runInitdb(
  locations: PostgresLocations,
  program: PostgresProgram,
  folder: string,
  password: string,
) {
  const passwordFile = join(folder, 'superuser-password');
  writePrivately(folder, passwordFile, `${password}\n`);
  const log = openLog(locations);
  const initdb = spawnGuarded({
    command: [
      program.initdb,
      `--pgdata=${join(folder, 'cluster')}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorts by code point, with Unicode character classes, the same on every machine and after every upgrade.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
    ],
    user: locations.user,
    logDescriptor: log.descriptor,
  });
  closeSync(log.descriptor);
  const end = await initdb.end;
  if (end.isSuccess) return;
  removeLeftover(folder);
  const reason = firstFailure(locations.logFile, log.startByte) || end.description;
  throw new StartRefused(
    `PostgreSQL could not create its data in ${locations.cluster} (${reason}); ` +
      'set TRADELINE_DATA_DIR to a folder with room on a local disk, or DATABASE_URL to a PostgreSQL server of your own.',
  );
}

function isCluster(cluster: string, major: number): boolean {
  let made: string;
  try {
    // An empty folder, as a new volume has, counts as no cluster: the rename replaces it.
    if (readdirSync(cluster).length === 0) return false;
    made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if ((error as { path?: string }).path === cluster && (error as NodeJS.ErrnoException).code === 'ENOENT')
      return false;
    throw new StartRefused(
      `${cluster} has no readable PostgreSQL data (${(error as Error).message}); ` +
        'move it away, or set TRADELINE_DATA_DIR to another folder.',
    );
  }
  if (Number(made) === major) return true;
  throw new StartRefused(
    `The database in ${cluster} was created by PostgreSQL ${made}, but this version of Tradeline brings PostgreSQL ${major}; ` +
      'dump it with the version of Tradeline that created it, and load the dump into a new folder, set as TRADELINE_DATA_DIR.',
  );
}

function removeUnfinished(home: string): void {
  for (const name of readdirSync(home)) if (name.startsWith(UNFINISHED)) removeLeftover(join(home, name));
}

/** Removes leftovers. What cannot be removed now (a killed start's initdb may still write to it) goes at the next start. */
function removeLeftover(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {}
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
