/** Imports a registry's file into the stored registry: streamed and resumable. */

import type { Db } from '#infra/database/database';
import type { Clock } from '#infra/time/clock';
import { rebuildVocabulary } from '../vocabulary-rebuild.queries.ts';
import { BatchWriter } from './batch-writer.ts';
import { CsvReader } from './csv-reader.ts';
import type { FileFormat, FormatName } from './known-formats.ts';
import { openRefusedReport } from './refused-report.ts';
import { hashOfFile, openRegistryFile, type RegistryFile } from './registry-file.ts';
import {
  beginImport,
  finishImport,
  isImportFinished,
  type RegistryImport,
} from './registry-import.queries.ts';
import { readFormat, readRecord } from './registry-record.ts';

export interface ImportRequest {
  path: string;
  /** Null: detected from the header. */
  format: FormatName | null;
  /** The file for the refused records; null for none. */
  refusedPath: string | null;
  /** Imports a file again from its beginning, even if it was imported before. */
  isRestarted: boolean;
  /** Called for every chunk of the file. */
  onProgress(progress: ImportProgress): void;
  /** Once it aborts, the import stops after the current batch. */
  signal: AbortSignal;
}

export interface ImportProgress {
  phase: 'skipping what is already imported' | 'importing' | 'counting words';
  recordsRead: number;
  recordsRefused: number;
  /** Share of the unpacked file, 0 to 1. */
  share: number;
}

export interface ImportSummary {
  fileName: string;
  format: FormatName;
  /** Columns that our own CSV does not have: probably spelling mistakes. */
  unknownColumns: string[];
  /** Records that earlier runs had read. */
  resumedAfter: number;
  /** Read in all runs. `companiesWritten` and `recordsRefused` also cover all runs. */
  recordsRead: number;
  companiesWritten: number;
  recordsRefused: number;
  /** The registries that the companies of this run come from: `GLEIF`. */
  registries: string[];
  /** Refused records of this run by reason, the most frequent first. */
  refusals: { reason: string; records: number }[];
  /** STOPPED if the signal aborted the import; UNCHANGED if the whole file was imported before. */
  outcome: 'FINISHED' | 'STOPPED' | 'UNCHANGED';
}

/**
 * Imports the file, or resumes after the last committed batch. Throws StartRefused if the file is unreadable or another
 * process is importing it.
 */
export async function importRegistry(db: Db, clock: Clock, request: ImportRequest): Promise<ImportSummary> {
  const file = await openRegistryFile(request.path);
  try {
    const format = await readFormat(file, request.format);
    const begun = await beginImport(
      db,
      { key: keyOf(file, format), name: file.name, format: format.name },
      request.isRestarted,
      clock.now(),
    );
    if (begun.finished_at !== null) return summaryOf(begun, begun, format, NOTHING_READ, 'UNCHANGED');
    return await goOn(db, clock, { request, file, format, begun });
  } finally {
    await file.close();
  }
}

/** A registry's file as operators approve it. */
export interface NamedRegistryFile {
  file: string;
  format: FormatName;
  /** The SHA-256 of the file as it is stored, in hexadecimal. */
  sha256: string;
  /** Whether the whole file was imported before. */
  isImported: boolean;
}

/** Names a file and its content. Throws StartRefused for a file that cannot be imported. */
export async function nameRegistryFile(
  db: Db,
  { path, format: wanted }: Pick<ImportRequest, 'path' | 'format'>,
): Promise<NamedRegistryFile> {
  const file = await openRegistryFile(path);
  try {
    const format = await readFormat(file, wanted);
    const isImported = await isImportFinished(db, keyOf(file, format));
    return { file: file.name, format: format.name, sha256: await hashOfFile(path), isImported };
  } finally {
    await file.close();
  }
}

const keyOf = (file: RegistryFile, format: FileFormat) => `${file.key} ${format.name}`;

interface Begun {
  request: ImportRequest;
  file: RegistryFile;
  format: FileFormat;
  begun: RegistryImport;
}

async function goOn(db: Db, clock: Clock, { request, file, format, begun }: Begun): Promise<ImportSummary> {
  const report =
    request.refusedPath === null ? null : await openRefusedReport(request.refusedPath, begun.records_read);
  try {
    const writer = new BatchWriter(db, clock, begun, report);
    const isWhole = await readInto(writer, { request, file, format, begun }).catch(async (error) => {
      // Keep the records before a damaged part, and leave no batch running.
      await writer.end().catch(() => {});
      throw error;
    });
    const read = await writer.end();
    if (!isWhole) return summaryOf(begun, read, format, writer, 'STOPPED');
    const { records_read: recordsRead, records_refused: recordsRefused } = read;
    request.onProgress({ phase: 'counting words', recordsRead, recordsRefused, share: 1 });
    await rebuildVocabulary(db);
    await finishImport(db, begun.import_id, clock.now());
    return summaryOf(begun, read, format, writer, 'FINISHED');
  } finally {
    await report?.close();
  }
}

/**
 * Passes the records after the last committed one to the writer. False if the signal aborted before the end of the
 * file.
 */
async function readInto(writer: BatchWriter, { request, file, format, begun }: Begun): Promise<boolean> {
  const reader = new CsvReader();
  let record = -1;
  let bytesRead = 0;
  for await (const chunk of withEnd(file.chunks())) {
    if (request.signal.aborted && chunk !== null) return false;
    for (const row of reader.read(chunk)) {
      // The first record is the header.
      if (++record <= begun.records_read) continue;
      writer.add(readRecord(row, record, format));
      if (writer.isFull) {
        await writer.write();
        if (request.signal.aborted) return false;
      }
    }
    bytesRead += chunk?.length ?? 0;
    request.onProgress({
      phase: record < begun.records_read ? 'skipping what is already imported' : 'importing',
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

const NOTHING_READ = { registries: new Set<string>(), refusals: new Map<string, number>() };

function summaryOf(
  before: RegistryImport,
  after: RegistryImport,
  format: FileFormat,
  { registries, refusals }: Pick<BatchWriter, 'registries' | 'refusals'>,
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
    registries: [...registries].sort(),
    refusals: [...refusals]
      .map(([reason, records]) => ({ reason, records }))
      .sort((a, b) => b.records - a.records),
    outcome,
  };
}
