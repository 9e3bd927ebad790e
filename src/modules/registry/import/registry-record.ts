/** Reads a record of a file as a company, or as the reason why it is refused. */
import { StartRefused } from '#kernel/start-refused';
import type { RegistryEntry } from '../registry-entry.ts';
import { CsvReader, type CsvRecord } from './csv-reader.ts';
import { type FileFormat, type FormatName, formatOfHeader, REGISTRY_FORMATS } from './known-formats.ts';
import { EXCERPT_LENGTH_MAX, type RefusedRecord } from './refused-report.ts';
import type { RegistryFile } from './registry-file.ts';
import { RecordRefused } from './registry-format.ts';

export type ReadRecord = { entry: RegistryEntry } | { refused: RefusedRecord };

/** The format of the file by its header, or `wanted` if its columns are present. Throws StartRefused. */
export async function readFormat(file: RegistryFile, wanted: FormatName | null): Promise<FileFormat> {
  const reader = new CsvReader();
  for await (const chunk of file.chunks()) {
    for (const row of reader.read(chunk)) return formatOf(file, row, wanted);
  }
  for (const row of reader.read(null)) return formatOf(file, row, wanted);
  throw new StartRefused(`${file.name} has no lines.`);
}

function formatOf(file: RegistryFile, row: CsvRecord, wanted: FormatName | null): FileFormat {
  if (row.fault !== null)
    throw new StartRefused(`The first line of ${file.name} cannot be read: ${row.fault}`);
  const header = Array.from({ length: row.fieldCount }, (_, nth) => row.text(nth));
  return formatOfHeader(file.name, header, wanted);
}

/** Reads one record. `record` is its number in the file, from 1. */
export function readRecord(row: CsvRecord, record: number, format: FileFormat): ReadRecord {
  const refuse = (reason: string, value = '') => ({
    refused: { record, line: row.line, reason, excerpt: value || row.beginning(EXCERPT_LENGTH_MAX) },
  });
  const fault = row.fault ?? countFault(row, format.columnCount);
  if (fault !== null) return refuse(fault);
  try {
    const field = (column: string) => {
      const nth = format.columns.get(column);
      return nth === undefined ? '' : row.text(nth);
    };
    return { entry: REGISTRY_FORMATS[format.name].readEntry(field) };
  } catch (error) {
    if (error instanceof RecordRefused) return refuse(error.message, error.value);
    throw error;
  }
}

/** A missing or extra comma shifts all fields after it. Extra commas at the end shift nothing. */
function countFault(row: CsvRecord, columnCount: number): string | null {
  if (row.fieldCount < columnCount) return 'The record has fewer columns than the header.';
  for (let nth = columnCount; nth < row.fieldCount; nth++) {
    if (row.text(nth) !== '') return 'The record has more columns than the header.';
  }
  return null;
}
