import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartRefused } from '#kernel/start-refused';
import { isRoot, userName } from './system-user.ts';

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;

export interface DataFolderLock {
  /** False if the folder was removed or replaced while the process runs. */
  isStillLocked(): boolean;
  release(): Promise<void>;
}

// A garbage-collected database closes and drops the lock, so open ones stay referenced here.
const openLocks = new Set<DatabaseSync>();

/**
 * Locks the data folder for this process, creating it if needed. Throws StartRefused if it is locked already, by this
 * process or another.
 *
 * The lock is the kernel's file lock, taken through SQLite because Node has no call for it. It ends with the process, so
 * it is never stale. It also works between containers that share a volume, where pids and abstract sockets do not: it
 * keeps a rolling update from running two PostgreSQL servers on one cluster. Do not open the lock file in any other way:
 * closing any of its descriptors drops the lock.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  const folder = resolve(dataDir);
  try {
    makeDataFolder(folder);
  } catch (error) {
    throw folderRefusal(folder, error);
  }
  const lockFile = join(folder, 'tradeline.lock');
  const pidFile = join(folder, 'tradeline.pid');
  const database = takeLock(folder, lockFile, pidFile);
  const { dev, ino } = statSync(lockFile);
  try {
    chmodSync(lockFile, 0o600);
    giveToOwnerOf(folder, lockFile);
    writePrivately(folder, pidFile, `${process.pid}\n`);
  } catch (error) {
    database.close();
    throw folderRefusal(folder, error);
  }
  openLocks.add(database);

  return {
    isStillLocked() {
      const now = statSync(lockFile, { throwIfNoEntry: false });
      return openLocks.has(database) && now?.dev === dev && now.ino === ino;
    },
    async release() {
      if (!openLocks.delete(database)) return;
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

/** Writes a file with mode 0600. Under root it gets the folder's owner, who may run the next start. */
export function writePrivately(folder: string, file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600, flush: true });
  giveToOwnerOf(folder, file);
}

/** Under root, gives a file to the folder's owner, so that a later start as that user can write it. */
export function giveToOwnerOf(folder: string, file: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) chownSync(file, uid, gid);
}

/** A StartRefused for a file system error of the data folder; any other error unchanged. */
export function folderRefusal(folder: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  return new StartRefused(
    `The data folder ${folder} ${whatIsWrong(folder, code, message)}; ` +
      'fix this, or set TRADELINE_DATA_DIR to a folder that this user can write, with room on its disk.',
    { cause: error },
  );
}

function makeDataFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(dirname(folder), { recursive: true });
    // Under root, PostgreSQL runs as another user, who needs search permission to reach its folder in here.
    const mode = isRoot() ? 0o711 : 0o700;
    mkdirSync(folder, { mode });
    chmodSync(folder, mode);
  }
  if (!statSync(folder).isDirectory()) throw fileSystemError('ENOTDIR', 'not a folder');
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function takeLock(folder: string, lockFile: string, pidFile: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(lockFile, { timeout: 0 });
    // The file stays empty; with the journal in memory, a kill -9 leaves no other file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    if (database?.isOpen) database.close();
    const primaryCode = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (primaryCode === SQLITE_BUSY) throw new StartRefused(inUse(folder, pidFile));
    const code = primaryCode === SQLITE_IOERR ? 'ENOLCK' : 'EACCES';
    throw folderRefusal(folder, fileSystemError(code, (error as Error).message));
  }
}

function fileSystemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code, syscall: 'open' });
}

function inUse(folder: string, pidFile: string): string {
  let holder = 'another Tradeline';
  try {
    holder += ` (pid ${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)})`;
  } catch {
    // The pid only helps the operator; the lock has decided.
  }
  return `The data folder ${folder} is in use by ${holder}; stop it, or set TRADELINE_DATA_DIR to another folder.`;
}

function whatIsWrong(folder: string, code: string, message: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `cannot be read and written by user ${userName(process.getuid?.() ?? 0)}${belongsTo(folder)}`;
    case 'ENOTDIR':
    case 'EEXIST':
      return 'is not a folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'has no space left';
    case 'EROFS':
      return 'is on a read-only file system';
    case 'ENOLCK':
      return `is on a file system without working file locks (${message})`;
    default:
      return `cannot be used (${message})`;
  }
}

function belongsTo(folder: string): string {
  try {
    const owner = statSync(folder).uid;
    return owner === process.getuid?.() ? '' : ` because it belongs to user ${userName(owner)}`;
  } catch {
    return '';
  }
}
