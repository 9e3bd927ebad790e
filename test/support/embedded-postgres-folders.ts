/** Folders for tests of the embedded PostgreSQL: a temporary one for each file, with a ready cluster to copy. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { FAST, killStarted, untilNothingRunsBelow } from './embedded-postgres-processes.ts';

/** Creates the folder of a test file and, at its end, checks that no process runs in it. */
export function useTestFolder(): { folder: string; made: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-test-'));
  // PostgreSQL's user passes through it when the tests run as root.
  chmodSync(folder, 0o755);
  const made = join(folder, 'made');
  beforeAll(async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: made, report: () => {}, settings: FAST });
    await postgres.stop();
  });
  afterEach(killStarted);
  afterAll(async () => {
    await untilNothingRunsBelow(folder);
    rmSync(folder, { recursive: true });
  });
  return { folder, made };
}

/** Copies a data folder with its owners, next to it, because creating a cluster takes most of the time of a first start. */
export function copyOf(dataDir: string, name: string): string {
  const copy = join(dirname(dataDir), name);
  mkdirSync(dirname(copy), { recursive: true });
  execFileSync('cp', ['-a', dataDir, copy]);
  return copy;
}

/** A copy of the installed platform package; returns the folder of its binaries. */
export function copyOfNative(copy: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  try {
    execFileSync('cp', ['-al', installed, copy], { stdio: 'ignore' });
  } catch {
    // Hard links are quick, but not across file systems, and not every cp makes them.
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  }
  return join(copy, 'native');
}

export const modeOf = (path: string) => statSync(path).mode & 0o777;

export const namesOf = (path: string) => (existsSync(path) ? readdirSync(path).sort() : []);
