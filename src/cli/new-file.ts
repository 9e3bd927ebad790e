import { writeFile } from 'node:fs/promises';
import { StartRefused } from '#kernel/start-refused';

/** Writes a new file, readable only by its owner. Throws StartRefused if the file exists or cannot be written. */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new StartRefused(
      error.code === 'EEXIST'
        ? `${path} already exists: name a new file.`
        : `${path} cannot be written: ${error.message}.`,
    );
  });
}
