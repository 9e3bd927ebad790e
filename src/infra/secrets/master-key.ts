/** The key that everything sealed depends on, where the settings do not give one: a file in the data folder. */
import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { folderRefusal, writePrivately } from '../embedded-postgres/data-folder.ts';

const KEY_BYTES = 32;

/** Null where there is none. */
export function readMasterKey(dataDir: string): Buffer | null {
  const file = fileOf(dataDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw folderRefusal(dataDir, error);
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new StartRefused(
    `The master key in ${file} is damaged; put it back from a backup, or set TRADELINE_MASTER_KEY.`,
  );
}

/** Makes the file and answers its key: another process's, where one was faster. */
export function makeMasterKey(dataDir: string): Buffer {
  const file = fileOf(dataDir);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writePrivately(dataDir, draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    giveNameUnlessTaken(draft, file);
    rmSync(draft);
  } catch (error) {
    throw folderRefusal(dataDir, error);
  }
  const key = readMasterKey(dataDir);
  if (key) return key;
  throw new Error(`${file} vanished while it was made.`);
}

// Whole or not at all, and never over one that is there: with a master key everything sealed under it is lost. Some
// file systems have no links; a kill in the middle of a copy then leaves a first start to repeat.
function giveNameUnlessTaken(draft: string, file: string): void {
  for (const give of [
    linkSync,
    (from: string, to: string) => copyFileSync(from, to, constants.COPYFILE_EXCL),
  ]) {
    try {
      give(draft, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      if (give !== linkSync) throw error;
    }
  }
}

const fileOf = (dataDir: string) => join(dataDir, 'master-key');
