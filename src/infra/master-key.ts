/** The key that everything sealed depends on: from the settings, or made once and kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { writePrivately } from './data-folder.ts';

const KEY_BYTES = 32;

export function readOrMakeMasterKey(dataDir: string): Buffer {
  const file = join(dataDir, 'master-key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writePrivately(dataDir, file, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new StartRefused(
    `The master key in ${file} is damaged; put it back from a backup, or set TRADELINE_MASTER_KEY.`,
  );
}
