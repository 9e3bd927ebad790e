/** Reads a register's file into the embedded register: streamed, and resumable wherever it was stopped. */
import type { Clock } from '#infra/clock';
import type { Db } from '#infra/database';
import { rebuildVocabulary } from '../vocabulary-rebuild.queries.ts';
import { BatchWriter } from './batch-writer.ts';
import { CsvReader } from './csv-reader.ts';
import type { FileFormat, FormatName } from './known-formats.ts';
import { openRefusedReport } from './refused-report.ts';
import { openRegisterFile, type RegisterFile } from './register-file.ts';
import { beginImport, finishImport, type RegisterImport } from './register-import.queries.ts';
import { readFormat, readRecord } from './register-record.ts';

export interface ImportWish {
  path: string;
  /** Null: told by the file's first line. */
  format: FormatName | null;
  /** Where the refused records are told; null for nowhere. */
  refusedPath: string | null;
  /** Reads a file from its beginning that was imported before. */
  isAnew: boolean;
  /** Called for every chunk of the file. */
  onProgress(progress: ImportProgress): void;
  /** Once it aborts, the import stops behind the batch at hand. */
  signal: AbortSignal;
}

export interface ImportProgress {
  phase: 'going over what is done' | 'importing' | 'counting words';
  recordsRead: number;
  recordsRefused: number;
  /** Of the file, unpacked: 0 to 1. */
  share: number;
}

export interface ImportSummary {
  fileName: string;
  format: FormatName;
  /** Columns of a format without others, which nobody reads: spelling mistakes, maybe. */
  unknownColumns: string[];
  /** What earlier runs had read of the file. */
  resumedAfter: number;
  /** Of all runs, as are the next two. */
  recordsRead: number;
  companiesWritten: number;
  recordsRefused: number;
  /** Of this run: how many for which reason, the commonest first. */
  refusals: { reason: string; records: number }[];
  /** STOPPED where the signal came first; UNCHANGED where the whole file had been imported before. */
  outcome: 'FINISHED' | 'STOPPED' | 'UNCHANGED';
}

/**
 * Imports the file, or goes on with it behind the last batch that was committed. Throws a StartRefused, with its sentence,
 * where the file cannot be read or another process imports it.
 */
export async function importRegister(db: Db, clock: Clock, wish: ImportWish): Promise<ImportSummary> {
  const file = await openRegisterFile(wish.path);
  try {
    const format = await readFormat(file, wish.format);
    const begun = await beginImport(
      db,
      { key: `${file.key} ${format.name}`, name: file.name, format: format.name },
      wish.isAnew,
      clock.now(),
    );
    if (begun.finished_at !== null) return summaryOf(begun, begun, format, new Map(), 'UNCHANGED');
    return await goOn(db, clock, { wish, file, format, begun });
  } finally {
    await file.close();
  }
}

interface Begun {
  wish: ImportWish;
  file: RegisterFile;
  format: FileFormat;
  begun: RegisterImport;
}

async function goOn(db: Db, clock: Clock, { wish, file, format, begun }: Begun): Promise<ImportSummary> {
  const report =
    wish.refusedPath === null ? null : await openRefusedReport(wish.refusedPath, begun.records_read);
  try {
    const writer = new BatchWriter(db, clock, begun, report);
    const isWhole = await readInto(writer, { wish, file, format, begun }).catch(async (error) => {
      // What came before a damaged part is good, and nothing is left under way.
      await writer.end().catch(() => {});
      throw error;
    });
    const read = await writer.end();
    if (!isWhole) return summaryOf(begun, read, format, writer.refusals, 'STOPPED');
    const { records_read: recordsRead, records_refused: recordsRefused } = read;
    wish.onProgress({ phase: 'counting words', recordsRead, recordsRefused, share: 1 });
    await rebuildVocabulary(db);
    await finishImport(db, begun.import_id, clock.now());
    return summaryOf(begun, read, format, writer.refusals, 'FINISHED');
  } finally {
    await report?.close();
  }
}

/** Hands the records behind the last committed one to the writer; false where the signal came before the file's end. */
async function readInto(writer: BatchWriter, { wish, file, format, begun }: Begun): Promise<boolean> {
  const reader = new CsvReader();
  let record = -1;
  let bytesRead = 0;
  for await (const chunk of withEnd(file.chunks())) {
    if (wish.signal.aborted && chunk !== null) return false;
    for (const row of reader.read(chunk)) {
      // The first one is the header.
      if (++record <= begun.records_read) continue;
      writer.add(readRecord(row, record, format));
      if (writer.isFull) {
        await writer.write();
        if (wish.signal.aborted) return false;
      }
    }
    bytesRead += chunk?.length ?? 0;
    wish.onProgress({
      phase: record < begun.records_read ? 'going over what is done' : 'importing',
      recordsRead: Math.max(0, record),
      recordsRefused: writer.recordsRefused,
      share: Math.min(1, bytesRead / Math.max(1, file.byteCount)),
    });
  }
  return true;
}

async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  yield* chunks;
  yield null;
}

function summaryOf(
  before: RegisterImport,
  after: RegisterImport,
  format: FileFormat,
  refusals: ReadonlyMap<string, number>,
  outcome: ImportSummary['outcome'],
): ImportSummary {
  return {
    fileName: after.file_name,
    format: format.name,
    unknownColumns: format.unknownColumns,
    resumedAfter: before.records_read,
    recordsRead: after.records_read,
    companiesWritten: after.companies_written,
    recordsRefused: after.records_refused,
    refusals: [...refusals]
      .map(([reason, records]) => ({ reason, records }))
      .sort((a, b) => b.records - a.records),
    outcome,
  };
}
