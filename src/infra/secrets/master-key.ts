/** The master key as a file of the data folder, for installations without TRADELINE_MASTER_KEY. */
import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { folderRefusal, writePrivately } from '../embedded-postgres/data-folder.ts';

const KEY_BYTES = 32;

/** The key from the data folder; null if there is none. Throws StartRefused if the file is damaged. */
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
    `The master key in ${file} is damaged; restore it from a backup, or set TRADELINE_MASTER_KEY.`,
  );
}

/** Creates the file and returns its key, or the key that another process has written first. */
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

// Written atomically and never over an existing file: losing a master key loses everything encrypted under it. Some file
// systems have no hard links; a kill during the copy then means repeating the first start.
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
