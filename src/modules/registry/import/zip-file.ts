/** Unpacks the CSV in a ZIP while it is read: the golden copy has 5 GB unpacked. */
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { StartRefused } from '#kernel/start-refused';

export interface PackedFile {
  /** The unpacked size. */
  byteCount: number;
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** `name` is the file's name in refusals. */
export async function openZip(path: string, name: string): Promise<PackedFile> {
  const zip = await openPromise(path, { autoClose: false }).catch((error: Error) => {
    throw new StartRefused(`${name} is not a complete ZIP file (${error.message}): download it again.`);
  });
  try {
    const entry = onlyCsv(await readEntries(zip, name), name);
    return {
      byteCount: entry.uncompressedSize,
      chunks: () => unpack(zip, entry, name),
      close: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readEntries(zip: ZipFile, name: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw damaged(name, error);
  }
  return entries;
}

function onlyCsv(entries: Entry[], name: string): Entry {
  // macOS adds a folder with a shadow of each file.
  const found = entries.filter(({ fileName }) => /^(?!__MACOSX\/)(?:.*\/)?[^./][^/]*\.csv$/i.test(fileName));
  const [entry, other] = found;
  if (entry === undefined) throw new StartRefused(`${name} contains no CSV file.`);
  if (other !== undefined) {
    const names = found.slice(0, 5).map(({ fileName }) => fileName);
    throw new StartRefused(
      `${name} has ${found.length} CSV files in it (${names.join(', ')}${found.length > 5 ? ', …' : ''}): unpack it and import them one by one.`,
    );
  }
  if (entry.isEncrypted()) throw new StartRefused(`${name} is encrypted: unpack it first.`);
  if (!entry.canDecodeFileData())
    throw new StartRefused(`${name} is compressed with an unsupported method: unpack it first.`);
  return entry;
}

async function* unpack(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  let checksum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw damaged(name, error);
  }
  if (checksum !== entry.crc32) throw damaged(name, new Error('its checksum does not match'));
}

function damaged(name: string, error: unknown): StartRefused {
  return new StartRefused(`${name} is damaged (${(error as Error).message}): download it again.`);
}
