/** Registry files for tests: written to a separate folder, packed into a ZIP, and read record by record. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { RegistryEntry } from '#modules/registry';
import { CsvReader } from '../../src/modules/registry/import/csv-reader.ts';
import type { FileFormat, FormatName } from '../../src/modules/registry/import/known-formats.ts';
import type { RefusedRecord } from '../../src/modules/registry/import/refused-report.ts';
import { openRegistryFile } from '../../src/modules/registry/import/registry-file.ts';
import { readFormat, readRecord } from '../../src/modules/registry/import/registry-record.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'registries');

/** The path of a hand-written file. */
export const fixture = (name: string) => join(FIXTURES, name);

export interface FilesFolder {
  path(name: string): string;
  write(name: string, content: string | Buffer): string;
  remove(): void;
}

export function filesFolder(): FilesFolder {
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-registers-'));
  const path = (name: string) => join(folder, name);
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface ReadFile {
  format: FileFormat;
  entries: RegistryEntry[];
  refused: RefusedRecord[];
}

/** Reads a file as an import does, without a database. */
export async function readRegistryFile(path: string, wanted: FormatName | null = null): Promise<ReadFile> {
  const file = await openRegistryFile(path);
  try {
    const format = await readFormat(file, wanted);
    const found: ReadFile = { format, entries: [], refused: [] };
    const reader = new CsvReader();
    let record = -1;
    const take = (chunk: Buffer | null) => {
      for (const row of reader.read(chunk)) {
        if (++record === 0) continue;
        const read = readRecord(row, record, format);
        if ('entry' in read) found.entries.push(read.entry);
        else found.refused.push(read.refused);
      }
    };
    for await (const chunk of file.chunks()) take(chunk);
    take(null);
    return found;
  } finally {
    await file.close();
  }
}

export interface ZipEntry {
  name: string;
  content: string | Buffer;
  /** By default, the correct one. */
  checksum?: number;
  /** By default 8, deflated. */
  method?: number;
  isEncrypted?: boolean;
}

/** A ZIP by the standard (APPNOTE 6.3): each entry after its header, then the directory and its end record. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 8, isEncrypted = false, ...more } of entries) {
    const plain = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(isEncrypted ? 0x801 : 0x800, 2);
    fixed.writeUInt16LE(method, 4);
    fixed.writeUInt32LE(more.checksum ?? crc32(plain), 10);
    fixed.writeUInt32LE(packed.length, 14);
    fixed.writeUInt32LE(plain.length, 18);
    fixed.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, Buffer.from(name), packed]);
    const at = Buffer.alloc(14);
    at.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fixed, at, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}
