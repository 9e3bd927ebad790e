/** Writes the records that an import refused into a CSV file, with the reason of each. */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartRefused } from '#kernel/start-refused';

export interface RefusedRecord {
  /** Counted from 1, without the header and empty lines. */
  record: number;
  /** The line of the file on which the record begins; the header is line 1. */
  line: number;
  reason: string;
  /** The invalid value, or the beginning of the record, as it is in the file. */
  excerpt: string;
}

export interface RefusedReport {
  append(refused: readonly RefusedRecord[]): Promise<void>;
  close(): Promise<void>;
}

const HEADER = 'record,line,reason,excerpt\n';
export const EXCERPT_LENGTH_MAX = 120;

/**
 * Opens the report of an import that has read `recordsRead` records. Lines about later records are removed, because
 * their batch was never committed. With 0 the report starts empty. Throws StartRefused if the file is not such a
 * report.
 */
export async function openRefusedReport(path: string, recordsRead: number): Promise<RefusedReport> {
  const handle = await openReport(path);
  try {
    await assertReport(handle, path);
    const end = recordsRead === 0 ? 0 : await findEnd(handle, recordsRead);
    await handle.truncate(end);
    if (end === 0) await handle.appendFile(HEADER);
    return {
      append: async (refused) => {
        if (refused.length > 0) await handle.appendFile(refused.map(toLine).join(''));
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openReport(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a+');
  } catch (error) {
    throw new StartRefused(`The report cannot be written: ${(error as Error).message}.`);
  }
}

/** Accepts an empty file or a report: an operator who names the wrong file must not lose it. */
async function assertReport(handle: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
  if (bytesRead === 0 || buffer.toString() === HEADER) return;
  throw new StartRefused(
    `${basename(path)} is not a report of refused records: name another file for the report.`,
  );
}

/** The length of the report up to the last committed record. A partly written line is cut off. */
async function findEnd(handle: FileHandle, recordsRead: number): Promise<number> {
  const { size } = await handle.stat();
  let end = 0;
  for await (const line of handle.readLines({ start: 0, autoClose: false })) {
    const next = end + Buffer.byteLength(line) + 1;
    if (next > size || (end > 0 && Number.parseInt(line, 10) > recordsRead)) break;
    end = next;
  }
  return end;
}

function toLine({ record, line, reason, excerpt }: RefusedRecord): string {
  return `${record},${line},${quote(reason)},${quote(readable(excerpt))}\n`;
}

/** One short line without control characters and without characters that reverse or hide text. */
function readable(excerpt: string): string {
  const line = excerpt
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT_LENGTH_MAX)
    .toWellFormed();
  // A spreadsheet would run it as a formula.
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
