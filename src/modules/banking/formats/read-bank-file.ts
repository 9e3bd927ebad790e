/** Reads a file of a bank as a stream of records. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readXmlStream, UnreadableXml, type XmlPiece } from '#infra/files/xml-stream';
import { StartRefused } from '#kernel/start-refused';
import { type BankRecord, WrongBankFile } from './bank-document.ts';
import { camt053, camt054 } from './camt.ts';
import type { FormatReader } from './format-reader.ts';
import { pain002 } from './pain-002.ts';

/** Every XML format. Other formats need their own reader next to this one. */
const FORMATS: Record<string, FormatReader> = {
  'camt.053': camt053,
  'camt.054': camt054,
  'pain.002': pain002,
};
const CHUNK_BYTES = 65_536;

export interface BankFile {
  path: string;
  bytesMax: number;
  /** Called for every chunk with the share of the file that has been read, 0 to 1. */
  onProgress(share: number): void;
}

/** The records of a file. Throws StartRefused for a file that cannot be read. */
export async function* readBankFile(file: BankFile): AsyncGenerator<BankRecord> {
  const name = basename(file.path);
  const hash = createHash('sha256');
  const refused = (fault: string) => new StartRefused(`${name} ${fault}.`);
  try {
    let read: ((piece: XmlPiece) => Iterable<BankRecord>) | null = null;
    let format: FormatReader | null = null;
    const shape = (path: string) => {
      if (format) return format.shape(path);
      format = Object.values(FORMATS).find(({ root }) => root === path) ?? null;
      return 'other' as const;
    };
    for await (const piece of readXmlStream(hashed(file, hash), shape)) {
      // Pieces arrive once a format is known.
      read ??= (format as FormatReader | null)?.reader().read ?? null;
      if (read) yield* read(piece);
    }
    if (!format) throw refused(`has none of the formats ${Object.keys(FORMATS).join(', ')}`);
    yield { kind: 'file', hash: hash.digest() };
  } catch (error) {
    if (error instanceof UnreadableXml) throw refused(`${error.message}, line ${error.line}`);
    if (error instanceof WrongBankFile) throw refused(error.message);
    throw error;
  }
}

async function* hashed(
  { path, bytesMax, onProgress }: BankFile,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  const size = await sizeOf(path);
  if (size > bytesMax)
    throw new StartRefused(
      `${basename(path)} has ${size} bytes, more than the maximum of ${bytesMax}: split it, or raise TRADELINE_BANK_FILE_MAX_BYTES.`,
    );
  let bytesRead = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length;
    if (bytesRead > bytesMax) throw new StartRefused(`${basename(path)} grew while it was read.`);
    hash.update(chunk);
    yield chunk;
    onProgress(bytesRead / Math.max(1, size));
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StartRefused(`There is no file ${path}.`);
    if (code === 'EACCES') throw new StartRefused(`This user may not read ${path}.`);
    if (code === undefined) throw error;
    throw new StartRefused(`${path} cannot be read (${code}).`);
  }
  throw new StartRefused(`${basename(path)} is not a file.`);
}
