/** Writes the records that an import refused into a CSV file, with the reason of each. */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartRefused } from '#kernel/start-refused';

export interface RefusedRecord {
  /** Counted from 1, without the header and empty lines. */
  record: number;
  /** Where it begins in the file; 1 is the header's. */
  line: number;
  reason: string;
  /** What is wrong, or how the record begins; as it stands in the file. */
  excerpt: string;
}

export interface RefusedReport {
  append(refused: readonly RefusedRecord[]): Promise<void>;
  close(): Promise<void>;
}

const HEADER = 'record,line,reason,excerpt\n';
export const EXCERPT_LENGTH_MAX = 120;

/**
 * Opens the report of an import that has read `recordsRead` records. Lines about later records are dropped: their batch was
 * never committed. With 0 the report starts empty. Throws StartRefused when the file is no such report.
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

/** Nothing, or a report: an operator who names the wrong file must not lose it. */
async function assertReport(handle: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
  if (bytesRead === 0 || buffer.toString() === HEADER) return;
  throw new StartRefused(`${basename(path)} is no report of refused records: name another file for it.`);
}

/** The length of the report up to the last record that counts; a line that was being written counts for nothing. */
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

/** One short line that shows nothing it is not: no control characters, nothing that reverses or hides text. */
function readable(excerpt: string): string {
  const line = excerpt
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT_LENGTH_MAX)
    .toWellFormed();
  // A spreadsheet would take it for a formula and run it.
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
