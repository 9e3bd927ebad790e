/** The packaged PostgreSQL: started, kept running and stopped with the program. */
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import {
  hasCluster,
  type Login,
  loginsFrom,
  makeCluster,
  type RoleKind,
  readOrMakeSecret,
} from './cluster.ts';
import { type DataFolderLock, folderRefusal, lockDataFolder } from './data-folder.ts';
import { readPostmasterFile } from './leftovers.ts';
import {
  clusterLink,
  clusterOf,
  findPostgresLocations,
  makeSocketFolder,
  passwordFileOf,
  SOCKET_PORT,
} from './locations.ts';
import { preparePostgresProgram } from './program.ts';
import { acceptsConnections, DATABASE, ensureRolesAndDatabase, isWrongPassword } from './roles.queries.ts';
import { PostgresSupervisor } from './supervisor.ts';

export interface PostgresEndpoint {
  /** The folder of the Unix socket; pg accepts it as host. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedPostgres {
  /**
   * How to connect as a role: `service` has what migrations grant, `owner` owns the database and runs migrations,
   * `superuser` is for tests and tools and connects to the database `postgres`. A restart does not change it.
   */
  endpoint(role: RoleKind): PostgresEndpoint;
  /** False if another process runs it. */
  readonly startedHere: boolean;
  /** Fast shutdown. Resolves when the process has ended. Does nothing if another process runs it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** Called with one sentence for each thing that the operator should know. */
  report: (sentence: string) => void;
  /** Settings of postgresql.conf that override the program's. */
  settings?: Record<string, string>;
  /** The folder of the binaries; by default the installed platform package. */
  nativeFolder?: string;
  /** The folder for root's PostgreSQL if its user cannot reach the data folder or the binaries. */
  systemFolder?: string;
}

/**
 * Starts the packaged PostgreSQL on the data folder, creating folder and cluster if needed, and restarts it if it ends
 * unexpectedly. Locks the data folder until `stop()`. Throws StartRefused.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const locks = [await lockDataFolder(dataDir)];
  try {
    return await startLocked(dataDir, options, locks);
  } catch (error) {
    await releaseAll(locks);
    throw folderRefusal(dataDir, error);
  }
}

/** Whether an earlier start made a database in the data folder. Throws StartRefused if the folder cannot be read. */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  const folder = resolve(dataDir);
  try {
    return lstatSync(clusterLink(folder), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw folderRefusal(folder, error);
  }
}

/** The PostgreSQL that another process runs on the data folder, for a command that runs next to the server; null if none runs. */
export async function attachToRunningPostgres(dataDir: string): Promise<EmbeddedPostgres | null> {
  const folder = resolve(dataDir);
  try {
    if (!existsSync(folder)) return null;
    const running = readPostmasterFile(clusterOf(folder));
    if (!running?.isReady) return null;
    const logins = loginsFrom(readFileSync(passwordFileOf(folder), 'utf8').trim());
    const endpoint = endpoints(running.socketFolder, logins);
    if (!(await acceptsConnections(endpoint('superuser')))) return null;
    return { endpoint, startedHere: false, stop: async () => {} };
  } catch (error) {
    throw isWrongPassword(error) ? notOpened(folder, error as Error) : folderRefusal(folder, error);
  }
}

async function startLocked(
  dataDir: string,
  options: EmbeddedPostgresOptions,
  locks: DataFolderLock[],
): Promise<EmbeddedPostgres> {
  const { report, nativeFolder, systemFolder = '/var/lib/tradeline' } = options;
  const locations = await findPostgresLocations(dataDir, systemFolder, report);
  // The data folder may be a copy that links to the same cluster, so the cluster's home has its own lock.
  if (locations.home !== realpathSync(dataDir)) locks.push(await lockDataFolder(locations.home));
  const program = await preparePostgresProgram({
    nativeFolder,
    user: locations.user,
    copyHome: locations.user ? systemFolder : dataDir,
    report,
  });
  const isFirstStart = !hasCluster(locations, program.major);
  const logins = loginsFrom(readOrMakeSecret(dataDir, locations, !isFirstStart));
  if (isFirstStart) {
    report(`Creating the database in ${locations.cluster}.`);
    await makeCluster(locations, program, logins.superuser);
  }
  const socketFolder = makeSocketFolder(locations);
  const supervisor = await PostgresSupervisor.start({
    locations,
    program,
    socketFolder,
    settings: options.settings ?? {},
    isFolderLocked: () => locks.every((lock) => lock.isStillLocked()),
    report,
  });
  const endpoint = endpoints(socketFolder, logins);
  const stop = async () => {
    await supervisor.stop();
    rmSync(socketFolder, { recursive: true, force: true });
    await releaseAll(locks);
  };
  try {
    await ensureRolesAndDatabase(endpoint('superuser'), logins);
  } catch (error) {
    await stop();
    throw notOpened(dataDir, error as Error);
  }
  let stopped: Promise<void> | undefined;
  return {
    endpoint,
    startedHere: true,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function endpoints(
  socketFolder: string,
  logins: Record<RoleKind, Login>,
): (role: RoleKind) => PostgresEndpoint {
  return (role) => ({
    host: socketFolder,
    port: SOCKET_PORT,
    ...logins[role],
    database: role === 'superuser' ? 'postgres' : DATABASE,
  });
}

async function releaseAll(locks: DataFolderLock[]): Promise<void> {
  for (const lock of locks.splice(0)) await lock.release();
}

function notOpened(dataDir: string, error: Error): StartRefused {
  const reason = isWrongPassword(error)
    ? `does not accept the password in ${passwordFileOf(dataDir)}; restore both from the same backup`
    : `cannot be prepared (${error.message}); fix this`;
  return new StartRefused(
    `The database in ${clusterOf(dataDir)} ${reason}, or set TRADELINE_DATA_DIR to another folder.`,
    { cause: error },
  );
}
