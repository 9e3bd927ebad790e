/** Reads a registry file as bytes: a plain CSV, or the CSV inside a ZIP. Throws StartRefused if it cannot be read. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import { openZip } from './zip-file.ts';

export interface RegistryFile {
  name: string;
  /** Identifies the file by name, size and content at both ends, so that an import can resume. */
  key: string;
  /** Bytes of all chunks together. */
  byteCount: number;
  /** The unpacked content; can be read once. Throws StartRefused if the file is damaged. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** The SHA-256 of the file as it is stored, in hexadecimal: what `sha256sum` prints. Throws StartRefused. */
export async function hashOfFile(path: string): Promise<string> {
  const handle = await openForReading(path, basename(path));
  const hash = createHash('sha256');
  // Closes the handle at its end.
  for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES })) hash.update(chunk);
  return hash.digest('hex');
}

const CHUNK_BYTES = 262_144;
/** The last bytes of a ZIP contain the checksums of all its entries. */
const HASHED_AT_EACH_END_BYTES = 1_048_576;

export async function openRegistryFile(path: string): Promise<RegistryFile> {
  const name = basename(path);
  const handle = await openForReading(path, name);
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, 0, HASHED_AT_EACH_END_BYTES);
    if (head.length === 0) throw new StartRefused(`${name} is empty.`);
    const tail = await readAt(handle, Math.max(0, size - HASHED_AT_EACH_END_BYTES), HASHED_AT_EACH_END_BYTES);
    const hash = createHash('sha256').update(head).update(tail).digest('base64url').slice(0, 22);
    const key = `${name} ${size} ${hash}`;
    if (isZip(head)) return { name, key, ...(await openZip(path, name)) };
    assertText(head, name);
    return {
      name,
      key,
      byteCount: size,
      chunks: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      close: async () => {},
    };
  } finally {
    await handle.close();
  }
}

async function openForReading(path: string, name: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StartRefused(`There is no file ${path}.`);
    if (code === 'EACCES') throw new StartRefused(`This user may not read ${path}.`);
    if (code === undefined) throw error;
    if (code !== 'EISDIR') throw new StartRefused(`${path} cannot be read (${code}).`);
  }
  // A pipe can be read only once, but a resumed import reads from the beginning again.
  throw new StartRefused(`${name} is not a file.`);
}

async function readAt(handle: FileHandle, position: number, byteCount: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(byteCount), 0, byteCount, position);
  return buffer.subarray(0, bytesRead);
}

/** The signatures of a ZIP's first entry, and of an empty ZIP. */
function isZip(head: Buffer): boolean {
  return head.length >= 4 && [0x04034b50, 0x06054b50].includes(head.readUInt32LE(0));
}

function assertText(head: Buffer, name: string): void {
  if (/\.zip$/i.test(name)) throw new StartRefused(`${name} is not a ZIP file, despite its name.`);
  if (head[0] === 0x1f && head[1] === 0x8b)
    throw new StartRefused(`${name} is compressed with gzip: unpack it first.`);
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) throw new StartRefused(`${name} is encoded in UTF-16: save it as UTF-8.`);
}
