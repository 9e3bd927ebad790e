/** Where the files of the embedded PostgreSQL are, and which user owns them. */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { hasName, isRoot, ownUnprivilegedUser, type SystemUser, succeeds, userName } from './system-user.ts';

export interface PostgresLocations {
  /** The real path of the cluster: PostgreSQL's own data folder. */
  cluster: string;
  /** The folder of the cluster: the data folder, or one under `systemFolder` if root's PostgreSQL cannot reach it. */
  home: string;
  logFile: string;
  passwordFile: string;
  /** The user PostgreSQL runs as, if it is not the current one. */
  user: SystemUser | undefined;
}

export const SOCKET_PORT = 5432;
// sun_path has 104 bytes on macOS and 108 on Linux, with the final zero.
const SOCKET_PATH_MAX_BYTES = 100;

/** Finds the existing cluster or chooses the folder of a new one, and under root the user. Throws StartRefused. */
export async function findPostgresLocations(
  dataDir: string,
  systemFolder: string,
  report: (sentence: string) => void,
): Promise<PostgresLocations> {
  const link = clusterLink(dataDir);
  const owner = statSync(link, { throwIfNoEntry: false });
  const files = { logFile: join(dataDir, 'postgres.log'), passwordFile: passwordFileOf(dataDir) };
  if (!isRoot()) {
    if (owner && owner.uid !== process.getuid?.()) throw new StartRefused(madeByOther(link, owner.uid));
    const cluster = clusterOf(dataDir);
    return { ...files, cluster, home: dirname(cluster), user: undefined };
  }

  const user = await userForCluster(link, dataDir);
  if (!(await succeeds('/bin/sh', ['-c', ':'], user))) throw new StartRefused(mayNotBecome(user));
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink();
  const isReachable =
    (await canPass(dataDir, user)) || (!owner && !isLink && (await letPass(dataDir, user, report)));
  if (!isReachable && owner && !isLink) throw new StartRefused(outOfReach(link, user));
  if (!isReachable && !isLink) linkElsewhere(link, systemFolder);
  const cluster = clusterOf(dataDir);
  const home = dirname(cluster);
  if (!existsSync(home)) throw new StartRefused(isGone(dataDir, cluster));
  if (home !== realpathSync(dataDir)) {
    report(`PostgreSQL keeps its data in ${cluster}, because user ${user.name} cannot reach ${dataDir}.`);
  }
  return { ...files, cluster, home, user };
}

/** The real path of a data folder's cluster: its `postgres` is a link if root's data is elsewhere. */
export function clusterOf(dataDir: string): string {
  const link = clusterLink(dataDir);
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink())
    return resolve(dataDir, readlinkSync(link));
  return join(realpathSync(dataDir), 'postgres');
}

export function passwordFileOf(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

/** Makes the folder of the Unix socket, for the user alone: next to the cluster, or in the temporary folder if the path is too long. */
export function makeSocketFolder(locations: PostgresLocations): string {
  const hash = createHash('sha256').update(locations.home).digest('hex').slice(0, 12);
  const candidates = [
    join(locations.home, 'postgres-run'),
    ...[tmpdir(), '/tmp'].map((folder) => join(folder, `tradeline-${hash}`)),
  ];
  const folder = candidates.find(
    (path) => Buffer.byteLength(join(path, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_MAX_BYTES,
  ) as string;
  makeOwnFolder(folder, locations.user);
  return folder;
}

/** Makes a folder that only `user` may enter. An existing one must belong to that user: in /tmp anyone can make one. */
export function makeOwnFolder(folder: string, user: SystemUser | undefined): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const made = lstatSync(folder);
  // A kill may have come between creating the folder and changing its owner.
  const isOurs = made.uid === process.getuid?.() || made.uid === user?.uid;
  if (!made.isDirectory() || !isOurs) {
    throw new StartRefused(
      `${folder} already exists and belongs to user ${userName(made.uid)}; ` +
        'remove it, or set TRADELINE_DATA_DIR to a folder with a shorter path.',
    );
  }
  // A volume may grant its group rights on everything in it (fsGroup of Kubernetes).
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
}

/** The cluster in a data folder, or a link to it. */
export const clusterLink = (dataDir: string) => join(dataDir, 'postgres');

/**
 * The user for PostgreSQL under root: the owner of the cluster; for a new one the owner of the data folder, so that one
 * start with sudo does not lock out the ordinary user; otherwise a user of our own.
 */
async function userForCluster(link: string, dataDir: string): Promise<SystemUser> {
  for (const path of [link, dataDir]) {
    const owner = statSync(path, { throwIfNoEntry: false });
    if (!owner || owner.uid === 0) continue;
    if (path === link || (await hasName(owner.uid)))
      return { uid: owner.uid, gid: owner.gid, name: userName(owner.uid) };
  }
  return ownUnprivilegedUser();
}

const canPass = (folder: string, user: SystemUser) =>
  succeeds('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user);

/**
 * Gives PostgreSQL's user search permission on a data folder that only root may enter, such as one of `mktemp -d`. Only
 * if every file in it is private on its own.
 */
async function letPass(
  dataDir: string,
  user: SystemUser,
  report: (sentence: string) => void,
): Promise<boolean> {
  const { uid, mode } = statSync(dataDir);
  const isPrivate = readdirSync(dataDir).every((name) => (lstatSync(join(dataDir, name)).mode & 0o007) === 0);
  if (uid !== 0 || !isPrivate) return false;
  chmodSync(dataDir, (mode & 0o777) | 0o001);
  const isReachable = await canPass(dataDir, user);
  if (isReachable) report(`Every user can now traverse ${dataDir}, where ${user.name} runs PostgreSQL.`);
  else chmodSync(dataDir, mode & 0o777);
  return isReachable;
}

// The link is in the data folder, so removing that folder starts afresh and moving it keeps the data. The target is
// created first: a link without a target means lost data, not an interrupted start.
function linkElsewhere(link: string, systemFolder: string): void {
  mkdirSync(systemFolder, { recursive: true, mode: 0o755 });
  const home = join(realpathSync(systemFolder), randomBytes(6).toString('hex'));
  mkdirSync(home);
  chmodSync(home, 0o711);
  symlinkSync(join(home, 'postgres'), link);
}

function mayNotBecome(user: SystemUser): string {
  return (
    `PostgreSQL does not run as root, and this process may not start it as user ${user.name}; ` +
    'start Tradeline as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.'
  );
}

function isGone(dataDir: string, cluster: string): string {
  return (
    `The database of ${dataDir} was in ${cluster}, which is gone (was the container recreated?); restore it from a backup, ` +
    `remove ${clusterLink(dataDir)} to start with an empty one, or set TRADELINE_DATA_DIR to another folder.`
  );
}

function madeByOther(cluster: string, uid: number): string {
  return (
    `The database in ${cluster} belongs to user ${userName(uid)}, because it was created when Tradeline ran as root; ` +
    'start Tradeline as root again, or set TRADELINE_DATA_DIR to another folder.'
  );
}

function outOfReach(cluster: string, user: SystemUser): string {
  return (
    `The database in ${cluster} cannot be reached by its user ${user.name}; let that user traverse every folder ` +
    'above it, or set TRADELINE_DATA_DIR to another folder.'
  );
}
