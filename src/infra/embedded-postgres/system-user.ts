/** Users of the machine. Needed because PostgreSQL refuses to run as root. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { StartRefused } from '#kernel/start-refused';

export interface SystemUser {
  uid: number;
  gid: number;
  name: string;
}

const OWN_USER = 'tradeline';

/** The environment of started programs: no settings of ours, and English messages, whose level can be parsed. */
export const BARE_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The name of a user, or the uid if it has no name (a container with an arbitrary uid). */
export function userName(uid: number): string {
  return listedUsers().find((user) => user.uid === uid)?.name ?? String(uid);
}

/**
 * The user PostgreSQL runs as under root: `tradeline`, created if missing, or `nobody` if it cannot be created (a
 * read-only container). Throws StartRefused.
 */
export async function ownUnprivilegedUser(): Promise<SystemUser> {
  const existing = listedUser(OWN_USER);
  if (existing) return existing;
  const home = '/nonexistent';
  // Debian and Red Hat have the first command, Alpine's busybox the second. Of two concurrent starts one fails; both find the user.
  await succeeds('useradd', [
    '--system',
    '--no-create-home',
    '--home-dir',
    home,
    '--shell',
    '/usr/sbin/nologin',
    OWN_USER,
  ]);
  if (!listedUser(OWN_USER))
    await succeeds('adduser', ['-S', '-D', '-H', '-h', home, '-s', '/sbin/nologin', OWN_USER]);
  const user = listedUser(OWN_USER) ?? listedUser('nobody');
  if (user) return user;
  throw new StartRefused(
    'PostgreSQL does not run as root and this machine has no other user for it; ' +
      'start Tradeline as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

/** Whether the uid has a name on this machine: initdb refuses to run without one. */
export async function hasName(uid: number): Promise<boolean> {
  return listedUsers().some((user) => user.uid === uid) || succeeds('id', ['-un', String(uid)]);
}

/** Runs a program, as `user` if given. Resolves to whether it exited with 0. */
export async function succeeds(program: string, args: string[], user?: SystemUser): Promise<boolean> {
  try {
    await promisify(execFile)(program, args, { ...asUser(user), env: BARE_ENVIRONMENT });
    return true;
  } catch {
    return false;
  }
}

/** Options that spawn a child as the user, in a working directory that every user can enter. */
export function asUser(user: SystemUser | undefined): { uid?: number; gid?: number; cwd: string } {
  return user ? { uid: user.uid, gid: user.gid, cwd: '/' } : { cwd: '/' };
}

function listedUser(name: string): SystemUser | undefined {
  // Neither root under another name, nor nobody of macOS (-2), which owns no files.
  return listedUsers().find((user) => user.name === name && user.uid > 0);
}

function listedUsers(): SystemUser[] {
  let text = '';
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // A minimal container may have no such file.
  }
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name, , uid]) => name && !name.startsWith('#') && uid)
    .map(([name, , uid, gid]) => ({ name: name as string, uid: Number(uid), gid: Number(gid) }));
}
